// Package probes reports the health of the process to load balancers and orchestrators.
package probes

import "context"

// Check returns an error if a part of the service does not work.
type Check func(ctx context.Context) error

// Probes holds the health operations.
type Probes struct{ database, queue, storage Check }

// New returns the health operations. Readiness runs the three checks.
func New(database, queue, storage Check) *Probes {
	return &Probes{database: database, queue: queue, storage: storage}
}
