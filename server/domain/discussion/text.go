package discussion

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"svc/server/platform/apierr"
)

const (
	maxText = 1_000_000 // maximum number of characters of a note

	// MaxNotes is the maximum number of notes by users on one item.
	MaxNotes = 5000
)

// CheckText refuses an empty or too long text of a note.
func CheckText(body string) error {
	if strings.TrimSpace(body) == "" {
		return apierr.BadParameter("body is empty")
	}
	if len(body) > maxText && utf8.RuneCountInString(body) > maxText {
		return apierr.Invalid("note", fmt.Sprintf("is too long (maximum is %d characters)", maxText))
	}
	return nil
}
