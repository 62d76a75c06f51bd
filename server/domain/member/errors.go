package member

import (
	"errors"

	"svc/server/platform/apierr"
	"svc/store"
)

// explain turns errors of the store into API errors.
func explain(err error) error {
	var last *store.LastOwnerError
	var higher *store.HigherRoleError
	var lower *store.LowerRoleError
	switch {
	case errors.As(err, &last):
		return apierr.Forbidden("The last owner of a group cannot be removed")
	case errors.As(err, &higher):
		return apierr.Forbidden()
	case errors.As(err, &lower):
		return apierr.Invalid("access_level", tooLow(lower))
	}
	return err
}

func tooLow(e *store.LowerRoleError) string {
	return "should be greater than or equal to " + e.Inherited.String() + " inherited membership from group " + e.Group
}

// memberExists turns a conflict into a 409: the user already is a member.
func memberExists(err error) error {
	if isConflict(err) {
		return apierr.Conflict("Member already exists")
	}
	return err
}

func isConflict(err error) bool {
	var taken *store.ConflictError
	return errors.As(err, &taken)
}

// recordRefusal records why a user was not added. It returns errors that are failures of the server.
func recordRefusal(refused map[string]string, name string, err error) error {
	var told *apierr.Error
	var lower *store.LowerRoleError
	switch {
	case err == nil:
	case store.IsNotFound(err):
		refused[name] = "User not found"
	case errors.As(err, &lower):
		refused[name] = "Access level " + tooLow(lower)
	case errors.As(err, &told):
		refused[name] = told.Error()
	default:
		return err
	}
	return nil
}
