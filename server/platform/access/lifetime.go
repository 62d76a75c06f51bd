package access

import (
	"fmt"
	"time"

	"svc/store"
)

// Lifetime is the largest number of days for which a token can be valid.
type Lifetime int

// LifetimeOf returns the lifetime of the settings, or another one if the settings have none.
func LifetimeOf(st *store.Store, otherwise Lifetime) Lifetime {
	if days := st.Settings.Current().MaxPersonalTokenLifetime; days != nil {
		return Lifetime(*days)
	}
	return otherwise
}

// ExpiryError says that a token cannot expire on the requested day.
type ExpiryError struct{ Reason string }

func (e *ExpiryError) Error() string { return "Expires at " + e.Reason }

// Expiry returns the day on which a token created now expires. A requested day must not be before today and must be
// within the lifetime. A token is expired from the beginning of that day, so a token that expires today is never valid.
// Without a requested day the token expires after the usual number of days, if there is such a number and it is below
// the lifetime; otherwise as late as possible.
func (l Lifetime) Expiry(asked *time.Time, usual int, now time.Time) (time.Time, error) {
	today := now.UTC().Truncate(24 * time.Hour)
	last := today.AddDate(0, 0, int(l))
	switch {
	case asked == nil && usual > 0 && usual < int(l):
		return today.AddDate(0, 0, usual), nil
	case asked == nil:
		return last, nil
	case asked.Before(today):
		return time.Time{}, &ExpiryError{Reason: "must be in the future"}
	case asked.After(last):
		return time.Time{}, &ExpiryError{Reason: fmt.Sprintf("must not be after %s", last.Format(time.DateOnly))}
	}
	return *asked, nil
}
