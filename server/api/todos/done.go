package todos

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
)

// MarkAllTodosAsDone marks all to-do items of the caller as done.
// POST /todos/mark_as_done
func (t *Todos) MarkAllTodosAsDone(
	ctx context.Context, _ gen.MarkAllTodosAsDoneRequestObject,
) (gen.MarkAllTodosAsDoneResponseObject, error) {
	actor, err := access.Allow(ctx, access.UpdateTodo)
	if err != nil {
		return nil, err
	}
	if err := t.store.Todos.Done(ctx, actor.User.ID, 0); err != nil {
		return nil, err
	}
	return gen.MarkAllTodosAsDone204Response{}, nil
}

// MarkTodoAsDone marks a to-do item of the caller as done.
// POST /todos/{id}/mark_as_done
func (t *Todos) MarkTodoAsDone(
	ctx context.Context, req gen.MarkTodoAsDoneRequestObject,
) (gen.MarkTodoAsDoneResponseObject, error) {
	actor, err := access.Allow(ctx, access.UpdateTodo)
	if err != nil {
		return nil, err
	}
	if req.ID <= 0 {
		return nil, apierr.RecordNotFound()
	}
	if err := t.store.Todos.Done(ctx, actor.User.ID, req.ID); err != nil {
		return nil, err
	}
	row, err := t.store.Todos.Get(ctx, req.ID, *access.Reader(ctx))
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.MarkTodoAsDone200JSONResponse(t.presenter(ctx).Todo(row)), nil
}
