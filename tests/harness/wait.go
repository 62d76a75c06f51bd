package harness

import (
	"testing"
	"time"
)

const (
	waitLimit = 60 * time.Second
	waitPause = 20 * time.Millisecond
)

// WaitUntil waits until a condition holds, and fails the test if it does not hold within a minute. what completes the
// sentence "waited in vain until …".
func WaitUntil(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(waitLimit); !holds(); time.Sleep(waitPause) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}
