package groups

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/naming"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

const maxDescription = 500

// failure returns a validation error in the format of the group operations: one text that names the field.
func failure(field, text string) error {
	e := &apierr.Error{Status: 400}
	e.Body.Message = fmt.Sprintf("Failed to save group {:%s=>[%q]}", field, text)
	return e
}

func checkName(name string) error {
	if broken := naming.Name(name); broken != "" {
		return failure("name", broken)
	}
	return nil
}

// checkDescription rejects a long description, because lists show many descriptions.
func checkDescription(text string) error {
	if utf8.RuneCountInString(text) > maxDescription {
		return failure("description", "is too long (maximum is 500 characters)")
	}
	return nil
}

// checkPath validates a path. At the top level it must not be a reserved name.
func checkPath(path string, atTop bool) error {
	if broken := naming.Path(path, atTop); broken != "" {
		return failure("path", broken)
	}
	return nil
}

// checkPlace validates a new group, also against its parent group.
func checkPlace(g model.Namespace, parent *model.Namespace) error {
	if err := checkName(g.Name); err != nil {
		return err
	}
	if err := checkPath(g.Path, parent == nil); err != nil {
		return err
	}
	if err := checkDescription(g.Description); err != nil {
		return err
	}
	if parent != nil && g.Visibility > parent.Visibility {
		return failure("visibility_level", tooVisible(g.Visibility, parent.Visibility))
	}
	return nil
}

func tooVisible(child, parent model.Visibility) string {
	return fmt.Sprintf("%s is not allowed since the parent group has a %s visibility.", child, parent)
}

// parentGroup returns the group to create or move a group into, or nil for the top level. It refuses callers who may not
// create groups there.
func (g *Groups) parentGroup(ctx context.Context, id *int64) (*model.Namespace, error) {
	if id == nil {
		return nil, g.mayCreateAtTop(ctx)
	}
	parent, role, err := g.access.Group(ctx, strconv.FormatInt(*id, 10), access.ReadGroup)
	if err != nil {
		return nil, err
	}
	least := model.Owner
	if parent.SubgroupCreationLevel == "maintainer" {
		least = model.Maintainer
	}
	if role < least {
		return nil, apierr.Forbidden()
	}
	return &parent, nil
}

func (g *Groups) mayCreateAtTop(ctx context.Context) error {
	actor := reqctx.Of(ctx).Actor
	u, err := g.store.Users.Get(ctx, actor.User.ID)
	if err != nil {
		return err
	}
	if !u.Admin && (!u.CanCreateGroup || u.External) {
		return apierr.Forbidden()
	}
	return nil
}

func visibility(v gen.Visibility) model.Visibility {
	return map[gen.Visibility]model.Visibility{"private": model.Private, "internal": model.Internal, "public": model.Public}[v]
}

// explainSave turns errors of the store into the messages of the contract.
func explainSave(err error) error {
	var taken *store.ConflictError
	var deep *store.TooDeepError
	var long *store.PathTooLongError
	switch {
	case errors.As(err, &taken):
		return failure("path", "has already been taken")
	case errors.As(err, &long):
		return failure("path", "is too long together with its parent groups or subgroups (maximum is 1024 characters)")
	case errors.As(err, &deep):
		return failure("parent_id", "has too deep level of nesting")
	}
	return err
}

func explainMove(err error) error {
	var taken *store.ConflictError
	var deep *store.TooDeepError
	var cycle *store.CycleError
	var long *store.PathTooLongError
	switch {
	case errors.As(err, &long):
		return apierr.BadRequest("Transfer failed: The path would be too long.")
	case errors.As(err, &taken):
		return apierr.BadRequest("Transfer failed: The parent group already has a subgroup or a project with the same path.")
	case errors.As(err, &deep):
		return apierr.BadRequest("Transfer failed: The group would be nested more than 20 levels deep.")
	case errors.As(err, &cycle):
		return apierr.BadRequest("Transfer failed: A group cannot be moved into itself or one of its subgroups.")
	}
	return err
}
