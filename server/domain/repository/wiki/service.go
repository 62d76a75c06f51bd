package wiki

import (
	"context"
	"errors"
	"time"

	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/lifecycle"
	"svc/server/domain/webhook/announce"
	"svc/server/domain/webhook/payload"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Service changes the pages of wikis on behalf of the caller.
type Service struct {
	store        *store.Store
	repositories *lifecycle.SideRepositories
	writer       *commit.Writer
	hooks        *announce.Announcer
}

// NewService returns a Service.
func NewService(st *store.Store, sides *lifecycle.SideRepositories, w *commit.Writer, hooks *announce.Announcer) *Service {
	return &Service{store: st, repositories: sides, writer: w, hooks: hooks}
}

// Place is the wiki of a project or group.
type Place struct {
	Repository lifecycle.Owner
	entity     events.Entity
	project    *model.Project // nil for the wiki of a group
}

// OfProject returns the wiki of a project.
func OfProject(p model.Project) Place {
	return Place{lifecycle.Owner{Kind: model.ProjectWikiRepository, ID: p.ID}, events.Project(p), &p}
}

// OfGroup returns the wiki of a group.
func OfGroup(g model.Namespace) Place {
	return Place{lifecycle.Owner{Kind: model.GroupWikiRepository, ID: g.ID}, events.Group(g), nil}
}

// Create creates a page.
func (s *Service) Create(ctx context.Context, in Place, title, format, content string) (Page, error) {
	e := edit{model.EventCreated, "wiki_page_created", "Create " + title, ""}
	return s.write(ctx, in, e, func(repo git.Repo, head string) (Page, []git.Change, error) {
		return Create(ctx, repo, head, title, format, content)
	})
}

// Change describes what to change in a page; nil fields stay as they are.
type Change struct {
	Title, Format, Content *string
	// Seen is the ID of the content that the caller has seen. The change is refused if the page has another one. Empty for
	// callers who overwrite whatever is there.
	Seen string
}

// Apply changes a page.
func (s *Service) Apply(ctx context.Context, in Place, slug string, c Change) (Page, error) {
	e := edit{model.EventUpdated, "wiki_page_updated", "Update " + slug, slug}
	return s.write(ctx, in, e, func(repo git.Repo, head string) (Page, []git.Change, error) {
		if err := unchanged(ctx, repo, head, slug, c.Seen); err != nil {
			return Page{}, nil, err
		}
		return Update(ctx, repo, head, slug, c.Title, c.Format, c.Content)
	})
}

// Delete deletes a page. It fails if the page was changed after unmodifiedSince.
func (s *Service) Delete(ctx context.Context, in Place, slug string, unmodifiedSince *time.Time) error {
	e := edit{model.EventDestroyed, "wiki_page_deleted", "Delete " + slug, slug}
	_, err := s.write(ctx, in, e, func(repo git.Repo, head string) (Page, []git.Change, error) {
		gone, changes, err := Delete(ctx, repo, head, slug)
		if err == nil {
			err = commit.NotChanged(ctx, repo, head, gone.Path, unmodifiedSince)
		}
		return gone, changes, err
	})
	return err
}

// edit describes a change of a page for the commit and the events.
type edit struct {
	action  string // of the activity event
	kind    string // of the audit event
	message string
	slug    string // of the page before, if there was one
}

// write commits a change of a page. build returns the page and the changes of files.
func (s *Service) write(
	ctx context.Context, in Place, e edit, build func(repo git.Repo, head string) (Page, []git.Change, error),
) (Page, error) {
	person, err := s.writer.Caller(ctx)
	if err != nil {
		return Page{}, err
	}
	if err := s.prepare(ctx, in); err != nil {
		return Page{}, err
	}
	var changed Page
	var content string
	_, err = s.repositories.Write(ctx, in.Repository, lifecycle.Edit{
		Author: person, Message: e.message,
		Changes: func(repo git.Repo, head string) (changes []git.Change, err error) {
			changed, changes, err = build(repo, head)
			if err == nil {
				content, err = contentAfter(ctx, repo, head, changes)
			}
			return changes, err
		},
		Record: func(ctx context.Context, version string) error {
			if err := s.recordActivity(ctx, in, e, changed); err != nil {
				return err
			}
			if err := s.announceHooks(ctx, in, e, payload.WikiPageInput{
				Title: changed.Title, Format: changed.Format, Slug: changed.Slug, Content: content, Version: version,
			}); err != nil {
				return err
			}
			return events.Audit(ctx, s.store, events.Change{
				Type: e.kind, Entity: in.entity,
				Target: events.Target{Type: "WikiPage", ID: changed.Slug, Details: changed.Title}, Message: e.message,
			})
		},
	})
	return changed, Explain(err)
}

// prepare makes sure that a wiki has a repository. The wiki of a group gets its row when it is first written to.
func (s *Service) prepare(ctx context.Context, in Place) error {
	if in.Repository.Kind != model.GroupWikiRepository {
		return nil
	}
	return s.store.OtherRepositories.CreateGroupWiki(ctx, in.Repository.ID)
}

// recordActivity records the activity event of a change. Groups have no activity of their own.
func (s *Service) recordActivity(ctx context.Context, in Place, e edit, p Page) error {
	if in.project == nil {
		return nil
	}
	row := model.WikiPage{ProjectID: in.project.ID, Slug: p.Slug, Title: p.Title, Format: p.Format}
	if err := s.store.WikiPages.Put(ctx, e.slug, &row); err != nil {
		return err
	}
	event := events.On(reqctx.Of(ctx).Actor.User.ID, e.action, model.OnWikiPage, row.ID)
	return s.store.Events.Create(ctx, *in.project, &event)
}

// hookActions holds the names that webhooks give to actions.
var hookActions = map[string]string{
	model.EventCreated: "create", model.EventUpdated: "update", model.EventDestroyed: "delete",
}

// contentAfter returns the content that a page has after the changes. A page that is only renamed keeps its content.
func contentAfter(ctx context.Context, repo git.Repo, head string, changes []git.Change) (string, error) {
	for _, c := range changes {
		switch {
		case c.Action == git.ActionDelete:
		case c.Action == git.ActionMove && c.Content == nil:
			return Content(ctx, repo, head, Page{Path: c.Previous})
		default:
			return string(c.Content), nil
		}
	}
	return "", nil
}

// announceHooks announces a change. Wikis of groups have none.
func (s *Service) announceHooks(ctx context.Context, in Place, e edit, page payload.WikiPageInput) error {
	if in.project == nil {
		return nil
	}
	page.Project, page.Message, page.Action = *in.project, e.message, hookActions[e.action]
	return s.hooks.WikiPage(ctx, reqctx.Of(ctx).Actor.User.ID, page)
}

// Explain turns errors of the wiki into API errors.
func Explain(err error) error {
	switch {
	case errors.Is(err, ErrNotFound):
		return apierr.NotFound("Wiki Page")
	case errors.Is(err, ErrTaken):
		return apierr.Invalid("base", "Duplicate page: A page with that title already exists")
	case errors.Is(err, ErrBadTitle):
		return apierr.Invalid("title", "is invalid")
	}
	return commit.Explain(err)
}
