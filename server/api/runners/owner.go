package runners

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"svc/server/domain/ci/runner"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// findOwner returns the owner of a new runner of the given type. It refuses callers who may not create a runner there.
func (r *Runners) findOwner(
	ctx context.Context, runnerType string, groupID, projectID *int64, admin bool,
) (runner.Owner, error) {
	in := runner.Owner{Type: runnerType}
	switch runnerType {
	case model.GroupRunner:
		if groupID == nil {
			return in, apierr.BadParameter("group_id is missing")
		}
		group, _, err := r.access.Group(ctx, number(*groupID), access.AdminGroupRunner)
		in.GroupID = &group.ID
		return in, scopeRefusal(err)
	case model.ProjectRunner:
		if projectID == nil {
			return in, apierr.BadParameter("project_id is missing")
		}
		project, err := r.access.Project(ctx, number(*projectID), access.CreateProjectRunner)
		in.ProjectID = &project.Project.ID
		return in, scopeRefusal(err)
	}
	if !admin {
		return in, noPermission()
	}
	return in, nil
}

func number(id int64) string { return strconv.FormatInt(id, 10) }

func noPermission() error { return apierr.Forbidden("Insufficient permissions") }

// scopeRefusal gives the errors of a group or project the texts of this operation. A group or project that the caller
// cannot see is answered like one that does not exist.
func scopeRefusal(err error) error {
	var refused *apierr.Error
	switch {
	case store.IsNotFound(err):
		return apierr.BadRequest("Missing/invalid scope")
	case !errors.As(err, &refused):
		return err
	case refused.Status == http.StatusNotFound:
		return apierr.BadRequest("Missing/invalid scope")
	case refused.Status == http.StatusForbidden:
		return noPermission()
	}
	return err
}
