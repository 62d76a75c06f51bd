package middleware

import (
	"testing"
	"time"
)

func TestSecondsHaveSixDecimals(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0.000000", 999: "0.000000", time.Microsecond: "0.000001", 123456789: "0.123456",
		61*time.Second + 50*time.Millisecond: "61.050000",
	} {
		if got := seconds(d); got != want {
			t.Errorf("%v is %s, want %s", d, got, want)
		}
	}
}
