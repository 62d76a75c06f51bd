package projectpages

import (
	"context"
	"embed"
	"html/template"

	"svc/server/domain/repository/signature"
	"svc/server/domain/search"
	"svc/server/platform/access"
	"svc/server/platform/highlight"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/cache"
	"svc/store/git"
)

//go:embed templates
var templates embed.FS

// Dependencies are what the pages need.
type Dependencies struct {
	Store        *store.Store
	Repositories *git.Repositories
	Highlighter  *highlight.Highlighter
	Search       *search.Service
	URL          string // of the service, without a trailing slash
	SSHPort      int
	SSH          bool // SSH is on
	// Limit counts a page that makes git read much, and returns an error once a caller opens too many.
	Limit func(ctx context.Context) error
}

// Pages are the pages of projects and their code.
type Pages struct {
	Dependencies

	templates  *page.Templates
	signatures *signature.Checker
	readmes    cache.Cache[template.HTML] // rendered Markdown, by everything that it follows from
}

// readmeBytes is how many bytes of rendered Markdown are kept.
const readmeBytes = 16 << 20

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{
		Dependencies: d, templates: page.NewTemplates(templates, "parts"), signatures: signature.New(d.Store),
		readmes: cache.WithMaxBytes(readmeBytes, func(key string, html template.HTML) int { return len(key) + len(html) }),
	}
}

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	r.Project("GET", "", access.ReadProject, p.home)
	r.Project("GET", "tree/*", access.ReadCode, p.tree)
	r.Project("GET", "blob/*", access.ReadCode, p.blob)
	r.Project("GET", "blame/*", access.ReadCode, p.blame)
	r.Project("GET", "commits", access.ReadCode, p.commits)
	r.Project("GET", "commits/*", access.ReadCode, p.commits)
	r.Project("GET", "commit/:sha", access.ReadCode, p.commit)
	r.Project("GET", "compare", access.ReadCode, p.compareForm)
	r.Project("GET", "compare/*", access.ReadCode, p.compare)
	r.Project("GET", "branches", access.ReadCode, p.branches)
	r.Project("GET", "tags", access.ReadCode, p.tags)
	r.Project("GET", "tags/*", access.ReadCode, p.tag)
	r.Project("GET", "search", access.ReadProject, p.search)
}
