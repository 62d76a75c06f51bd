package acme

import (
	"errors"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/acme"
)

func TestACertificateIsRenewedBeforeItsEnd(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	day := 24 * time.Hour
	for lifetime, want := range map[time.Duration]time.Duration{
		90 * day: 60 * day, 365 * day: 335 * day, 6 * day: 4 * day, time.Hour: 40 * time.Minute,
	} {
		if got := renewal(from, from.Add(lifetime)).Sub(from); got != want {
			t.Errorf("one for %s is renewed after %s, want %s", lifetime, got, want)
		}
	}
}

func TestFailuresAreTriedAgainLaterAndLater(t *testing.T) {
	t.Parallel()
	for tries, want := range map[int64]time.Duration{
		-1: 5 * time.Minute, 0: 5 * time.Minute, 1: 5 * time.Minute, 2: 10 * time.Minute, 5: 80 * time.Minute,
		12: lastWait, 1 << 40: lastWait,
	} {
		if got := backOff(tries); got != want {
			t.Errorf("after %d tries: %s, want %s", tries, got, want)
		}
	}
}

func TestTheReasonIsForPeople(t *testing.T) {
	t.Parallel()
	refused := &acme.AuthorizationError{
		URI: "https://authority/authz/1", Identifier: "www.example.com",
		Errors: []error{errors.New("the name leads\nelsewhere")},
	}
	if got := reason(refused); got != "authorize: the name leads elsewhere" {
		t.Error(got)
	}
	if got := reason(errors.New(strings.Repeat("é", 400))); len(got) > maxError+3 || !strings.HasPrefix(got, "éé") {
		t.Error(len(got), got)
	}
}
