package harness

import (
	"testing"
	"time"
)

const (
	waitLimit = 2 * time.Minute
	waitPause = 20 * time.Millisecond
)

// WaitUntil waits until a condition holds, and fails the test if it does not hold within two minutes. what completes the
// sentence "waited in vain until …".
func WaitUntil(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(waitLimit); !holds(); time.Sleep(waitPause) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}
