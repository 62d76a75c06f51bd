package project

import (
	"errors"
	"fmt"

	"svc/server/platform/apierr"
	"svc/store"
)

// explain turns errors of the store into the answers that the API promises.
func explain(err error) error {
	var taken *store.TakenError
	var conflict *store.ConflictError
	var wide *store.TooVisibleError
	var forked *store.ForkTooVisibleError
	var full *store.LimitError
	var moved *store.MoveError
	switch {
	case errors.As(err, &taken):
		return takenErrors(taken.Name, taken.Path).err()
	case errors.As(err, &conflict):
		name := conflict.Constraint == "projects_name"
		return takenErrors(name, !name).err()
	case errors.As(err, &moved):
		return moveFailed(moved)
	case errors.As(err, &wide):
		return apierr.Invalid("visibility_level", fmt.Sprintf("%s is not allowed in a %s group.", wide.Wanted, wide.Group))
	case errors.As(err, &forked):
		return apierr.Invalid(
			"visibility_level",
			fmt.Sprintf("%s is not allowed since the fork source project has lower visibility.", forked.Wanted),
		)
	case errors.As(err, &full):
		return apierr.Forbidden(
			fmt.Sprintf("Your project limit is %d projects! Please contact your administrator to increase it", full.Most),
		)
	}
	return err
}

// takenErrors returns the validation errors for the fields whose values are taken.
func takenErrors(name, path bool) fieldErrors {
	const text = "has already been taken"
	rules := fieldErrors{}
	if name {
		rules.add("name", text)
	}
	if path {
		rules.add("path", text)
	}
	return rules
}

// explainFork is explain for forks, which answer 409 if a name or a path is taken.
func explainFork(err error) error {
	var taken *store.TakenError
	var conflict *store.ConflictError
	var forked *store.AlreadyForkError
	var loop *store.ForkLoopError
	switch {
	case errors.As(err, &taken):
		return apierr.ConflictFields(takenErrors(taken.Name, taken.Path))
	case errors.As(err, &conflict):
		name := conflict.Constraint == "projects_name"
		return apierr.ConflictFields(takenErrors(name, !name))
	case errors.As(err, &forked):
		return apierr.Conflict("Project already forked")
	case errors.As(err, &loop):
		return apierr.BadRequest("A project cannot be a fork of itself or of one of its forks")
	}
	return explain(err)
}

// explainShare turns errors of a new share into the answers that the API promises.
func explainShare(err error) error {
	var taken *store.ConflictError
	var own *store.OwnGroupError
	var locked *store.SharingLockedError
	var outside *store.OutsideHierarchyError
	switch {
	case errors.As(err, &taken):
		return apierr.Conflict("Group already shared with this group")
	case errors.As(err, &own):
		return apierr.Conflict("Project cannot be shared with the group it is in or one of its ancestors.")
	case errors.As(err, &locked):
		return apierr.Forbidden("The project sharing with group is disabled")
	case errors.As(err, &outside):
		return apierr.NotFound("Group")
	}
	return err
}
