package payload

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"svc/server/platform/duration"
	"svc/store/model"
)

// Redacted stands for an e-mail address that is not public.
const Redacted = "[REDACTED]"

// The spellings of times.
const (
	modelTime  = "2006-01-02 15:04:05 UTC"
	zonedTime  = "2006-01-02 15:04:05 -0700"
	isoTime    = "2006-01-02T15:04:05Z"
	commitTime = "2006-01-02T15:04:05-07:00"
	dayOnly    = "2006-01-02"
)

// stamp writes a time of a row, as in «2013-12-03 17:15:43 UTC».
func stamp(t time.Time) string { return t.UTC().Format(modelTime) }

// iso writes a time of an event that has an event_name, as in «2013-12-03T17:15:43Z».
func iso(t time.Time) string { return t.UTC().Format(isoTime) }

// written writes a time that may be missing.
func written(t *time.Time, write func(time.Time) string) *string {
	if t == nil {
		return nil
	}
	return new(write(*t))
}

// day writes a date without a time.
func day(t time.Time) string { return t.UTC().Format(dayOnly) }

// human writes working time the way people write it; nil for none.
func human(seconds int64) *string {
	if text := duration.Human(seconds); text != "" {
		return &text
	}
	return nil
}

// publicEmail returns the public e-mail address of a user, or Redacted.
func publicEmail(u model.User) string {
	if address := emailOrNull(u); address != nil {
		return *address
	}
	return Redacted
}

// emailOrNull returns the public e-mail address of a user, or nil.
func emailOrNull(u model.User) *string {
	if u.PublicEmail == nil || *u.PublicEmail == "" {
		return nil
	}
	return u.PublicEmail
}

// uploads begins the address of a file that was uploaded to the project of a text.
const uploads = "/uploads/"

// imageLink matches an image in Markdown with an address on this instance, such as ![plan](/uploads/3f/plan.png).
var imageLink = regexp.MustCompile(`(!\[[^\]\n]*\]\()(/[^/)\s][^)\s]*)`)

// absolute makes the addresses of images in a Markdown text absolute, so that receivers can show them.
func (i Instance) absolute(p model.Project, text string) string {
	return imageLink.ReplaceAllStringFunc(text, func(found string) string {
		parts := imageLink.FindStringSubmatch(found)
		base := i.Base
		if strings.HasPrefix(parts[2], uploads) {
			base += "/-/project/" + strconv.FormatInt(p.ID, 10)
		}
		return parts[1] + base + parts[2]
	})
}

// absoluteOrNull does the same as absolute for a text that may be missing.
func (i Instance) absoluteOrNull(p model.Project, text *string) *string {
	if text == nil {
		return nil
	}
	return new(i.absolute(p, *text))
}

// each converts every element; the result is never nil, so that it becomes an array and not null.
func each[T, U any](list []T, convert func(T) U) []U {
	out := make([]U, len(list))
	for n, one := range list {
		out[n] = convert(one)
	}
	return out
}
