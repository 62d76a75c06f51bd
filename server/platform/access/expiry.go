package access

import (
	"time"

	"svc/server/platform/apierr"
)

// CheckExpiry refuses a day on which a role would have ended already.
func CheckExpiry(day time.Time) error {
	if !day.After(time.Now().UTC()) {
		return apierr.Invalid("expires_at", "cannot be a date in the past")
	}
	return nil
}
