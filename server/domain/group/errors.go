package group

import (
	"errors"

	"svc/server/platform/apierr"
	"svc/store"
)

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

// explainTransfer turns errors of a move into the messages of the contract.
func explainTransfer(err error) error {
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

// explainShare turns errors of a new share into the answers that the API promises.
func explainShare(err error) error {
	var taken *store.ConflictError
	var outside *store.OutsideHierarchyError
	switch {
	case errors.As(err, &taken):
		return apierr.Conflict("The group has already been shared with this group")
	case errors.As(err, &outside):
		return apierr.NotFound("Group")
	}
	return err
}
