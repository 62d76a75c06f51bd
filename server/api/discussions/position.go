package discussions

import (
	"encoding/json"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/store/git"
)

// encodePosition validates a position in a diff and encodes it for the database.
func encodePosition(p gen.NotePositionCreate) (string, error) {
	at := gen.NotePosition{
		BaseSha: &p.BaseSha, StartSha: &p.StartSha, HeadSha: &p.HeadSha, PositionType: p.PositionType,
		OldLine: p.OldLine, NewLine: p.NewLine,
	}
	for _, path := range []struct {
		name  string
		given *string
		to    **string
	}{{"old_path", p.OldPath, &at.OldPath}, {"new_path", p.NewPath, &at.NewPath}} {
		if path.given == nil {
			continue
		}
		clean, ok := git.CleanPath(*path.given)
		if !ok || clean == "" {
			return "", apierr.BadParameter("position[" + path.name + "] is invalid")
		}
		*path.to = &clean
	}
	if at.OldPath == nil && at.NewPath == nil {
		return "", apierr.BadParameter("position[old_path], position[new_path] are missing, at least one parameter must be provided")
	}
	if at.OldPath == nil {
		at.OldPath = at.NewPath
	}
	if at.NewPath == nil {
		at.NewPath = at.OldPath
	}
	switch p.PositionType {
	case gen.NotePositionTypeText:
		if p.OldLine == nil && p.NewLine == nil {
			return "", apierr.BadParameter("position[old_line], position[new_line] are missing, at least one parameter must be provided")
		}
		at.LineRange = wire.Maybe(p.LineRange)
	case gen.NotePositionTypeImage:
		if p.Width == nil || p.Height == nil || p.X == nil || p.Y == nil {
			return "", apierr.BadParameter("position[width], position[height], position[x], position[y] provide all or none of parameters")
		}
		at.OldLine, at.NewLine = nil, nil
		at.Width, at.Height, at.X, at.Y = wire.Some(*p.Width), wire.Some(*p.Height), wire.Some(*p.X), wire.Some(*p.Y)
	case gen.NotePositionTypeFile:
		at.OldLine, at.NewLine = nil, nil
	}
	text, err := json.Marshal(at)
	return string(text), err
}
