package present

import (
	"crypto/sha1" //nolint:gosec // an ID that clients know, not a secret
	"encoding/hex"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// DraftNote presents a draft note.
func DraftNote(d model.DraftNote) gen.DraftNote {
	shown := gen.DraftNote{
		ID: d.ID, AuthorID: d.AuthorID, MergeRequestID: d.MergeRequestID, ResolveDiscussion: d.ResolveDiscussion,
		DiscussionID: d.DiscussionID, Note: d.Note, CommitID: d.CommitID, Position: position(d.Position),
	}
	if at := shown.Position; at != nil && at.PositionType == gen.NotePositionTypeText {
		shown.LineCode = lineCode(*at)
	}
	return shown
}

// lineCode returns the ID of a line in a diff: the hash of the path, and the numbers of the line before and after the
// change.
func lineCode(at gen.NotePosition) *string {
	sum := sha1.Sum([]byte(wire.Value(at.NewPath))) //nolint:gosec // an ID that clients know, not a secret
	number := func(line *int64) string { return strconv.FormatInt(wire.Value(line), 10) }
	code := hex.EncodeToString(sum[:]) + "_" + number(at.OldLine) + "_" + number(at.NewLine)
	return &code
}
