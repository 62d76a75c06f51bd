package graphql

import (
	"context"
	"html/template"
	"net/url"
	"strconv"
	"strings"

	"svc/server/domain/discussion/note"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/markdown"
	"svc/server/platform/naming"
	"svc/server/transport/graphql/engine"
	"svc/store"
	"svc/store/model"
)

// threadNode is a thread with the item that it is about.
type threadNode struct {
	thread model.Thread
	item   note.Item
}

// noteNode is a note with the item that it is about. thread is nil until it is needed.
type noteNode struct {
	row    model.NoteRow
	item   note.Item
	thread *model.Thread
}

func (n noteNode) project() model.ProjectRow { return n.item.Row }

func (h *Handler) discussionTypes() map[string]engine.Resolvers {
	return map[string]engine.Resolvers{
		"Query":      {"note": engine.One(h.noteByID)},
		"Discussion": h.threadFields(),
		"Note":       h.noteFields(),
		"DiffPosition": {
			"diffRefs":     engine.Value(func(p note.Position) any { return diffRefs{p.BaseSHA, p.HeadSHA, p.StartSHA} }),
			"positionType": engine.Value(func(p note.Position) any { return p.Type }),
			"oldPath":      engine.Value(func(p note.Position) any { return orNull(&p.OldPath) }),
			"newPath":      engine.Value(func(p note.Position) any { return orNull(&p.NewPath) }),
			"oldLine":      engine.Value(func(p note.Position) any { return p.OldLine }),
			"newLine":      engine.Value(func(p note.Position) any { return p.NewLine }),
			"filePath": engine.Value(func(p note.Position) any {
				if p.NewPath != "" {
					return p.NewPath
				}
				return p.OldPath
			}),
		},
		"NotePermissions": {
			"readNote": engine.Value(func(noteNode) any { return true }),
			"createNote": engine.Seen(func(ctx context.Context, n noteNode) any {
				return n.item.Caller != 0 && access.InProject(ctx, n.item.Row, access.CreateNote) == nil && n.item.CheckMayComment() == nil
			}),
			"adminNote": engine.Seen(func(ctx context.Context, n noteNode) any {
				return n.item.Caller != 0 && access.InProject(ctx, n.item.Row, access.AdminNote) == nil &&
					n.item.CheckMayChange(n.row.Note) == nil
			}),
			"resolveNote": engine.Seen(func(ctx context.Context, n noteNode) any {
				return n.item.Caller != 0 && n.row.Note.Resolvable && access.InProject(ctx, n.item.Row, access.ResolveNote) == nil &&
					n.item.CheckMayResolve() == nil
			}),
		},
		"QuickActionsStatus": {
			"messages":     engine.Value(func(p payload) any { return p["messages"] }),
			"commandsOnly": engine.Value(func(p payload) any { return p["commandsOnly"] }),
		},
	}
}

// threadID returns the global ID of a thread.
func threadID(t model.Thread) string { return gidPrefix + "Discussion/" + t.ID }

// resolution is the note that says whether a thread is resolved: it is if all its notes are.
func resolution(t model.Thread) (resolvable, resolved bool, last *model.NoteRow) {
	resolved = true
	for i := range t.Notes {
		n := &t.Notes[i]
		if !n.Note.Resolvable {
			continue
		}
		resolvable = true
		if n.Note.ResolvedAt == nil {
			resolved = false
		} else {
			last = n
		}
	}
	if !resolvable || !resolved {
		return resolvable, false, nil
	}
	return true, true, last
}

func (h *Handler) threadFields() engine.Resolvers {
	return engine.Resolvers{
		"id":        engine.Value(func(t threadNode) any { return threadID(t.thread) }),
		"replyId":   engine.Value(func(t threadNode) any { return threadID(t.thread) }),
		"createdAt": engine.Value(func(t threadNode) any { return t.thread.Notes[0].Note.CreatedAt }),
		"resolvable": engine.Value(func(t threadNode) any {
			is, _, _ := resolution(t.thread)
			return is
		}),
		"resolved": engine.Value(func(t threadNode) any {
			_, is, _ := resolution(t.thread)
			return is
		}),
		"resolvedAt": engine.Value(func(t threadNode) any {
			if _, _, last := resolution(t.thread); last != nil {
				return last.Note.ResolvedAt
			}
			return nil
		}),
		"resolvedBy": engine.Value(func(t threadNode) any {
			if _, _, last := resolution(t.thread); last != nil {
				return person(last.ResolvedBy)
			}
			return nil
		}),
		"notes": sliceOf(func(t threadNode) []any {
			out := []any{}
			for _, row := range t.thread.Notes {
				out = append(out, noteNode{row, t.item, &t.thread})
			}
			return out
		}),
	}
}

func ofNote(read func(model.Note) any) engine.Resolver {
	return engine.Value(func(n noteNode) any { return read(n.row.Note) })
}

func (h *Handler) noteFields() engine.Resolvers {
	return engine.Resolvers{
		"id":         ofNote(func(n model.Note) any { return noteID(n) }),
		"body":       ofNote(func(n model.Note) any { return n.Body }),
		"system":     ofNote(func(n model.Note) any { return n.System }),
		"internal":   ofNote(func(n model.Note) any { return n.Internal }),
		"createdAt":  ofNote(func(n model.Note) any { return n.CreatedAt }),
		"updatedAt":  ofNote(func(n model.Note) any { return n.UpdatedAt }),
		"resolvable": ofNote(func(n model.Note) any { return n.Resolvable }),
		"resolved":   ofNote(func(n model.Note) any { return n.ResolvedAt != nil }),
		"resolvedAt": ofNote(func(n model.Note) any { return n.ResolvedAt }),
		"resolvedBy": engine.Value(func(n noteNode) any { return person(n.row.ResolvedBy) }),
		"author":     engine.Value(func(n noteNode) any { return n.row.Author }),
		"bodyHtml":   engine.Value(func(n noteNode) any { return h.html(n.row.Note.Body, n.item.Row.Project) }),
		"url":        engine.Value(func(n noteNode) any { return h.noteURL(n) }),
		"position": ofNote(func(n model.Note) any {
			if p, ok := note.PositionOf(n.Position); ok {
				return p
			}
			return nil
		}),
		"discussion":      engine.Batch(h.threadsOfNotes),
		"userPermissions": engine.Value(func(n noteNode) any { return n }),
	}
}

// noteID returns the global ID of a note; its class depends on the type of the note.
func noteID(n model.Note) string {
	if n.NoteType != nil {
		return gid(*n.NoteType, n.ID)
	}
	return gid("Note", n.ID)
}

var noteClasses = []string{"Note", model.DiffNote, model.DiscussionNote}

func (h *Handler) noteURL(n noteNode) any {
	path, at := n.item.Row.Project.FullPath, "#note_"+strconv.FormatInt(n.row.Note.ID, 10)
	switch n.item.On.Type {
	case model.OnIssue:
		return naming.IssueURL(h.Base, path, n.item.On.IID) + at
	case model.OnMergeRequest:
		return naming.MergeRequestURL(h.Base, path, n.item.On.IID) + at
	case model.OnSnippet:
		return h.Base + "/" + path + "/-/snippets/" + strconv.FormatInt(n.item.On.ID, 10) + at
	}
	return h.Base + "/" + path + "/-/commit/" + n.item.On.CommitID + at
}

// html renders a text of a project.
func (h *Handler) html(text string, p model.Project) any {
	root, err := url.Parse(h.Base + "/" + p.FullPath + "/-/blob/" + url.PathEscape(p.DefaultBranch) + "/")
	if err != nil {
		return err
	}
	absolute := func(address string) string {
		u, err := url.Parse(address)
		switch {
		case err != nil || u.IsAbs() || u.Host != "" || strings.HasPrefix(address, "#"):
			return address
		case strings.HasPrefix(address, "/"):
			return h.Base + address
		}
		return root.ResolveReference(u).String()
	}
	rendered, err := markdown.Render([]byte(text), markdown.Options{Link: absolute, Image: absolute})
	if err != nil {
		return err
	}
	shown := string(markdown.Embed(rendered.HTML, p.FullPath))
	return strings.ReplaceAll(shown, `<a href="/`, `<a href="`+template.HTMLEscapeString(h.Base)+`/`)
}

// threadsOfNotes returns the threads of notes. Notes that were read with their thread need no statement.
func (h *Handler) threadsOfNotes(ctx context.Context, call engine.Call, all []noteNode) ([]any, error) {
	values := make([]any, len(all))
	reads := 0
	for i, n := range all {
		if n.thread != nil {
			values[i] = threadNode{*n.thread, n.item}
			continue
		}
		if reads++; reads > 1 {
			return nil, call.TooMany(1)
		}
		thread, err := h.Notes.Thread(ctx, n.item, n.row.Note.DiscussionID)
		if err != nil {
			return nil, err
		}
		values[i] = threadNode{thread, n.item}
	}
	return values, nil
}

func (h *Handler) discussionsOfIssue(ctx context.Context, call engine.Call, n issueNode) (any, error) {
	return h.discussionsOf(ctx, call.Args, n.in, model.OnIssue, n.row.Issue.IID)
}

func (h *Handler) discussionsOfMergeRequest(ctx context.Context, call engine.Call, n mergeRequestNode) (any, error) {
	return h.discussionsOf(ctx, call.Args, n.in, model.OnMergeRequest, n.row.MergeRequest.IID)
}

func (h *Handler) discussionsOf(ctx context.Context, args engine.Args, in model.ProjectRow, kind string, iid int64) (any, error) {
	item, err := h.readable(ctx, in, kind, iid)
	if err != nil {
		return nil, err
	}
	return page(args, func(p store.Page) ([]threadNode, store.Total, error) {
		rows, total, err := h.Store.Notes.Threads(ctx, item.Filter(), p)
		out := make([]threadNode, len(rows))
		for i, r := range rows {
			out[i] = threadNode{r, item}
		}
		return out, total, err
	})
}

// readable returns an item whose notes the caller may read.
func (h *Handler) readable(ctx context.Context, in model.ProjectRow, kind string, iid int64) (note.Item, error) {
	if err := access.InProject(ctx, in, access.ReadNote); err != nil {
		return note.Item{}, err
	}
	return h.Notes.In(ctx, in, kind, iid)
}

func (h *Handler) notesOfIssue(ctx context.Context, call engine.Call, n issueNode) (any, error) {
	return h.notesOf(ctx, call.Args, n.in, model.OnIssue, n.row.Issue.IID)
}

func (h *Handler) notesOfMergeRequest(ctx context.Context, call engine.Call, n mergeRequestNode) (any, error) {
	return h.notesOf(ctx, call.Args, n.in, model.OnMergeRequest, n.row.MergeRequest.IID)
}

func (h *Handler) notesOf(ctx context.Context, args engine.Args, in model.ProjectRow, kind string, iid int64) (any, error) {
	item, err := h.readable(ctx, in, kind, iid)
	if err != nil {
		return nil, err
	}
	f := item.Filter()
	f.Asc = true
	return page(args, func(p store.Page) ([]noteNode, store.Total, error) {
		rows, total, err := h.Store.Notes.List(ctx, f, p)
		out := make([]noteNode, len(rows))
		for i, r := range rows {
			out[i] = noteNode{row: r, item: item}
		}
		return out, total, err
	})
}

// item returns an issue, a merge request or a snippet of a project, in which the caller has the ability.
func (h *Handler) item(ctx context.Context, kind string, id int64, ability access.Ability) (note.Item, error) {
	on, err := h.Store.Noteables.Get(ctx, kind, id)
	if err != nil {
		return note.Item{}, err
	}
	row, err := h.Access.Project(ctx, strconv.FormatInt(on.ProjectID, 10), ability)
	if err != nil {
		return note.Item{}, err
	}
	iid := on.IID
	if kind == model.OnSnippet {
		iid = on.ID
	}
	return h.Notes.In(ctx, row, kind, iid)
}

// itemOf returns the item that a note is about.
func (h *Handler) itemOf(ctx context.Context, n model.Note, ability access.Ability) (note.Item, error) {
	switch {
	case n.NoteableType == model.OnCommit && n.CommitID != nil:
		return h.Notes.Commit(ctx, strconv.FormatInt(n.ProjectID, 10), *n.CommitID, access.CommentCode)
	case n.NoteableID == nil:
		return note.Item{}, apierr.RecordNotFound()
	}
	return h.item(ctx, n.NoteableType, *n.NoteableID, ability)
}

// findNote returns a note that the caller can see, if the caller has the ability.
func (h *Handler) findNote(ctx context.Context, text string, ability access.Ability) (noteNode, error) {
	id, err := readGID(text, noteClasses...)
	if err != nil {
		return noteNode{}, err
	}
	found, err := h.Store.Notes.Find(ctx, id)
	if err != nil {
		return noteNode{}, err
	}
	item, err := h.itemOf(ctx, found, ability)
	if err != nil {
		return noteNode{}, err
	}
	row, err := h.Notes.Note(ctx, item, id)
	return noteNode{row: row, item: item}, err
}

func (h *Handler) noteByID(ctx context.Context, call engine.Call, _ root) (any, error) {
	return h.findNote(ctx, call.Args.Text("id"), access.ReadNote)
}
