package present

import (
	"encoding/json"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// NotePresenter presents the notes of one issue, merge request or commit.
type NotePresenter struct {
	Presenter
	On model.Noteable
	// Appliable reports whether a suggestion can be applied now. If it is nil, none can.
	Appliable func(model.Suggestion) bool
}

// Note presents a note; its users must be loaded.
func (p NotePresenter) Note(r model.NoteRow) gen.Note {
	n := r.Note
	shown := gen.Note{
		ID: n.ID, Type: (*gen.NoteType)(n.NoteType), Body: n.Body, Author: p.UserBasic(r.Author),
		CreatedAt: wire.NewTime(n.CreatedAt), UpdatedAt: wire.NewTime(n.UpdatedAt),
		System: n.System, NoteableID: n.NoteableID, NoteableType: gen.NoteableType(n.NoteableType),
		ProjectID: n.ProjectID, Resolvable: n.Resolvable, Confidential: n.Internal,
		Internal: n.Internal, ImportedFrom: "none", CommandsChanges: map[string]any{},
	}
	if p.On.IID != 0 {
		shown.NoteableIid = &p.On.IID
	}
	if n.CommitID != nil || n.Position != nil {
		shown.CommitID = wire.Maybe(n.CommitID)
	}
	if at := position(n.Position); at != nil {
		shown.Position = wire.Some(*at)
	}
	if n.IsOnDiff() {
		suggestions := All(r.Suggestions, p.Suggestion)
		shown.Suggestions = &suggestions
	}
	if n.Resolvable {
		resolved := n.ResolvedAt != nil
		shown.Resolved, shown.ResolvedAt = &resolved, wire.Maybe(wire.TimePtr(n.ResolvedAt))
		shown.ResolvedBy = wire.Null[gen.UserBasic]()
		if r.ResolvedBy != nil {
			shown.ResolvedBy = wire.Some(p.UserBasic(*r.ResolvedBy))
		}
	}
	return shown
}

// Suggestion presents a suggestion of a note.
func (p NotePresenter) Suggestion(s model.Suggestion) gen.Suggestion {
	may := p.Appliable != nil && p.Appliable(s)
	return gen.Suggestion{
		ID: s.ID, FromLine: s.FromLine, ToLine: s.ToLine, Appliable: may, Applicable: may, Applied: s.Applied,
		FromContent: s.FromContent, ToContent: s.ToContent,
	}
}

// Thread presents a thread.
func (p NotePresenter) Thread(t model.Thread) gen.NoteDiscussion {
	return gen.NoteDiscussion{ID: t.ID, IndividualNote: len(t.Notes) == 1 && t.Notes[0].Note.NoteType == nil, Notes: All(t.Notes, p.Note)}
}

// position reads the stored position in a diff; nil if the note has none.
func position(kept *string) *gen.NotePosition {
	var at gen.NotePosition
	if kept == nil || json.Unmarshal([]byte(*kept), &at) != nil {
		return nil
	}
	return &at
}

// CommitComment presents a note on a commit in the short form of the API; its Author must be loaded.
func (p Presenter) CommitComment(r model.NoteRow) gen.CommitComment {
	shown := gen.CommitComment{Note: r.Note.Body, Author: p.UserBasic(r.Author), CreatedAt: wire.NewTime(r.Note.CreatedAt)}
	if at := position(r.Note.Position); at != nil {
		after, before := gen.CommitLineTypeNew, gen.CommitLineTypeOld
		shown.Path, shown.Line, shown.LineType = at.NewPath, at.NewLine, &after
		if at.NewLine == nil {
			shown.Path, shown.Line, shown.LineType = at.OldPath, at.OldLine, &before
		}
		if at.OldLine == nil && at.NewLine == nil {
			shown.LineType = nil
		}
	}
	return shown
}

// AwardEmoji presents an emoji reaction with its user.
func (p Presenter) AwardEmoji(r model.AwardRow) gen.AwardEmoji {
	return gen.AwardEmoji{
		ID: r.Award.ID, Name: r.Award.Name, User: p.UserBasic(r.User), CreatedAt: wire.NewTime(r.Award.CreatedAt),
		UpdatedAt:   wire.NewTime(r.Award.UpdatedAt),
		AwardableID: r.Award.AwardableID, AwardableType: gen.AwardEmojiAwardableType(r.Award.AwardableType),
	}
}
