// Package probes reports the health of the process to load balancers and orchestrators.
package probes

import (
	"context"
	"net/netip"
)

// Check returns an error if a part of the service does not work.
type Check func(ctx context.Context) error

// Probes holds the health operations.
type Probes struct {
	database, queue, storage Check
	explainTo                func() []netip.Prefix
}

// New returns the health operations. Readiness runs the three checks, and says why one failed to callers from the
// networks that explainTo returns at that time.
func New(database, queue, storage Check, explainTo func() []netip.Prefix) *Probes {
	return &Probes{database: database, queue: queue, storage: storage, explainTo: explainTo}
}
