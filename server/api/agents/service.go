// Package agents implements the API operations on cluster agents: programs that run in a cluster and act for a project.
package agents

import (
	"regexp"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/store"
)

// Agents implements the operations on cluster agents.
type Agents struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
}

// New returns the cluster agent operations.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset) *Agents {
	return &Agents{store: st, access: a, pages: pages}
}

const maxName = 63

var nameFormat = regexp.MustCompile(`\A[a-z0-9]([-a-z0-9]*[a-z0-9])?\z`)

// checkName validates a name with the rules for names in clusters.
func checkName(name string) error {
	switch {
	case name == "":
		return apierr.Invalid("name", "can't be blank")
	case len(name) > maxName:
		return apierr.Invalid("name", "is too long (maximum is 63 characters)")
	case !nameFormat.MatchString(name):
		return apierr.Invalid("name", "can contain only lowercase letters, digits, and '-', but cannot start or end with '-'")
	}
	return nil
}
