package access

import (
	"testing"
	"time"
)

func TestATokenEndsWithinItsLifetime(t *testing.T) {
	t.Parallel()
	now := time.Date(2024, 2, 28, 23, 59, 59, 0, time.UTC)
	day := func(text string) *time.Time {
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return &at
	}
	for _, c := range []struct {
		name     string
		lifetime Lifetime
		asked    *time.Time
		usual    int
		want     string
	}{
		{"as late as may be", 365, nil, 0, "2025-02-27"},
		{"the usual", 365, nil, 7, "2024-03-06"},
		{"the usual is too long", 2, nil, 7, "2024-03-01"},
		{"tomorrow", 365, day("2024-02-29"), 7, "2024-02-29"},
		{"the last day", 365, day("2025-02-27"), 7, "2025-02-27"},
		{"after the last day", 365, day("2025-02-28"), 7, "Expires at must not be after 2025-02-27"},
		{"today", 365, day("2024-02-28"), 7, "2024-02-28"},
		{"yesterday", 365, day("2024-02-27"), 7, "Expires at must be in the future"},
		{"long ago", 365, day("0001-01-01"), 7, "Expires at must be in the future"},
		{"the end of time", 365, day("9999-12-31"), 0, "Expires at must not be after 2025-02-27"},
	} {
		got, err := c.lifetime.Expiry(c.asked, c.usual, now)
		text := got.Format(time.DateOnly)
		if err != nil {
			text = err.Error()
		}
		if text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
}
