package status

import (
	"fmt"
	"testing"
	"time"
)

func TestSuperseded(t *testing.T) {
	t.Parallel()
	waits, runs := Interruptible{Created, true, false}, Interruptible{Running, true, true}
	must, fixed := Interruptible{Running, false, true}, Interruptible{Pending, false, false}
	done, built := Interruptible{Success, true, true}, Interruptible{Success, false, true}
	manual := Interruptible{Manual, true, false}
	for _, c := range []struct {
		mode string
		jobs []Interruptible
		want string
	}{
		{"", []Interruptible{waits, runs, fixed}, "[true true true]"},
		{"conservative", []Interruptible{waits, done, manual}, "[true false true]"},
		{"conservative", []Interruptible{waits, must}, "[false false]"},
		{"conservative", []Interruptible{built, runs}, "[false false]"},
		{"interruptible", []Interruptible{waits, runs, must, fixed, done}, "[true true false false false]"},
		{"none", []Interruptible{waits, runs}, "[false false]"},
		{"disabled", []Interruptible{waits, runs}, "[false false]"},
	} {
		if got := fmt.Sprint(Superseded(c.mode, c.jobs)); got != c.want {
			t.Errorf("%s %v: %s, want %s", c.mode, c.jobs, got, c.want)
		}
	}
	jobs := []Interruptible{waits, must, done, manual}
	if got := fmt.Sprint(
		AfterFailure("all", jobs), AfterFailure("none", jobs), AfterFailure("", jobs),
	); got != "[true true false false] [false false false false] [false false false false]" {
		t.Error(got)
	}
}

func TestNextForResource(t *testing.T) {
	t.Parallel()
	old, middle, young := Contender{1, 10, true}, Contender{2, 11, true}, Contender{3, 12, true}
	lazy, late := Contender{1, 10, false}, Contender{3, 12, false}
	for _, c := range []struct {
		mode    string
		waiting []Contender
		want    int
	}{
		{"unordered", nil, -1},
		{"unordered", []Contender{young, old}, 1},
		{"unordered", []Contender{lazy, middle}, 1},
		{"unordered", []Contender{lazy, late}, -1},
		{"oldest_first", []Contender{young, old, middle}, 1},
		{"oldest_first", []Contender{lazy, middle}, -1},
		{"newest_first", []Contender{old, young, middle}, 1},
		{"newest_first", []Contender{middle, late}, -1},
		{"newest_ready_first", []Contender{old, middle, late}, 1},
		{"newest_ready_first", []Contender{late}, -1},
		{"oldest_first", []Contender{{5, 10, true}, {4, 10, true}}, 1},
		{"newest_first", []Contender{{5, 10, true}, {4, 10, true}}, 1},
	} {
		if got := NextForResource(c.mode, c.waiting); got != c.want {
			t.Errorf("%s %v: %d, want %d", c.mode, c.waiting, got, c.want)
		}
	}
}

func TestOverdue(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	for _, c := range []struct {
		job  JobTimes
		want Reason
	}{
		{JobTimes{Status: Pending, Queued: ago(23 * time.Hour)}, ""},
		{JobTimes{Status: Pending, Queued: ago(25 * time.Hour)}, StuckOrTimeoutFailure},
		{JobTimes{Status: Pending}, ""},
		{JobTimes{Status: Created, Queued: ago(25 * time.Hour)}, ""},
		{JobTimes{Status: Running, Started: ago(2 * time.Hour), Contacted: ago(time.Minute), Timeout: 3 * time.Hour}, ""},
		{JobTimes{Status: Running, Started: ago(2 * time.Hour), Contacted: ago(time.Minute), Timeout: time.Hour}, JobExecutionTimeout},
		{JobTimes{Status: Running, Started: ago(65 * time.Minute), Contacted: ago(time.Minute), Timeout: time.Hour}, ""},
		{
			JobTimes{Status: Running, Started: ago(2 * time.Hour), Contacted: ago(61 * time.Minute), Timeout: 3 * time.Hour},
			StuckOrTimeoutFailure,
		},
		{JobTimes{Status: Running, Started: ago(2 * time.Hour)}, StuckOrTimeoutFailure},
		{JobTimes{Status: Canceling, Started: ago(2 * time.Hour)}, StuckOrTimeoutFailure},
		{JobTimes{Status: Scheduled, Scheduled: ago(time.Minute)}, ""},
		{JobTimes{Status: Scheduled, Scheduled: ago(2 * time.Hour)}, StaleSchedule},
		{JobTimes{Status: Success, Started: ago(100 * time.Hour)}, ""},
	} {
		if got, overdue := Overdue(c.job, now); got != c.want || overdue != (c.want != "") {
			t.Errorf("%+v: %q %v", c.job, got, overdue)
		}
	}
}
