package access

import (
	"context"
	"time"

	"svc/server/platform/apierr"
	"svc/store/clock"
)

// CheckExpiry refuses an expiry date of a role that is not in the future.
func CheckExpiry(ctx context.Context, day time.Time) error {
	if !day.After(clock.Now(ctx).UTC()) {
		return apierr.Invalid("expires_at", "cannot be a date in the past")
	}
	return nil
}
