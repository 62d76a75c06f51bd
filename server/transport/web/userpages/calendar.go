package userpages

import (
	"time"

	"svc/server/transport/web/page"
)

const (
	weeks = 53
	cell  = 13 // pixels of a day, with the space beside it
)

// calendar is the activity of the last year: one square for each day, one column for each week.
type calendar struct {
	Total  int64
	Days   []calendarDay
	Months []calendarMonth
}

// calendarDay is one day: its place in the picture, and how many events it has.
type calendarDay struct {
	X, Y        int
	Class, Text string // empty for a day without events
}

// calendarMonth is the name of a month above the column in which it begins.
type calendarMonth struct {
	X    int
	Name string
}

// firstDay returns the first day of the calendar: the Monday 52 weeks before the current week.
func firstDay(now time.Time) time.Time {
	today := now.UTC().Truncate(24 * time.Hour)
	sinceMonday := (int(today.Weekday()) + 6) % 7
	return today.AddDate(0, 0, -sinceMonday-7*(weeks-1))
}

// newCalendar returns the calendar that ends today. days has the number of events by date.
func newCalendar(now time.Time, days map[string]int64) calendar {
	var c calendar
	first := firstDay(now)
	for n := 0; ; n++ {
		day := first.AddDate(0, 0, n)
		if day.After(now.UTC()) {
			return c
		}
		x := n / 7 * cell
		events := days[day.Format(time.DateOnly)]
		c.Total += events
		d := calendarDay{X: x, Y: n%7*cell + cell + 2, Class: classOf(events)}
		if events > 0 {
			d.Text = page.Count(events, "event") + " on " + day.Format("2 January 2006")
		}
		c.Days = append(c.Days, d)
		if day.Day() == 1 && x < (weeks-2)*cell {
			c.Months = append(c.Months, calendarMonth{X: x, Name: day.Format("Jan")})
		}
	}
}

// classOf returns the shade of a day.
func classOf(events int64) string {
	switch {
	case events == 0:
		return ""
	case events < 4:
		return "few"
	case events < 12:
		return "some"
	}
	return "many"
}
