// Package protections manages protected branches and tags.
package protections

import (
	"errors"
	"strings"
	"unicode/utf8"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Protections holds the operations on protected branches and tags.
type Protections struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
}

// New returns the protection operations.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset) *Protections {
	return &Protections{store: st, access: a, pages: pages}
}

const maxName = 255

// checkName refuses a name that no branch or tag could match.
func checkName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return apierr.Invalid("name", "can't be blank")
	case utf8.RuneCountInString(name) > maxName:
		return apierr.Invalid("name", "is too long (maximum is 255 characters)")
	case !git.ValidTag(strings.ReplaceAll(name, "*", "x")):
		return apierr.Invalid("name", "is invalid")
	}
	return nil
}

// level returns the given role, or maintainer by default.
func level[T ~int64](given *T) model.Access {
	if given == nil {
		return model.Maintainer
	}
	return model.Access(*given)
}

// orConflict turns the conflict with an existing rule into a 409.
func orConflict(err error, text string) error {
	var conflict *store.ConflictError
	if errors.As(err, &conflict) {
		return apierr.Conflict(text)
	}
	return err
}
