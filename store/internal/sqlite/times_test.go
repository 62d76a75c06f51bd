package sqlite

import (
	"testing"
	"time"
)

// Every form that the driver may have stored is read, and times that this program stores keep every digit.
func TestStoredTimesAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Time{
		"2026-11-18 10:52:06+00:00":           time.Date(2026, 11, 18, 10, 52, 6, 0, time.UTC),
		"2026-11-18 10:52:06.5+00:00":         time.Date(2026, 11, 18, 10, 52, 6, 500000000, time.UTC),
		"2026-11-18 10:52:06.972123+00:00":    time.Date(2026, 11, 18, 10, 52, 6, 972123000, time.UTC),
		"2026-11-18 10:52:06.000000001+00:00": time.Date(2026, 11, 18, 10, 52, 6, 1, time.UTC),
		"2026-11-18 10:52:06.5+02:00":         time.Date(2026, 11, 18, 8, 52, 6, 500000000, time.UTC),
		"2026-11-18T10:52:06.5Z":              time.Date(2026, 11, 18, 10, 52, 6, 500000000, time.UTC),
		"2026-11-18 10:52:06":                 time.Date(2026, 11, 18, 10, 52, 6, 0, time.UTC),
		"2026-11-18":                          time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC),
	} {
		if got, err := ParseTime(text); err != nil || !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("%s is read as %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "yesterday", "2026-11-18 10:52:0x+00:00", "2026:11-18 10:52:06+00:00", "20261118105206000000+00:00"} {
		if got, err := ParseTime(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
