// Package wikis manages the wiki pages of projects and groups, which are stored in git repositories.
package wikis

import (
	"context"
	"errors"
	"html"

	"svc/gen"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/lifecycle"
	"svc/server/domain/repository/wiki"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Wikis holds the operations on wiki pages.
type Wikis struct {
	store        *store.Store
	access       *access.Access
	repositories *lifecycle.SideRepositories
	writer       *commit.Writer
	pages        pagination.MaxOffset
}

// New returns the wiki operations.
func New(st *store.Store, a *access.Access, sides *lifecycle.SideRepositories, w *commit.Writer, pages pagination.MaxOffset) *Wikis {
	return &Wikis{store: st, access: a, repositories: sides, writer: w, pages: pages}
}

// place is the wiki of a project or group in which the caller has the required ability.
type place struct {
	side    lifecycle.Owner
	entity  events.Entity
	project *model.Project // nil for the wiki of a group
}

func (w *Wikis) project(ctx context.Context, ref string, ability access.Ability) (place, error) {
	row, err := w.access.Project(ctx, ref, ability)
	return place{lifecycle.Owner{Kind: model.ProjectWikiRepository, ID: row.Project.ID}, events.Project(row.Project), &row.Project}, err
}

func (w *Wikis) group(ctx context.Context, ref string, ability access.Ability) (place, error) {
	g, _, err := w.access.Group(ctx, ref, ability)
	return place{lifecycle.Owner{Kind: model.GroupWikiRepository, ID: g.ID}, events.Group(g), nil}, err
}

// maxContents is the maximum size in bytes of all page contents in one list.
const maxContents = 20 << 20

// query holds the query parameters of a list.
type query struct {
	paging   *gen.Pagination
	number   *int64
	size     *int64
	contents *bool
}

// list returns one page of the list of wiki pages, and its headers.
func (w *Wikis) list(ctx context.Context, in place, q query) ([]gen.WikiPage, pagination.Headers, error) {
	if err := pagination.NoKeyset(q.paging); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := w.pages.Offset(ctx, pagination.Kind{Name: "WikiPage"}, q.number, q.size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	repo, head, err := w.repositories.Open(ctx, in.side)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	all, err := wiki.List(ctx, repo, head)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total := pagination.PageOf(window, all)
	shown, size := make([]gen.WikiPage, len(rows)), 0
	for i, p := range rows {
		var content *string
		if q.contents != nil && *q.contents {
			text, err := wiki.Content(ctx, repo, head, p)
			if size += len(text); errors.Is(err, git.ErrTooLarge) || size > maxContents {
				return nil, pagination.Headers{}, apierr.TooLarge()
			}
			if err != nil {
				return nil, pagination.Headers{}, err
			}
			content = &text
		}
		shown[i] = present.WikiPage(p.Slug, p.Title, p.Format, content)
	}
	return shown, window.Headers(total), nil
}

// get presents a wiki page with its content, at the given version or at the last commit.
func (w *Wikis) get(ctx context.Context, in place, slug string, version *string, asHTML *bool) (gen.WikiPage, error) {
	repo, at, err := w.repositories.Open(ctx, in.side)
	if err != nil {
		return gen.WikiPage{}, err
	}
	if version != nil {
		if at, err = repo.Resolve(ctx, *version); errors.Is(err, git.ErrNotFound) {
			return gen.WikiPage{}, apierr.NotFound("Wiki Page")
		}
		if err != nil {
			return gen.WikiPage{}, err
		}
	}
	found, err := wiki.Find(ctx, repo, at, slug)
	if err != nil {
		return gen.WikiPage{}, explain(err)
	}
	content, err := wiki.Content(ctx, repo, at, found)
	if err != nil {
		return gen.WikiPage{}, explain(err)
	}
	if asHTML != nil && *asHTML {
		content = "<pre>" + html.EscapeString(content) + "</pre>"
	}
	return present.WikiPage(found.Slug, found.Title, found.Format, &content), nil
}

// edit describes a change of a page for the commit and the events.
type edit struct {
	action  string // of the activity event
	kind    string // of the audit event
	message string
	slug    string // of the page before, if there was one
}

// write commits a change of a page. build returns the page and the changes of files.
func (w *Wikis) write(
	ctx context.Context, in place, e edit, build func(repo git.Repo, head string) (wiki.Page, []git.Change, error),
) (wiki.Page, error) {
	person, err := w.writer.Caller(ctx)
	if err != nil {
		return wiki.Page{}, err
	}
	if in.side.Kind == model.GroupWikiRepository {
		if err := w.store.OtherRepositories.CreateGroupWiki(ctx, in.side.ID); err != nil {
			return wiki.Page{}, err
		}
	}
	var changed wiki.Page
	_, err = w.repositories.Write(ctx, in.side, lifecycle.Edit{
		Author: person, Message: e.message,
		Changes: func(repo git.Repo, head string) (changes []git.Change, err error) {
			changed, changes, err = build(repo, head)
			return changes, err
		},
		Record: func(ctx context.Context, _ string) error {
			if err := w.recordActivity(ctx, in, e, changed); err != nil {
				return err
			}
			return events.Audit(ctx, w.store, events.Change{
				Type: e.kind, Entity: in.entity,
				Target: events.Target{Type: "WikiPage", ID: changed.Slug, Details: changed.Title}, Message: e.message,
			})
		},
	})
	return changed, explain(err)
}

// recordActivity records the activity event of a change. Groups have no activity of their own.
func (w *Wikis) recordActivity(ctx context.Context, in place, e edit, p wiki.Page) error {
	if in.project == nil {
		return nil
	}
	row := model.WikiPage{ProjectID: in.project.ID, Slug: p.Slug, Title: p.Title, Format: p.Format}
	if err := w.store.WikiPages.Put(ctx, e.slug, &row); err != nil {
		return err
	}
	event := events.On(reqctx.Of(ctx).Actor.User.ID, e.action, model.OnWikiPage, row.ID)
	return w.store.Events.Create(ctx, *in.project, &event)
}

// create creates a page.
func (w *Wikis) create(ctx context.Context, in place, body gen.WikiPageCreate) (gen.WikiPage, error) {
	format := wiki.Markdown
	if body.Format != nil {
		format = string(*body.Format)
	}
	made, err := w.write(ctx, in, edit{
		model.EventCreated, "wiki_page_created", "Create " + body.Title, "",
	}, func(repo git.Repo, head string) (wiki.Page, []git.Change, error) {
		return wiki.Create(ctx, repo, head, body.Title, format, body.Content)
	})
	return present.WikiPage(made.Slug, made.Title, made.Format, &body.Content), err
}

// update changes a page.
func (w *Wikis) update(ctx context.Context, in place, slug string, body gen.WikiPageUpdate) (gen.WikiPage, error) {
	if body.Title == nil && body.Content == nil && body.Format == nil {
		return gen.WikiPage{}, apierr.BadParameter("title, content, format are missing, at least one parameter must be provided")
	}
	changed, err := w.write(ctx, in, edit{
		model.EventUpdated, "wiki_page_updated", "Update " + slug, slug,
	}, func(repo git.Repo, head string) (wiki.Page, []git.Change, error) {
		return wiki.Update(ctx, repo, head, slug, body.Title, (*string)(body.Format), body.Content)
	})
	if err != nil {
		return gen.WikiPage{}, err
	}
	return w.get(ctx, in, changed.Slug, nil, nil)
}

// remove deletes a page.
func (w *Wikis) remove(ctx context.Context, in place, slug string, unmodifiedSince *string) error {
	e := edit{model.EventDestroyed, "wiki_page_deleted", "Delete " + slug, slug}
	_, err := w.write(ctx, in, e, func(repo git.Repo, head string) (wiki.Page, []git.Change, error) {
		gone, changes, err := wiki.Delete(ctx, repo, head, slug)
		if err == nil {
			err = commit.NotChanged(ctx, repo, head, gone.Path, reqctx.UnmodifiedSince(unmodifiedSince))
		}
		return gone, changes, err
	})
	return err
}

// explain turns errors of the wiki into API errors.
func explain(err error) error {
	switch {
	case errors.Is(err, wiki.ErrNotFound):
		return apierr.NotFound("Wiki Page")
	case errors.Is(err, wiki.ErrTaken):
		return apierr.Invalid("base", "Duplicate page: A page with that title already exists")
	case errors.Is(err, wiki.ErrBadTitle):
		return apierr.Invalid("title", "is invalid")
	}
	return commit.Explain(err)
}
