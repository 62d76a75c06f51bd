package todos

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
)

// MarkAsDoneTodos marks all to-do items of the caller as done.
// POST /todos/mark_as_done
func (t *Todos) MarkAsDoneTodos(
	ctx context.Context, _ gen.MarkAsDoneTodosRequestObject,
) (gen.MarkAsDoneTodosResponseObject, error) {
	actor, err := access.Allow(ctx, access.UpdateTodo)
	if err != nil {
		return nil, err
	}
	if err := t.store.Todos.Done(ctx, actor.User.ID, 0); err != nil {
		return nil, err
	}
	return gen.MarkAsDoneTodos204Response{}, nil
}

// MarkAsDoneTodo marks a to-do item of the caller as done.
// POST /todos/{id}/mark_as_done
func (t *Todos) MarkAsDoneTodo(
	ctx context.Context, req gen.MarkAsDoneTodoRequestObject,
) (gen.MarkAsDoneTodoResponseObject, error) {
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
	if store.IsNotFound(err) {
		err = apierr.RecordNotFound()
	}
	if err != nil {
		return nil, err
	}
	return gen.MarkAsDoneTodo200JSONResponse(t.presenter().Todo(row)), nil
}
