// Package wait waits for conditions in tests. It imports nothing of the program, so that every test can use it.
package wait

import (
	"testing"
	"time"
)

const (
	limit = 2 * time.Minute
	pause = 20 * time.Millisecond
)

// Until waits until a condition holds, and fails the test if it does not hold within two minutes. what completes the
// sentence "waited in vain until …".
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !holds(); time.Sleep(pause) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}
