package userpages

import (
	"testing"
	"time"

	"svc/server/transport/web/page"
)

func TestEveryTemplateIsRead(t *testing.T) {
	t.Parallel()
	if err := page.NewTemplates(templates, "todo_lines").Check(); err != nil {
		t.Error(err)
	}
}

func TestACalendarHasAYearOfDaysUntilToday(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 17, 23, 59, 0, 0, time.UTC) // a Tuesday
	if first := firstDay(now); first != time.Date(2025, 11, 17, 0, 0, 0, 0, time.UTC) {
		t.Errorf("it begins on %s", first)
	}
	c := newCalendar(now, map[string]int64{"2026-11-17": 3, "2026-11-16": 4, "2025-11-17": 12, "2020-01-01": 99})
	last, before := c.Days[len(c.Days)-1], c.Days[len(c.Days)-2]
	if c.Total != 19 || len(c.Days) != 366 || last.Class != "few" || before.Class != "some" || c.Days[0].Class != "many" ||
		last.Text != "3 events on 17 November 2026" || c.Days[1].Text != "" || last.X != 52*cell || last.Y <= before.Y {
		t.Errorf("%d events in %d days: %+v, %+v, %+v", c.Total, len(c.Days), c.Days[0], before, last)
	}
	if len(c.Months) < 11 || c.Months[0].Name != "Dec" {
		t.Errorf("%+v", c.Months)
	}
}
