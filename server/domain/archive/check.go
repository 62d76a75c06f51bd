package archive

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Text checks a text and returns what is wrong with it.
func Text(field, value string, shortest, longest int) error {
	n := utf8.RuneCountInString(value)
	switch {
	case n < shortest || (shortest > 0 && strings.TrimSpace(value) == ""):
		return Bad("%s is empty", field)
	case n > longest:
		return Bad("%s is longer than %d characters", field, longest)
	case strings.ContainsRune(value, 0):
		return Bad("%s contains a NUL character", field)
	}
	return nil
}

// Optional checks a text that can be missing.
func Optional(field string, value *string, longest int) error {
	if value == nil {
		return nil
	}
	return Text(field, *value, 0, longest)
}

// OneOf checks that a text is one of the allowed ones.
func OneOf(field, value string, allowed ...string) error {
	if !slices.Contains(allowed, value) {
		return Bad("%s is not one of %s", field, strings.Join(allowed, ", "))
	}
	return nil
}

var colors = regexp.MustCompile(`\A#[0-9a-fA-F]{6}\z`)

// Color checks the color of a label.
func Color(value string) error {
	if !colors.MatchString(value) {
		return Bad("the color of a label is invalid")
	}
	return nil
}

// Day is a date without a time.
type Day time.Time

// DayOf returns the day of a time.
func DayOf(t *time.Time) *Day { return (*Day)(t) }

// Time returns the beginning of the day.
func (d *Day) Time() *time.Time { return (*time.Time)(d) }

// MarshalText implements encoding.TextMarshaler.
func (d Day) MarshalText() ([]byte, error) { return []byte(time.Time(d).Format(time.DateOnly)), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Day) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.DateOnly, string(text))
	*d = Day(t)
	return err
}
