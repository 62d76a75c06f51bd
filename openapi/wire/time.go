// Package wire holds the value formats of the contract that Go's own types print differently, and optional members.
package wire

import (
	"fmt"
	"time"
)

const (
	timeFormat = "2006-01-02T15:04:05.000Z07:00"
	dateFormat = "2006-01-02"
)

// Time is a timestamp: ISO 8601 with milliseconds, in its own zone (UTC, except for commits).
type Time struct{ time.Time }

// NewTime returns t in UTC.
func NewTime(t time.Time) Time { return Time{t.UTC()} }

// TimePtr returns t in UTC, or nil.
func TimePtr(t *time.Time) *Time {
	if t == nil {
		return nil
	}
	return &Time{t.UTC()}
}

// Std returns the time as a type of the standard library; nil stays nil.
func (t *Time) Std() *time.Time {
	if t == nil {
		return nil
	}
	return &t.Time
}

// String returns the timestamp as text.
func (t Time) String() string { return string(t.append(make([]byte, 0, len(timeFormat)))) }

// append is AppendFormat with timeFormat. A page of jobs has a hundred times, almost all in UTC, and reading the layout for each
// takes longer than writing it.
func (t Time) append(b []byte) []byte {
	year, month, day := t.Date()
	if t.Location() != time.UTC || year < 0 || year > 9999 {
		return t.AppendFormat(b, timeFormat)
	}
	hour, minute, second := t.Clock()
	b = appendTwo(appendTwo(b, year/100), year%100)
	b = appendTwo(append(b, '-'), int(month))
	b = appendTwo(append(b, '-'), day)
	b = appendTwo(append(b, 'T'), hour)
	b = appendTwo(append(b, ':'), minute)
	b = appendTwo(append(b, ':'), second)
	milliseconds := t.Nanosecond() / int(time.Millisecond)
	b = append(b, '.', '0'+byte(milliseconds/100))
	return append(appendTwo(b, milliseconds%100), 'Z')
}

// appendTwo appends a number as two digits.
func appendTwo(b []byte, n int) []byte { return append(b, '0'+byte(n/10), '0'+byte(n%10)) }

// AppendText appends the timestamp as text; encoding/json uses it for strings.
func (t Time) AppendText(b []byte) ([]byte, error) { return t.append(b), nil }

// MarshalText returns the timestamp as text.
func (t Time) MarshalText() ([]byte, error) { return t.AppendText(make([]byte, 0, len(timeFormat))) }

// MarshalJSON returns the timestamp as text, quoted.
func (t Time) MarshalJSON() ([]byte, error) { return t.AppendJSON(make([]byte, 0, len(timeFormat)+2)) }

// AppendJSON appends the timestamp as text, quoted.
func (t Time) AppendJSON(b []byte) ([]byte, error) { return append(t.append(append(b, '"')), '"'), nil }

// UnmarshalText parses an ISO 8601 timestamp of any precision, or a date as midnight UTC.
func (t *Time) UnmarshalText(text []byte) error {
	parsed, err := ParseTime(string(text))
	t.Time = parsed
	return err
}

// Bind parses a query parameter; without it the generated code would accept only RFC 3339.
func (t *Time) Bind(text string) error { return t.UnmarshalText([]byte(text)) }

// UnmarshalJSON parses a quoted timestamp.
func (t *Time) UnmarshalJSON(data []byte) error {
	text, err := unquote(data)
	if err != nil {
		return err
	}
	return t.UnmarshalText(text)
}

// ParseTime parses the timestamps that callers send: ISO 8601 with or without zone and fraction, or a date.
func ParseTime(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", dateFormat} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not an ISO 8601 time", s)
}

func unquote(data []byte) ([]byte, error) {
	if len(data) < 2 || data[0] != '"' || data[len(data)-1] != '"' {
		return nil, fmt.Errorf("%s is not a string", data)
	}
	return data[1 : len(data)-1], nil
}
