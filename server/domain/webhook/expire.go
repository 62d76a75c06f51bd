package webhook

import (
	"context"
	"time"
)

const (
	// LogDays is for how many days the delivery log can be read.
	LogDays = 7
	// keptDays is for how many days deliveries are stored.
	keptDays = 14

	expireBatch = 500
	maxBatches  = 200
)

// Expire deletes old messages and their deliveries, in small batches, so that no other transaction waits for long.
func (s *Service) Expire(ctx context.Context, now time.Time) error {
	for range maxBatches {
		n, err := s.Store.HookDeliveries.DeleteBefore(ctx, now.AddDate(0, 0, -keptDays), expireBatch)
		if err != nil || n < expireBatch {
			return err
		}
	}
	return nil
}
