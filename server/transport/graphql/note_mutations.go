package graphql

import (
	"context"
	"regexp"
	"strings"

	"svc/server/domain/discussion/note"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/graphql/engine"
	"svc/store/git"
	"svc/store/model"
)

func (h *Handler) noteMutations() map[string]engine.Resolvers {
	return map[string]engine.Resolvers{"Mutation": {
		"createNote":              mutation(h.createNote),
		"createDiscussion":        mutation(h.createDiscussion),
		"createDiffNote":          mutation(h.createDiffNote),
		"updateNote":              mutation(h.updateNote),
		"destroyNote":             mutation(h.destroyNote),
		"discussionToggleResolve": mutation(h.toggleResolve),
	}}
}

// noteable returns the item that a global ID names, if the caller may comment on it.
func (h *Handler) noteable(ctx context.Context, in engine.Args) (note.Item, error) {
	text := in.Text("noteableId")
	for kind, classes := range map[string][]string{
		model.OnIssue: {"Issue", "WorkItem"}, model.OnMergeRequest: {"MergeRequest"}, model.OnSnippet: {"ProjectSnippet", "Snippet"},
	} {
		for _, class := range classes {
			if strings.HasPrefix(text, gidPrefix+class+"/") {
				id, err := readGID(text, class)
				if err != nil {
					return note.Item{}, err
				}
				return h.item(ctx, kind, id, access.CreateNote)
			}
		}
	}
	return note.Item{}, invalidID(text, "Noteable")
}

var threadForm = regexp.MustCompile(`\Agid://gitlab/\w*Discussion/([0-9a-f]{40})\z`)

// readThread reads the ID of a thread.
func readThread(text string) (string, error) {
	found := threadForm.FindStringSubmatch(text)
	if found == nil {
		return "", invalidID(text, "Discussion")
	}
	return found[1], nil
}

func (h *Handler) createNote(ctx context.Context, in engine.Args) (payload, error) {
	item, err := h.noteable(ctx, in)
	if err != nil {
		return nil, err
	}
	n := note.NewNote{Body: in.Text("body"), Internal: in.Bool("internal")}
	if thread := in.Text("discussionId"); thread != "" {
		if n.Thread, err = readThread(thread); err != nil {
			return nil, err
		}
	}
	if item.On.Type == model.OnSnippet {
		row, err := h.Notes.Create(ctx, item, n)
		return h.notePayload(ctx, row, item, err)
	}
	row, done, err := h.Notes.CreateOrRun(ctx, item, n)
	if err != nil {
		return nil, err
	}
	out := payload{}
	if row.Note.ID != 0 {
		if out, err = h.notePayload(ctx, row, item, nil); err != nil {
			return nil, err
		}
	}
	if done != nil {
		out["quickActionsStatus"] = payload{"messages": done.Summary, "commandsOnly": row.Note.ID == 0}
	}
	return out, nil
}

// notePayload returns a new note with everything about its author.
func (h *Handler) notePayload(ctx context.Context, row model.NoteRow, item note.Item, err error) (payload, error) {
	if err == nil {
		row.Author, err = h.Store.Users.Get(ctx, row.Note.AuthorID)
	}
	return payload{"note": noteNode{row: row, item: item}}, err
}

func (h *Handler) createDiscussion(ctx context.Context, in engine.Args) (payload, error) {
	item, err := h.noteable(ctx, in)
	if err != nil {
		return nil, err
	}
	row, err := h.Notes.Create(ctx, item, note.NewNote{Body: in.Text("body"), Opens: true})
	return h.notePayload(ctx, row, item, err)
}

func (h *Handler) createDiffNote(ctx context.Context, in engine.Args) (payload, error) {
	item, err := h.noteable(ctx, in)
	if err != nil {
		return nil, err
	}
	if item.On.Type != model.OnMergeRequest {
		return nil, invalidID(in.Text("noteableId"), "MergeRequest")
	}
	position, err := readPosition(in.Input("position"))
	if err != nil {
		return nil, err
	}
	row, err := h.Notes.Create(ctx, item, note.NewNote{Body: in.Text("body"), Opens: true, Position: position})
	return h.notePayload(ctx, row, item, err)
}

// readPosition reads the place of a note in a diff.
func readPosition(in engine.Args) (*string, error) {
	p := note.Position{
		BaseSHA: in.Text("baseSha"), HeadSHA: in.Text("headSha"), StartSHA: in.Text("startSha"), Type: note.TextPosition,
	}
	paths := in.Input("paths")
	for name, to := range map[string]*string{"oldPath": &p.OldPath, "newPath": &p.NewPath} {
		given := paths.Text(name)
		if given == "" {
			continue
		}
		clean, ok := git.CleanPath(given)
		if !ok || clean == "" {
			return nil, apierr.BadParameter("Position " + name + " is invalid")
		}
		*to = clean
	}
	switch {
	case p.OldPath == "" && p.NewPath == "":
		return nil, apierr.BadParameter("Position paths are missing")
	case p.OldPath == "":
		p.OldPath = p.NewPath
	case p.NewPath == "":
		p.NewPath = p.OldPath
	}
	for name, to := range map[string]**int64{"oldLine": &p.OldLine, "newLine": &p.NewLine} {
		if line, ok := in.Int(name); ok {
			number := int64(line)
			*to = &number
		}
	}
	if p.OldLine == nil && p.NewLine == nil {
		return nil, apierr.BadParameter("Position lines are missing")
	}
	return p.Encode()
}

func (h *Handler) updateNote(ctx context.Context, in engine.Args) (payload, error) {
	n, err := h.findNote(ctx, in.Text("id"), access.AdminNote)
	if err != nil {
		return nil, err
	}
	row, err := h.Notes.Rewrite(ctx, n.item, n.row, in.Text("body"))
	return payload{"note": noteNode{row: row, item: n.item}}, err
}

func (h *Handler) destroyNote(ctx context.Context, in engine.Args) (payload, error) {
	n, err := h.findNote(ctx, in.Text("id"), access.AdminNote)
	if err != nil {
		return nil, err
	}
	return nil, h.Notes.Remove(ctx, n.item, n.row, nil)
}

func (h *Handler) toggleResolve(ctx context.Context, in engine.Args) (payload, error) {
	id, err := readThread(in.Text("id"))
	if err != nil {
		return nil, err
	}
	first, err := h.Store.Notes.FirstOfThread(ctx, id)
	if err != nil {
		return nil, err
	}
	item, err := h.itemOf(ctx, first, access.ResolveNote)
	if err != nil {
		return nil, err
	}
	if err := h.Notes.ResolveThread(ctx, item, id, in.Bool("resolve")); err != nil {
		return nil, err
	}
	thread, err := h.Notes.Thread(ctx, item, id)
	return payload{"discussion": threadNode{thread, item}}, err
}
