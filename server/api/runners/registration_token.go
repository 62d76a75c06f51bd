package runners

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// ResetRunnersRegistrationToken replaces the registration token of the instance.
// POST /runners/reset_registration_token
func (r *Runners) ResetRunnersRegistrationToken(
	ctx context.Context, _ gen.ResetRunnersRegistrationTokenRequestObject,
) (gen.ResetRunnersRegistrationTokenResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminRunner); err != nil {
		return nil, err
	}
	token, err := r.runners.ResetRegistration(ctx, model.RegistrationToken{})
	if err != nil {
		return nil, err
	}
	return gen.ResetRunnersRegistrationToken201JSONResponse{Token: token}, nil
}

// ResetProjectRunnersRegistrationToken replaces the registration token of a project.
// POST /projects/{id}/runners/reset_registration_token
func (r *Runners) ResetProjectRunnersRegistrationToken(
	ctx context.Context, req gen.ResetProjectRunnersRegistrationTokenRequestObject,
) (gen.ResetProjectRunnersRegistrationTokenResponseObject, error) {
	project, err := r.access.Project(ctx, req.ID, access.AssignProjectRunner)
	if err != nil {
		return nil, err
	}
	token, err := r.runners.ResetRegistration(ctx, model.RegistrationToken{ProjectID: &project.Project.ID})
	if err != nil {
		return nil, err
	}
	return gen.ResetProjectRunnersRegistrationToken201JSONResponse{Token: token}, nil
}

// ResetGroupRunnersRegistrationToken replaces the registration token of a group.
// POST /groups/{id}/runners/reset_registration_token
func (r *Runners) ResetGroupRunnersRegistrationToken(
	ctx context.Context, req gen.ResetGroupRunnersRegistrationTokenRequestObject,
) (gen.ResetGroupRunnersRegistrationTokenResponseObject, error) {
	group, _, err := r.access.Group(ctx, req.ID, access.AdminGroupRunner)
	if err != nil {
		return nil, err
	}
	token, err := r.runners.ResetRegistration(ctx, model.RegistrationToken{GroupID: &group.ID})
	if err != nil {
		return nil, err
	}
	return gen.ResetGroupRunnersRegistrationToken201JSONResponse{Token: token}, nil
}
