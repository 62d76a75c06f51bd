package projectpages

import (
	"context"
	"strings"

	"svc/server/transport/web/page"
	"svc/store/git"
)

// compareView is the content of a page that compares two commits.
type compareView struct {
	Root     string
	From, To string // as the address has them
	Straight bool   // from the first itself, not from the merge base
	Compared bool   // both are known
	Commits  []git.Commit
	More     bool // there are more commits
	Diff     page.Diff
	Pager    page.Pager
	Only     string
	Branches []string // suggestions
	Missing  string   // what is not in the repository
}

// comparedCommits is how many commits a comparison shows.
const comparedCommits = 50

// compareForm asks what to compare, and leads to the comparison.
// GET /{project}/-/compare
func (p *Pages) compareForm(v *page.Visit) error {
	from, to := strings.TrimSpace(v.QueryParam("from")), strings.TrimSpace(v.QueryParam("to"))
	if from != "" && to != "" && len(from)+len(to) < 1000 {
		return v.Redirect(root(v.Project.Project) + "/-/compare/" + page.EscapePath(from) + "..." + page.EscapePath(to))
	}
	repo, err := p.repository(v)
	if err != nil {
		return err
	}
	return p.showComparison(v, repo, compareView{From: v.Project.Project.DefaultBranch, To: to})
}

// compare shows how two commits differ.
// GET /{project}/-/compare/{from}...{to}
func (p *Pages) compare(v *page.Visit) error {
	ctx := v.Request().Context()
	repo, err := p.repository(v)
	if err != nil {
		return err
	}
	from, to, ok := strings.Cut(v.Param("*"), "...")
	straight := false
	if !ok {
		from, to, ok = strings.Cut(v.Param("*"), "..")
		straight = true
	}
	if !ok || from == "" || to == "" {
		return page.NotFound()
	}
	view := compareView{From: from, To: to, Straight: straight}
	first, err := repo.Resolve(ctx, from)
	if err != nil {
		return orNotFound(err)
	}
	second, err := repo.Resolve(ctx, to)
	if err != nil {
		return orNotFound(err)
	}
	view.Compared = true
	if err := view.commits(ctx, repo, first, second); err != nil {
		return err
	}
	base := first
	if !straight {
		if base, err = repo.Base(ctx, first, second); err != nil {
			return orNotFound(err)
		}
	}
	d := differing{repo: repo, from: base, to: second, at: root(v.Project.Project) + "/-/blob/" + second}
	if view.Diff, view.Pager, view.Only, err = d.show(v); err != nil {
		return err
	}
	return p.showComparison(v, repo, view)
}

// commits adds the commits in the history of the second commit and not of the first, newest first.
func (c *compareView) commits(ctx context.Context, repo git.Repo, first, second string) error {
	ids, err := repo.Between(ctx, first, second)
	if err != nil {
		return orNotFound(err)
	}
	if c.More = len(ids) > comparedCommits; c.More {
		ids = ids[:comparedCommits]
	}
	c.Commits, err = repo.Commits(ctx, ids)
	return err
}

// showComparison shows the form, and the comparison if there is one.
func (p *Pages) showComparison(v *page.Visit, repo git.Repo, view compareView) error {
	view.Root = root(v.Project.Project)
	refs, err := repo.Refs("refs/heads/")
	if err != nil {
		return err
	}
	for _, ref := range refs[:min(len(refs), maxOffered)] {
		view.Branches = append(view.Branches, strings.TrimPrefix(ref.Name, "refs/heads/"))
	}
	v.Policy += page.Fetching
	return v.Show(page.View{
		Templates: p.templates, Name: "compare", Scripts: []string{"diff.js"}, Title: "Compare", Tab: page.TabCommits, Wide: true,
		Crumbs: []page.Link{{Path: view.Root + "/-/commits", Label: "Commits"}}, Data: view,
	})
}
