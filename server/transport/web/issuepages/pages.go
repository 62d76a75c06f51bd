package issuepages

import (
	"embed"

	"svc/server/domain/issue"
	"svc/server/platform/access"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
)

//go:embed templates
var templates embed.FS

var kind = issuablepages.Issue

// maxForm is the size of the form of an issue: a description of a million characters, escaped.
const maxForm = 12 << 20

// Pages are the pages of issues.
type Pages struct {
	*issuablepages.Parts

	issues    *issue.Service
	templates *page.Templates
}

// New returns the pages.
func New(parts *issuablepages.Parts, issues *issue.Service) *Pages {
	return &Pages{Parts: parts, issues: issues, templates: issuablepages.Templates(templates)}
}

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	r.Project("GET", "issues", access.ReadIssue, p.projectList)
	r.Group("GET", "issues", access.ReadGroupIssue, p.groupList)
	r.Project("GET", "issues/new", access.CreateIssue, p.newIssue)
	r.Project("POST", "issues", access.CreateIssue, p.create).MaxForm(maxForm)
	r.Project("GET", "issues/:iid", access.ReadIssue, p.issue)
	r.Project("GET", "issues/:iid/description", access.ReadIssue, p.description)
	r.Project("GET", "issues/:iid/edit", access.UpdateIssue, p.edit)
	r.Project("POST", "issues/:iid", access.UpdateIssue, p.update).MaxForm(maxForm)
	r.Project("POST", "issues/:iid/delete", access.DestroyIssue, p.remove)
	p.Parts.Register(r, kind)
}
