package access

import (
	"fmt"
	"time"
)

// Lifetime is the largest number of days that a token may be good for.
type Lifetime int

// ExpiryError is a day on which a token cannot end.
type ExpiryError struct{ Reason string }

func (e *ExpiryError) Error() string { return "Expires at " + e.Reason }

// Expiry is the day on which a token made now ends. A day that is asked for must not lie before today, and must lie within the
// lifetime. A token is expired from the beginning of the day, so one that ends today never opens anything. Without one it is after the usual number of days,
// where there is such, or as late as may be.
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
