package main

import (
	"fmt"
	"time"
)

// SQLite's driver parses a column that is declared as a time twice, with layouts. An expression has no declared type, so a plus
// sign before such a column makes the driver return its text, which parseUTC reads in a tenth of the time. PostgreSQL's driver
// returns times, and its statements have no plus signs: see numbered.

// at reads a time into a field.
func at(into *time.Time) any { return timeField{into} }

// atPtr reads a time that may be NULL into a field.
func atPtr(into **time.Time) any { return timePtrField{into} }

type timeField struct{ into *time.Time }

// Scan implements sql.Scanner.
func (f timeField) Scan(value any) (err error) {
	switch value := value.(type) {
	case time.Time:
		*f.into = value
	case string:
		*f.into, err = parseUTC(value)
	default:
		err = fmt.Errorf("a %T is not a time", value)
	}
	return err
}

type timePtrField struct{ into **time.Time }

// Scan implements sql.Scanner.
func (f timePtrField) Scan(value any) error {
	if value == nil {
		*f.into = nil
		return nil
	}
	*f.into = new(time.Time)
	return timeField{*f.into}.Scan(value)
}

// parseUTC reads a time as svc stores it, such as 2026-01-02 15:04:05.123456+00:00. A part of a second and the zone may be
// missing, as may the time of a date.
func parseUTC(text string) (time.Time, error) {
	if len(text) == len(time.DateOnly) {
		return time.ParseInLocation(time.DateOnly, text, time.UTC)
	}
	const whole, zone = len(time.DateTime), "+00:00"
	end := len(text)
	if end >= whole+len(zone) && text[end-len(zone):] == zone {
		end -= len(zone)
	}
	if end < whole || text[4] != '-' || text[7] != '-' || text[13] != ':' || text[16] != ':' || end > whole && text[whole] != '.' {
		return time.Time{}, fmt.Errorf("%q is not a time of svc", text)
	}
	part, unit := 0, int(time.Second)
	for i := whole + 1; i < end; i++ {
		unit /= 10
		part += int(text[i]-'0') * unit
	}
	return time.Date(digits(text[:4]), time.Month(digits(text[5:7])), digits(text[8:10]),
		digits(text[11:13]), digits(text[14:16]), digits(text[17:19]), part, time.UTC), nil
}

func digits(text string) int {
	n := 0
	for i := range len(text) {
		n = n*10 + int(text[i]-'0')
	}
	return n
}
