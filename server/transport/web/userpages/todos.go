package userpages

import (
	"strconv"

	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// todoLine is a to-do item as a sentence with a link.
type todoLine struct {
	model.TodoRow
	What  string // what happened
	Title string // of the issue or merge request
	Link  string
	Ref   string // such as group/project#1
	Done  bool
}

// todoTexts say what happened, after the name of the author.
var todoTexts = map[string]string{
	model.TodoAssigned:        "assigned you",
	model.TodoMentioned:       "mentioned you in",
	model.TodoAddressed:       "wrote to you in",
	model.TodoMarked:          "added a to-do for",
	model.TodoReviewRequested: "requested your review of",
	model.TodoBuildFailed:     "The pipeline failed for",
	model.TodoUnmergeable:     "Conflicts keep from being merged:",
}

// todoLines describes to-do items.
func todoLines(rows []model.TodoRow) []todoLine {
	lines := make([]todoLine, 0, len(rows))
	for _, row := range rows {
		line := todoLine{TodoRow: row, What: todoTexts[row.Todo.ActionName], Done: row.Todo.State == model.TodoDone}
		if line.What == "" {
			line.What = row.Todo.ActionName
		}
		switch {
		case row.Issue != nil:
			iid := strconv.FormatInt(row.Issue.Issue.IID, 10)
			line.Title, line.Ref = row.Issue.Issue.Title, row.Issue.ProjectPath+"#"+iid
			line.Link = "/" + row.Issue.ProjectPath + "/-/issues/" + iid
		case row.Request != nil && row.Project != nil:
			iid := strconv.FormatInt(row.Request.IID, 10)
			line.Title, line.Ref = row.Request.Title, row.Project.FullPath+"!"+iid
			line.Link = "/" + row.Project.FullPath + "/-/merge_requests/" + iid
		default:
			continue // its target was deleted meanwhile
		}
		if row.Todo.NoteID != nil {
			line.Link += "#note_" + strconv.FormatInt(*row.Todo.NoteID, 10)
		}
		lines = append(lines, line)
	}
	return lines
}

// ByAuthor reports whether the sentence begins with the author.
func (l todoLine) ByAuthor() bool {
	return l.Author != nil && l.Todo.ActionName != model.TodoBuildFailed && l.Todo.ActionName != model.TodoUnmergeable
}

// todosView is the content of the page with to-do items.
type todosView struct {
	States []page.Link
	State  string
	Todos  []todoLine
	Pager  page.Pager
}

// todos lists the to-do items of the current user.
// GET /-/todos
func (p *Pages) todos(v *page.Visit) error {
	ctx, at := v.Request().Context(), v.Pager("state")
	view := todosView{State: model.TodoPending}
	if v.QueryParam("state") == model.TodoDone {
		view.State = model.TodoDone
	}
	view.States = []page.Link{
		{Path: todosPath, Label: "To do", Here: view.State == model.TodoPending},
		{Path: todosPath + "?state=done", Label: "Done", Here: view.State == model.TodoDone},
	}
	rows, total, err := p.Store.Todos.List(ctx, store.TodoFilter{State: view.State}, *access.Reader(ctx), at.Page)
	if err != nil {
		return err
	}
	view.Todos, view.Pager = todoLines(rows), at.Of(total.More)
	return v.Show(page.View{Templates: p.templates, Name: "todos", Title: "To-dos", Data: view})
}

// finishTodo marks one to-do item as done.
// POST /-/todos/{id}/done
func (p *Pages) finishTodo(v *page.Visit) error {
	id, err := v.Number("id")
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	if _, err := p.Store.Todos.Get(ctx, id, *access.Reader(ctx)); err != nil {
		return err
	}
	if err := p.Store.Todos.Done(ctx, v.Actor.User.ID, id); err != nil {
		return err
	}
	return v.Done(todosPath, "The to-do is done.")
}

// finishTodos marks all to-do items as done.
// POST /-/todos/done
func (p *Pages) finishTodos(v *page.Visit) error {
	if err := p.Store.Todos.Done(v.Request().Context(), v.Actor.User.ID, 0); err != nil {
		return err
	}
	return v.Done(todosPath, "All to-dos are done.")
}
