package runner

import (
	"context"
	"time"

	"svc/server/domain/ci/payload"
	"svc/store"
)

// RequestJob assigns a job to the runner that owns a token. It waits for a job if wait is not 0, and returns nil if
// there is none.
func (s *Service) RequestJob(
	ctx context.Context, token, systemID string, machine store.MachineInfo, wait time.Duration,
) (*payload.Payload, error) {
	until := time.Time{}
	if wait > 0 {
		until = time.Now().Add(wait)
	}
	for {
		changed := s.queue.Subscribe()
		c, err := s.Authenticate(ctx, token, systemID, machine)
		if err != nil {
			return nil, err
		}
		job, err := s.queue.Next(ctx, c)
		if err != nil || job != nil {
			return job, err
		}
		if !s.queue.Wait(ctx, changed, until) {
			return nil, nil
		}
	}
}
