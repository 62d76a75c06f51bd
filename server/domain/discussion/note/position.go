package note

import "encoding/json"

// Position is the place of a note in a diff, as it is stored: the lines of a text. A removed line has no new number, an
// added line no old one.
type Position struct {
	BaseSHA  string `json:"base_sha"`
	StartSHA string `json:"start_sha"`
	HeadSHA  string `json:"head_sha"`
	Type     string `json:"position_type"`
	OldPath  string `json:"old_path"`
	NewPath  string `json:"new_path"`
	OldLine  *int64 `json:"old_line"`
	NewLine  *int64 `json:"new_line"`
}

// TextPosition is the Type of a position in a text.
const TextPosition = "text"

// Encode returns the position for NewNote.
func (p Position) Encode() (*string, error) {
	data, err := json.Marshal(p)
	text := string(data)
	return &text, err
}

// PositionOf reads a stored position, and reports whether there is one.
func PositionOf(stored *string) (Position, bool) {
	var p Position
	if stored == nil || json.Unmarshal([]byte(*stored), &p) != nil {
		return p, false
	}
	return p, true
}
