// Package cron computes when a schedule is due. A schedule is a cron expression with five fields, or a word such as
// @daily, in a time zone. The package does not read the clock; the caller passes the time.
package cron

import (
	"errors"
	"strings"
	"time"
	_ "time/tzdata" // for machines without a time zone database

	"github.com/adhocore/gronx"
)

const (
	maxExpression = 255
	fields        = 5
)

// Errors of Parse.
var (
	ErrSyntax = errors.New("is invalid syntax")
	ErrZone   = errors.New("is not a time zone")
)

// Schedule is a cron expression in a time zone.
type Schedule struct {
	expression string
	zone       *time.Location
}

// Parse reads a cron expression and the name of a time zone, such as Europe/Berlin. An empty name means UTC. A time
// that never comes, such as the 31st of February, is an error.
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

// Next returns the first due time after the given time. The expression is compared with local time. A local time that
// does not exist in spring is due once, an hour later or earlier. A local time that occurs twice in autumn is due once.
func (s Schedule) Next(after time.Time) time.Time {
	local := after.In(s.zone)
	wall := time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), local.Second(), 0, time.UTC)
	for {
		next, err := gronx.NextTickAfter(s.expression, wall, false)
		if err != nil {
			return time.Time{} // Parse has checked the expression, so this happens only at the end of the calendar
		}
		due := time.Date(next.Year(), next.Month(), next.Day(), next.Hour(), next.Minute(), 0, 0, s.zone)
		if due.After(after) {
			return due
		}
		wall = next
	}
}
