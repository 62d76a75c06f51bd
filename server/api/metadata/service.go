// Package metadata is what this instance says of itself.
package metadata

import "svc/server/platform/build"

// Metadata are the operations on the instance's description.
type Metadata struct {
	build build.Info
	paid  bool
}

// New takes what was built and whether it runs a paid tier.
func New(b build.Info, paid bool) *Metadata { return &Metadata{build: b, paid: paid} }
