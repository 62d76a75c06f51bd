package talk

import (
	"context"

	"svc/store/model"
)

// Done is what commands in a text have done.
type Done struct {
	Changes map[string]any
	Summary []string
}

// SayOrDo does what the commands in a text say, and writes what else it says; the note has no id when there is nothing else.
func (t *Talk) SayOrDo(ctx context.Context, p Place, s Saying) (model.NoteRow, *Done, error) {
	row, err := t.Say(ctx, p, s)
	return row, nil, err
}
