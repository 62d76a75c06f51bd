// Package cron tells when a schedule is due: five fields, or a word such as @daily, read in a time zone. It is pure; the
// time comes in.
package cron

import (
	"errors"
	"strings"
	"time"
	_ "time/tzdata" // zones must be known on machines without them

	"github.com/adhocore/gronx"
)

const (
	maxExpression = 255
	fields        = 5
)

// Failures of Parse.
var (
	ErrSyntax = errors.New("is invalid syntax")
	ErrZone   = errors.New("is not a time zone")
)

// Schedule is an expression in a time zone.
type Schedule struct {
	expression string
	zone       *time.Location
}

// Parse reads an expression and the name of a zone, such as Europe/Berlin; an empty name is UTC. A time that never comes,
// like the 31st of February, is an error.
func Parse(expression, zone string) (Schedule, error) {
	location, err := time.LoadLocation(zone)
	if err != nil || zone == "Local" {
		return Schedule{}, ErrZone
	}
	s := Schedule{expression: strings.TrimSpace(expression), zone: location}
	plain := strings.HasPrefix(s.expression, "@") && !strings.ContainsAny(s.expression, " \t")
	if len(expression) > maxExpression || !plain && len(strings.Fields(s.expression)) != fields {
		return Schedule{}, ErrSyntax
	}
	if _, err := gronx.NextTickAfter(s.expression, time.Unix(0, 0).UTC(), false); err != nil {
		return Schedule{}, ErrSyntax
	}
	return s, nil
}

// Next is the first time after a given one. The expression is compared with the clock on the wall: a time that the clock
// leaves out in spring comes once, an hour later or earlier, and one that it shows twice in autumn comes once.
func (s Schedule) Next(after time.Time) time.Time {
	local := after.In(s.zone)
	wall := time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), local.Second(), 0, time.UTC)
	for {
		next, err := gronx.NextTickAfter(s.expression, wall, false)
		if err != nil {
			return time.Time{} // Parse has tried it, so this does not happen before the calendar ends
		}
		due := time.Date(next.Year(), next.Month(), next.Day(), next.Hour(), next.Minute(), 0, 0, s.zone)
		if due.After(after) {
			return due
		}
		wall = next
	}
}
