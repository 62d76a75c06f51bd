// Package probes tells load balancers how the process is.
package probes

import "context"

// Check asks one part of the service whether it works.
type Check func(ctx context.Context) error

// Probes are the operations on the process's health.
type Probes struct{ database, queue, storage Check }

// New takes what readiness depends on.
func New(database, queue, storage Check) *Probes {
	return &Probes{database: database, queue: queue, storage: storage}
}
