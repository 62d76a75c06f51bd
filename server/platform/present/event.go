package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// actionNames maps actions to the API's names for them; other actions keep their name.
var actionNames = map[string]string{
	model.EventCommented: "commented on",
	model.EventMerged:    "accepted",
	model.EventExpired:   "removed due to membership expiration from",
}

// pushNames maps pushes to the API's names for them.
var pushNames = map[string]string{"created": "pushed new", "removed": "deleted", "pushed": "pushed to"}

func actionName(e model.Event) string {
	switch {
	case e.Action == model.EventPushed && e.PushAction != nil:
		return pushNames[*e.PushAction]
	case e.TargetType != nil && *e.TargetType == model.OnWikiPage:
		return e.Action
	case e.Action == model.EventReopened, e.Action == model.EventUpdated,
		e.Action == model.EventCreated && e.TargetType != nil && *e.TargetType != "Project":
		return "opened"
	}
	if name, ok := actionNames[e.Action]; ok {
		return name
	}
	return e.Action
}

// Event presents an activity event of a user.
func (p Presenter) Event(r model.EventRow) gen.Event {
	e := r.Event
	shown := gen.Event{
		ID: e.ID, ProjectID: e.ProjectID, ActionName: actionName(e), TargetID: e.TargetID, TargetIid: r.IID,
		TargetType: e.TargetType, AuthorID: e.AuthorID,
		TargetTitle: r.Title, CreatedAt: wire.NewTime(e.CreatedAt), Author: p.UserBasic(r.Author),
		AuthorUsername: r.Author.Username, ImportedFrom: gen.EventImportedFromNone,
	}
	if r.Note != nil {
		if r.Note.NoteType != nil {
			shown.TargetType = r.Note.NoteType
		}
		shown.Note = p.eventNote(r)
	}
	if e.Action == model.EventPushed {
		shown.PushData = pushData(e)
	}
	if w := r.WikiPage; w != nil {
		shown.WikiPage = &gen.EventWikiPage{Format: gen.WikiFormat(w.Format), Slug: w.Slug, Title: w.Title, WikiPageMetaID: w.ID}
	}
	return shown
}

func (p Presenter) eventNote(r model.EventRow) *gen.EventNote {
	n := r.Note
	return &gen.EventNote{
		ID: n.ID, Type: n.NoteType, Body: n.Body, Author: p.UserBasic(r.NoteAuthor),
		CreatedAt: wire.NewTime(n.CreatedAt), UpdatedAt: wire.NewTime(n.UpdatedAt),
		System: n.System, NoteableID: n.NoteableID, NoteableType: n.NoteableType, CommitID: n.CommitID,
		ProjectID: n.ProjectID, Resolvable: n.Resolvable,
		Confidential: n.Internal, Internal: n.Internal, NoteableIid: r.NoteableIID,
	}
}

func pushData(e model.Event) *gen.PushData {
	data := &gen.PushData{
		Action: gen.PushDataActionPushed, RefType: gen.PushDataRefTypeBranch, CommitFrom: e.CommitFrom,
		CommitTo: e.CommitTo, Ref: e.Ref, CommitTitle: e.CommitTitle,
		RefCount: e.RefCount,
	}
	if e.CommitCount != nil {
		data.CommitCount = *e.CommitCount
	}
	if e.PushAction != nil {
		data.Action = gen.PushDataAction(*e.PushAction)
	}
	if e.RefType != nil {
		data.RefType = gen.PushDataRefType(*e.RefType)
	}
	return data
}
