package projectpages

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"svc/server/domain/repository/browse"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/git"
)

// refsView is the content of the pages of branches and of tags.
type refsView struct {
	Root   string
	Search string
	Refs   []refView
	Pager  page.Pager
}

// refView is a branch or tag.
type refView struct {
	Name, At string
	Commit   git.Commit
	Message  string // of a tag
	Default  bool
	Release  string // the address of its release, if there is one
}

const refsPerPage = 50

// branches lists the branches, in the order of their names; the default branch comes first.
// GET /{project}/-/branches
func (p *Pages) branches(v *page.Visit) error {
	return p.refs(v, "refs/heads/", page.View{Name: "branches", Title: "Branches", Tab: page.TabBranches}, func(a, b git.Ref) int {
		first := "refs/heads/" + v.Project.Project.DefaultBranch
		switch {
		case a.Name == first && b.Name != first:
			return -1
		case b.Name == first && a.Name != first:
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
}

// tags lists the tags, the highest version first.
// GET /{project}/-/tags
func (p *Pages) tags(v *page.Visit) error {
	return p.refs(v, "refs/tags/", page.View{Name: "tags", Title: "Tags", Tab: page.TabTags}, func(a, b git.Ref) int {
		return cmp.Or(git.CompareVersions(b.Name, a.Name), strings.Compare(b.Name, a.Name))
	})
}

// refs shows one page of the refs below a prefix.
func (p *Pages) refs(v *page.Visit, prefix string, shown page.View, order func(a, b git.Ref) int) error {
	ctx := v.Request().Context()
	repo, err := p.repository(v)
	if err != nil {
		return err
	}
	all, err := repo.Refs(prefix)
	if err != nil {
		return err
	}
	view := refsView{Root: root(v.Project.Project), Search: v.QueryParam("search"), Pager: v.PagerOf(refsPerPage, "search")}
	all = slices.Clone(all)
	if view.Search != "" {
		matches := git.Search(view.Search)
		all = slices.DeleteFunc(all, func(r git.Ref) bool { return !matches(strings.TrimPrefix(r.Name, prefix)) })
	}
	slices.SortFunc(all, order)
	first := min(view.Pager.Page.Offset, len(all))
	last := min(first+refsPerPage, len(all))
	view.Pager = view.Pager.Of(last < len(all))
	if prefix == "refs/tags/" {
		view.Refs, err = tagViews(ctx, repo, view.Root, all[first:last])
	} else {
		view.Refs, err = branchViews(ctx, repo, view.Root, v.Project.Project.DefaultBranch, all[first:last])
	}
	if err != nil {
		return err
	}
	shown.Templates, shown.Data = p.templates, view
	return v.Show(shown)
}

func branchViews(ctx context.Context, repo git.Repo, root, first string, refs []git.Ref) ([]refView, error) {
	ids := make([]string, len(refs))
	for i, ref := range refs {
		ids[i] = ref.ID
	}
	commits, err := byID(ctx, repo, ids)
	if err != nil {
		return nil, err
	}
	all := make([]refView, len(refs))
	for i, ref := range refs {
		name := strings.TrimPrefix(ref.Name, "refs/heads/")
		all[i] = refView{Name: name, At: root + "/-/tree/" + page.EscapePath(name), Commit: commits[ref.ID], Default: name == first}
	}
	return all, nil
}

func tagViews(ctx context.Context, repo git.Repo, root string, refs []git.Ref) ([]refView, error) {
	tags, err := repo.ReadTags(ctx, refs)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, tag := range tags {
		if tag.Commit != "" { // a tag can also be of a file or folder
			ids = append(ids, tag.Commit)
		}
	}
	commits, err := byID(ctx, repo, ids)
	if err != nil {
		return nil, err
	}
	all := make([]refView, len(tags))
	for i, tag := range tags {
		all[i] = refView{
			Name: tag.Name, At: root + "/-/tags/" + page.EscapePath(tag.Name), Commit: commits[tag.Commit], Message: tag.Message,
		}
	}
	return all, nil
}

// tagView is the content of the page of a tag.
type tagView struct {
	refView

	Root     string
	Files    string // the address of its files
	Archives []page.Link
}

// tag shows a tag.
// GET /{project}/-/tags/{tag}
func (p *Pages) tag(v *page.Visit) error {
	ctx, name := v.Request().Context(), v.Param("*")
	repo, err := p.repository(v)
	if err != nil {
		return err
	}
	id, err := repo.Ref("refs/tags/" + name)
	if err != nil {
		return page.NotFound()
	}
	shown, err := tagViews(ctx, repo, root(v.Project.Project), []git.Ref{{Name: "refs/tags/" + name, ID: id}})
	if err != nil || len(shown) == 0 {
		return orNotFound(cmp.Or(err, git.ErrNotFound))
	}
	view := tagView{refView: shown[0], Root: root(v.Project.Project)}
	at := place{Place: browse.Place{Ref: name, Commit: view.Commit.ID}, Root: view.Root}
	view.Files, view.Archives = at.Of("tree", ""), at.Archives(v.Project.Project)
	if _, err := p.Store.Releases.Get(ctx, v.Project.Project.ID, name); err == nil {
		view.Release = view.Root + "/-/releases/" + page.EscapeSegment(name)
	} else if !store.IsNotFound(err) {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "tag", Title: name, Tab: page.TabTags,
		Crumbs: []page.Link{{Path: view.Root + "/-/tags", Label: "Tags"}}, Data: view,
	})
}
