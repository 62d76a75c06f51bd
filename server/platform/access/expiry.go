package access

import (
	"time"

	"svc/server/platform/apierr"
)

// CheckExpiry refuses an expiry date of a role that is not in the future.
func CheckExpiry(day time.Time) error {
	if !day.After(time.Now().UTC()) {
		return apierr.Invalid("expires_at", "cannot be a date in the past")
	}
	return nil
}
