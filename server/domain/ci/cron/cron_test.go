package cron

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestNext(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expression, zone, after, want string }{
		{"0 1 * * *", "", "2026-11-15T00:30:00Z", "2026-11-15T01:00:00Z"},
		{"0 1 * * *", "UTC", "2026-11-15T01:00:00Z", "2026-11-16T01:00:00Z"},
		{"0 1 * * *", "Europe/Berlin", "2026-11-15T00:30:00Z", "2026-11-16T00:00:00Z"},
		{"0 1 * * *", "America/New_York", "2026-11-15T00:30:00Z", "2026-11-15T06:00:00Z"},
		{"*/15 * * * *", "", "2026-11-15T00:15:01Z", "2026-11-15T00:30:00Z"},
		{"*/15 * * * *", "Asia/Kolkata", "2026-11-15T00:15:00Z", "2026-11-15T00:30:00Z"},
		{"0 22 * * MON-FRI", "", "2026-11-14T00:00:00Z", "2026-11-16T22:00:00Z"},
		{"0 0 * * 0", "", "2026-11-14T00:00:00Z", "2026-11-15T00:00:00Z"},
		{"0 0 * * 7", "", "2026-11-14T00:00:00Z", "2026-11-15T00:00:00Z"},
		{"0 0 1 1 *", "", "2026-11-14T00:00:00Z", "2027-01-01T00:00:00Z"},
		{"0 0 29 2 *", "", "2026-11-14T00:00:00Z", "2028-02-29T00:00:00Z"},
		{"0 0 13 * 5", "", "2026-11-15T00:00:00Z", "2026-11-20T00:00:00Z"},
		{"5,10-12 3 * * *", "", "2026-11-15T03:10:00Z", "2026-11-15T03:11:00Z"},
		{"@daily", "Europe/Berlin", "2026-11-15T00:00:00Z", "2026-11-15T23:00:00Z"},
		{"@hourly", "", "2026-11-15T00:00:00Z", "2026-11-15T01:00:00Z"},
		{"  0 1 * * * ", "", "2026-11-15T00:30:00Z", "2026-11-15T01:00:00Z"},
		// Daylight saving time begins on 29 March 2026 (2:00 becomes 3:00) and ends on 25 October (3:00 becomes 2:00).
		{"0 3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"},
		{"0 4 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T03:00:00Z"},
	} {
		s, err := Parse(c.expression, c.zone)
		if err != nil {
			t.Errorf("%s: %v", c.expression, err)
			continue
		}
		after, _ := time.Parse(time.RFC3339, c.after)
		if got := s.Next(after).UTC().Format(time.RFC3339); got != c.want {
			t.Errorf("%s in %s after %s: %s, want %s", c.expression, c.zone, c.after, got, c.want)
		}
	}
}

// A daily schedule is due once a day, even when daylight saving time begins or ends.
func TestOnceADay(t *testing.T) {
	t.Parallel()
	for _, expression := range []string{"30 2 * * *", "0 2 * * *", "0 3 * * *", "59 1 * * *"} {
		s, err := Parse(expression, "Europe/Berlin")
		if err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		seen := map[string]int{}
		for range 365 {
			next := s.Next(at)
			if !next.After(at) {
				t.Fatalf("%s: %s is not after %s", expression, next, at)
			}
			seen[next.Format(time.DateOnly)]++
			at = next
		}
		if len(seen) != 365 {
			t.Errorf("%s: %d days of 365", expression, len(seen))
		}
	}
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	for _, expression := range []string{
		"", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "*/0 * * * *", "5-1 * * * *", "a * * * *", "0 0 31 2 *", "0 0 0 * *",
		"0 0 * 13 *", "@never", "@daily x", "1,,2 * * * *", "-1 * * * *", strings.Repeat("1,", 200) + "1 * * * *",
	} {
		if s, err := Parse(expression, ""); !errors.Is(err, ErrSyntax) {
			t.Errorf("%q: %+v, %v", expression, s, err)
		}
	}
	for _, zone := range []string{"Mars/Olympus", "Local", "../etc/passwd", "/etc/passwd", "europe berlin"} {
		if _, err := Parse("0 0 * * *", zone); !errors.Is(err, ErrZone) {
			t.Errorf("zone %q: %v", zone, err)
		}
	}
}
