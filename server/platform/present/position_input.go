package present

import (
	"encoding/json"
	"errors"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/git"
)

// EncodePosition validates a position in a diff and encodes it for the database. The presenters of notes decode it. An error says
// what is wrong with the position.
func EncodePosition(p gen.NotePositionCreate) (string, error) {
	at := gen.NotePosition{
		BaseSha: &p.BaseSha, StartSha: &p.StartSha, HeadSha: &p.HeadSha, PositionType: p.PositionType,
		OldLine: p.OldLine, NewLine: p.NewLine,
	}
	var err error
	if at.OldPath, err = cleanPath("old_path", p.OldPath); err == nil {
		at.NewPath, err = cleanPath("new_path", p.NewPath)
	}
	if err != nil {
		return "", err
	}
	if at.OldPath == nil && at.NewPath == nil {
		return "", errors.New("position[old_path], position[new_path] are missing, at least one parameter must be provided")
	}
	if at.OldPath == nil {
		at.OldPath = at.NewPath
	}
	if at.NewPath == nil {
		at.NewPath = at.OldPath
	}
	if err := setPlace(&at, p); err != nil {
		return "", err
	}
	text, err := json.Marshal(at)
	return string(text), err
}

// cleanPath returns the path of a file without superfluous parts. A path that is not sent stays nil.
func cleanPath(name string, path *string) (*string, error) {
	if path == nil {
		return nil, nil // nothing was sent
	}
	clean, ok := git.CleanPath(*path)
	if !ok || clean == "" {
		return nil, errors.New("position[" + name + "] is invalid")
	}
	return &clean, nil
}

// setPlace sets the place in the file: lines of a text, a point of an image, or nothing for the whole file.
func setPlace(at *gen.NotePosition, p gen.NotePositionCreate) error {
	switch p.PositionType {
	case gen.NotePositionTypeText:
		if p.OldLine == nil && p.NewLine == nil {
			return errors.New("position[old_line], position[new_line] are missing, at least one parameter must be provided")
		}
		at.LineRange = wire.Maybe(p.LineRange)
	case gen.NotePositionTypeImage:
		if p.Width == nil || p.Height == nil || p.X == nil || p.Y == nil {
			return errors.New("position[width], position[height], position[x], position[y] provide all or none of parameters")
		}
		at.OldLine, at.NewLine = nil, nil
		at.Width, at.Height, at.X, at.Y = wire.Some(*p.Width), wire.Some(*p.Height), wire.Some(*p.X), wire.Some(*p.Y)
	case gen.NotePositionTypeFile:
		at.OldLine, at.NewLine = nil, nil
	}
	return nil
}
