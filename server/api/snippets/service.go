// Package snippets manages snippets: small sets of files that belong to a user or to a project. Each has a git
// repository.
package snippets

import (
	"context"

	"svc/gen"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Snippets are the operations on snippets.
type Snippets struct {
	store        *store.Store
	access       *access.Access
	repositories *lifecycle.SideRepositories
	writer       *commit.Writer
	pages        pagination.MaxOffset
	show         present.Presenter
}

// New returns the snippet operations.
func New(
	st *store.Store, a *access.Access, sides *lifecycle.SideRepositories, w *commit.Writer, pages pagination.MaxOffset,
	show present.Presenter,
) *Snippets {
	return &Snippets{store: st, access: a, repositories: sides, writer: w, pages: pages, show: show}
}

// repositoryOf names the repository of a snippet.
func repositoryOf(row model.SnippetRow) lifecycle.Owner {
	return lifecycle.Owner{Kind: model.SnippetRepository, ID: row.Snippet.ID}
}

// shown returns the presenter of snippets for the caller.
func (s *Snippets) shown(ctx context.Context) func(model.SnippetRow) gen.Snippet {
	r := access.Reader(ctx)
	return s.show.Snippet(r != nil && r.Admin)
}

// query holds the pagination parameters of a list.
type query struct {
	paging *gen.Pagination
	number *int64
	size   *int64
}

// list returns one page of snippets and its headers.
func (s *Snippets) list(ctx context.Context, f store.SnippetFilter, q query) ([]gen.Snippet, pagination.Headers, error) {
	if err := pagination.NoKeyset(q.paging); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := s.pages.Offset(ctx, pagination.Kind{Name: "Snippet"}, q.number, q.size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := s.store.Snippets.List(ctx, f, access.Reader(ctx), window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	return present.All(rows, s.shown(ctx)), window.Headers(total), nil
}

// inProject returns a project snippet that the caller can see, if the caller has the ability in the project.
func (s *Snippets) inProject(
	ctx context.Context, ref string, id int64, ability access.Ability,
) (model.SnippetRow, *model.ProjectRow, error) {
	project, err := s.access.Project(ctx, ref, ability)
	if err != nil {
		return model.SnippetRow{}, nil, err
	}
	row, err := s.store.Snippets.Get(ctx, id)
	if err != nil {
		return model.SnippetRow{}, nil, err
	}
	if row.Snippet.ProjectID == nil || *row.Snippet.ProjectID != project.Project.ID ||
		!access.ReadsSnippet(row.Snippet, &project, access.Reader(ctx)) {
		return model.SnippetRow{}, nil, apierr.NotFound("Snippet")
	}
	return row, &project, nil
}

// mayChange returns an error unless the caller is the author of the snippet, a maintainer of its project, or an
// administrator.
func mayChange(ctx context.Context, row model.SnippetRow, in *model.ProjectRow) error {
	actor := reqctx.Of(ctx).Actor
	switch {
	case actor == nil:
		return apierr.Unauthorized()
	case actor.User.Admin, actor.User.ID == row.Snippet.AuthorID, in != nil && in.Role() >= model.Maintainer:
		return nil
	}
	return apierr.Forbidden()
}

// auditChange returns the audit event of a change of a snippet.
func auditChange(row model.SnippetRow, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Snippet(row),
		Target: events.Target{Type: "Snippet", ID: row.Snippet.ID, Details: row.Snippet.Title}, Message: message,
	}
}

// visibilities maps the visibilities of the API to those of the model.
var visibilities = map[gen.Visibility]model.Visibility{
	gen.Visibility(model.Private.String()): model.Private, gen.Visibility(model.Internal.String()): model.Internal,
	gen.Visibility(model.Public.String()): model.Public,
}
