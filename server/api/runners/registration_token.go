package runners

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// ResetRegistrationTokenRunners replaces the registration token of the instance.
// POST /runners/reset_registration_token
func (r *Runners) ResetRegistrationTokenRunners(
	ctx context.Context, _ gen.ResetRegistrationTokenRunnersRequestObject,
) (gen.ResetRegistrationTokenRunnersResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminRunner); err != nil {
		return nil, err
	}
	token, err := r.runners.ResetRegistration(ctx, model.RegistrationToken{})
	if err != nil {
		return nil, err
	}
	return gen.ResetRegistrationTokenRunners201JSONResponse{Token: token}, nil
}

// ResetRegistrationTokenProjectRunners replaces the registration token of a project.
// POST /projects/{id}/runners/reset_registration_token
func (r *Runners) ResetRegistrationTokenProjectRunners(
	ctx context.Context, req gen.ResetRegistrationTokenProjectRunnersRequestObject,
) (gen.ResetRegistrationTokenProjectRunnersResponseObject, error) {
	project, err := r.access.Project(ctx, req.ID, access.AssignProjectRunner)
	if err != nil {
		return nil, err
	}
	token, err := r.runners.ResetRegistration(ctx, model.RegistrationToken{ProjectID: &project.Project.ID})
	if err != nil {
		return nil, err
	}
	return gen.ResetRegistrationTokenProjectRunners201JSONResponse{Token: token}, nil
}

// ResetRegistrationTokenGroupRunners replaces the registration token of a group.
// POST /groups/{id}/runners/reset_registration_token
func (r *Runners) ResetRegistrationTokenGroupRunners(
	ctx context.Context, req gen.ResetRegistrationTokenGroupRunnersRequestObject,
) (gen.ResetRegistrationTokenGroupRunnersResponseObject, error) {
	group, _, err := r.access.Group(ctx, req.ID, access.AdminGroupRunner)
	if err != nil {
		return nil, err
	}
	token, err := r.runners.ResetRegistration(ctx, model.RegistrationToken{GroupID: &group.ID})
	if err != nil {
		return nil, err
	}
	return gen.ResetRegistrationTokenGroupRunners201JSONResponse{Token: token}, nil
}
