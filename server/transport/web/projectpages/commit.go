package projectpages

import (
	"net/url"
	"strconv"
	"strings"

	"svc/server/transport/web/page"
	"svc/store/git"
)

// commitView is the content of the page of a commit.
type commitView struct {
	Root    string
	Commit  git.Commit
	Message string // without the title
	Signed  string // what the signature proves; empty without one
	Diff    page.Diff
	Pager   page.Pager
	Only    string // the only file that is shown, if any
	All     string // the address of all files
}

// diffFiles is how many files a page shows.
const diffFiles = 40

// maxTitle is how much of the title of a commit the heading shows, in bytes.
const maxTitle = 300

// commit shows a commit and its changes.
// GET /{project}/-/commit/{sha}
func (p *Pages) commit(v *page.Visit) error {
	ctx := v.Request().Context()
	repo, err := p.repository(v)
	if err != nil {
		return err
	}
	id, err := repo.Resolve(ctx, v.Param("sha"))
	if err != nil {
		return orNotFound(err)
	}
	commit, err := repo.Commit(ctx, id)
	if err != nil {
		return orNotFound(err)
	}
	view := commitView{Root: root(v.Project.Project), Commit: commit, All: v.Request().URL.EscapedPath()}
	_, view.Message, _ = strings.Cut(commit.Message, "\n")
	view.Message = strings.TrimSpace(view.Message)
	if view.Signed, err = p.signatureText(ctx, repo, commit); err != nil {
		return err
	}
	d := differing{repo: repo, from: commit.Before(), to: id, at: view.Root + "/-/blob/" + id}
	if view.Diff, view.Pager, view.Only, err = d.show(v); err != nil {
		return err
	}
	v.Policy += page.Fetching
	return v.Show(page.View{
		Templates: p.templates, Name: "commit", Scripts: []string{"diff.js"},
		Title: page.Clip(maxTitle, commit.Title()), Tab: page.TabCommits, Wide: true,
		Crumbs: []page.Link{{Path: view.Root + "/-/commits", Label: "Commits"}}, Data: view,
	})
}

// differing is the difference between two commits.
type differing struct {
	repo     git.Repo
	from, to string
	at       string // the address of files after the change
}

// show returns one page of the changed files, or only the file that the address names.
func (d differing) show(v *page.Visit) (page.Diff, page.Pager, string, error) {
	ctx, pager := v.Request().Context(), v.PagerOf(diffFiles)
	options := page.DiffOptions{
		Browse: func(path string) string { return d.at + "/" + page.EscapePath(path) },
		More:   func(path string) string { return v.With(url.Values{"file": {path}}) },
	}
	var paths []string
	only, ok := git.CleanPath(v.QueryParam("file"))
	if only != "" && ok {
		paths, options.More, options.Bytes = []string{only}, nil, maxOneDiff
		options.From, _ = strconv.Atoi(v.QueryParam("from")) // 0 for anything that is not a number
		options.Next = func(line int) string {
			return v.With(url.Values{"from": {strconv.Itoa(line)}}, "file", "old")
		}
		if old, ok := git.CleanPath(v.QueryParam("old")); ok && old != "" { // the file was renamed
			paths = append(paths, old)
		}
	}
	files, total, err := d.repo.FileDiffs(ctx, d.from, d.to, pager.Page.Offset, diffFiles, paths...)
	if err != nil {
		return page.Diff{}, pager, "", orNotFound(err)
	}
	return page.Diff{Files: page.DiffFiles(files, options), Total: total}, pager.Of(total > pager.Page.Offset+len(files)), only, nil
}

// maxOneDiff is how many bytes of changes are shown of one file that a person has asked for.
const maxOneDiff = 85_000
