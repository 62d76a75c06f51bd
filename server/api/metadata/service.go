// Package metadata describes this instance: its version, its edition and its OpenAPI document.
package metadata

import "svc/server/platform/build"

// Metadata holds the operations that describe this instance.
type Metadata struct {
	build     build.Info
	paid      bool
	documents documents
}

// New returns the metadata operations. paid says whether the instance runs a paid tier, baseURL is the URL of the
// instance.
func New(b build.Info, paid bool, baseURL string) *Metadata {
	return &Metadata{build: b, paid: paid, documents: newDocuments(baseURL)}
}
