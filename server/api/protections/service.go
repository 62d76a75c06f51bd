// Package protections is which branches and tags are protected, and from whom.
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

// Protections are the operations on the rules for branches and tags.
type Protections struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
}

// New takes how rules are kept and judged.
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

// level is the role that is given, else maintainers.
func level[T ~int64](given *T) model.Access {
	if given == nil {
		return model.Maintainer
	}
	return model.Access(*given)
}

// taken tells of a rule that is there already.
func taken(err error, text string) error {
	var conflict *store.ConflictError
	if errors.As(err, &conflict) {
		return apierr.Conflict(text)
	}
	return err
}
