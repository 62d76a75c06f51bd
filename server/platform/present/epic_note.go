package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// EpicNotePresenter presents the notes on one epic.
type EpicNotePresenter struct {
	Presenter
	On model.Epic
}

// Note presents a note; its author must be loaded.
func (p EpicNotePresenter) Note(r model.EpicNoteRow) gen.EpicNote {
	n := r.Note
	return gen.EpicNote{
		ID: n.ID, Type: (*gen.NoteType)(n.NoteType), Body: n.Body, Author: p.UserBasic(r.Author),
		CreatedAt: wire.NewTime(n.CreatedAt), UpdatedAt: wire.NewTime(n.UpdatedAt), System: n.System, NoteableID: n.EpicID,
		NoteableType: model.OnEpic, Confidential: n.Internal, Internal: n.Internal, ImportedFrom: "none",
		NoteableIid: p.On.IID, CommandsChanges: map[string]any{},
	}
}

// Thread presents a thread.
func (p EpicNotePresenter) Thread(t model.EpicThread) gen.EpicDiscussion {
	return gen.EpicDiscussion{
		ID: t.ID, IndividualNote: len(t.Notes) == 1 && t.Notes[0].Note.NoteType == nil, Notes: All(t.Notes, p.Note),
	}
}

// EpicLabelEvent presents a change of a label of an epic.
func (p Presenter) EpicLabelEvent(r model.ResourceEventRow) gen.EpicLabelEvent {
	shown := gen.EpicLabelEvent{
		ID: r.Event.ID, User: p.person(r.User), CreatedAt: wire.NewTime(r.Event.CreatedAt), ResourceType: model.OnEpic,
		ResourceID: *r.Event.EpicID, Action: gen.ResourceEventAction(r.Event.Action),
	}
	if r.Label != nil {
		shown.Label = ptr(LabelBasic(*r.Label))
	}
	return shown
}

// EpicStateEvent presents a change of the state of an epic.
func (p Presenter) EpicStateEvent(r model.ResourceEventRow) gen.EpicStateEventRow {
	return gen.EpicStateEventRow{
		ID: r.Event.ID, User: p.person(r.User), CreatedAt: wire.NewTime(r.Event.CreatedAt), ResourceType: model.OnEpic,
		ResourceID: *r.Event.EpicID, State: gen.EpicStateEventRowState(r.Event.Action),
	}
}

// EpicAwardEmoji presents an emoji reaction to an epic.
func (p Presenter) EpicAwardEmoji(r model.AwardRow) gen.EpicAwardEmoji {
	return gen.EpicAwardEmoji{
		ID: r.Award.ID, Name: r.Award.Name, User: p.UserBasic(r.User), CreatedAt: wire.NewTime(r.Award.CreatedAt),
		UpdatedAt: wire.NewTime(r.Award.UpdatedAt), AwardableID: r.Award.AwardableID, AwardableType: model.OnEpic,
	}
}
