package todos

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// ListTodos lists the caller's to-do items.
// GET /todos
func (t *Todos) ListTodos(ctx context.Context, req gen.ListTodosRequestObject) (gen.ListTodosResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadTodo); err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, t.pages, "Todo", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	f := store.TodoFilter{State: model.TodoPending, AuthorID: q.AuthorID, ProjectID: q.ProjectID, GroupID: q.GroupID}
	if q.State != nil {
		f.State = string(*q.State)
	}
	if q.Action != nil {
		f.Action = string(*q.Action)
	}
	if q.Type != nil {
		f.Type = string(*q.Type)
	}
	rows, total, err := t.store.Todos.List(ctx, f, *access.Reader(ctx), window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListTodos200JSONResponse{
		Body: present.All(rows, t.presenter(ctx).Todo), Headers: gen.ListTodos200ResponseHeaders(window.Headers(total)),
	}, nil
}

// presenter returns the presenter of to-do items at this time.
func (t *Todos) presenter(ctx context.Context) present.IssuePresenter {
	return present.IssuePresenter{Presenter: t.show, Now: clock.Now(ctx)}
}
