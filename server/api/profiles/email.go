package profiles

import (
	"context"

	"svc/gen"
	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ListCurrentUserEmails lists the caller's secondary email addresses.
// GET /user/emails
func (p *Profiles) ListCurrentUserEmails(
	ctx context.Context, req gen.ListCurrentUserEmailsRequestObject,
) (gen.ListCurrentUserEmailsResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadOwnEmail)
	if err != nil {
		return nil, err
	}
	shown, headers, err := p.emails(ctx, actor.User.ID, req.Params.Pagination, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListCurrentUserEmails200JSONResponse{Body: shown, Headers: gen.ListCurrentUserEmails200ResponseHeaders(headers)}, nil
}

// CreateCurrentUserEmail adds an email address to the caller's account.
// POST /user/emails
func (p *Profiles) CreateCurrentUserEmail(
	ctx context.Context, req gen.CreateCurrentUserEmailRequestObject,
) (gen.CreateCurrentUserEmailResponseObject, error) {
	actor, err := access.Allow(ctx, access.CreateOwnEmail)
	if err != nil {
		return nil, err
	}
	shown, err := p.addEmail(ctx, actor.User.ID, req.Body.Email, false)
	return gen.CreateCurrentUserEmail201JSONResponse(shown), err
}

// GetCurrentUserEmail shows one of the caller's secondary email addresses.
// GET /user/emails/{email_id}
func (p *Profiles) GetCurrentUserEmail(
	ctx context.Context, req gen.GetCurrentUserEmailRequestObject,
) (gen.GetCurrentUserEmailResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadOwnEmail)
	if err != nil {
		return nil, err
	}
	row, err := p.store.Emails.GetOfUser(ctx, actor.User.ID, req.EmailID)
	return gen.GetCurrentUserEmail200JSONResponse(present.Email(row)), err
}

// DeleteCurrentUserEmail removes one of the caller's secondary email addresses.
// DELETE /user/emails/{email_id}
func (p *Profiles) DeleteCurrentUserEmail(
	ctx context.Context, req gen.DeleteCurrentUserEmailRequestObject,
) (gen.DeleteCurrentUserEmailResponseObject, error) {
	actor, err := access.Allow(ctx, access.DeleteOwnEmail)
	if err != nil {
		return nil, err
	}
	err = account.RemoveEmail(ctx, p.store, actor.User.ID, req.EmailID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	return gen.DeleteCurrentUserEmail204Response{}, err
}

// ListUserEmails lists a user's secondary email addresses.
// GET /users/{id}/emails
func (p *Profiles) ListUserEmails(ctx context.Context, req gen.ListUserEmailsRequestObject) (gen.ListUserEmailsResponseObject, error) {
	u, err := p.managed(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, headers, err := p.emails(ctx, u.ID, req.Params.Pagination, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListUserEmails200JSONResponse{Body: shown, Headers: gen.ListUserEmails200ResponseHeaders(headers)}, nil
}

// CreateUserEmail adds an email address to a user's account.
// POST /users/{id}/emails
func (p *Profiles) CreateUserEmail(ctx context.Context, req gen.CreateUserEmailRequestObject) (gen.CreateUserEmailResponseObject, error) {
	u, err := p.managed(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := p.addEmail(ctx, u.ID, req.Body.Email, req.Body.SkipConfirmation != nil && *req.Body.SkipConfirmation)
	return gen.CreateUserEmail201JSONResponse(shown), err
}

// DeleteUserEmail removes a secondary email address of a user.
// DELETE /users/{id}/emails/{email_id}
func (p *Profiles) DeleteUserEmail(ctx context.Context, req gen.DeleteUserEmailRequestObject) (gen.DeleteUserEmailResponseObject, error) {
	u, err := p.managed(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	err = account.RemoveEmail(ctx, p.store, u.ID, req.EmailID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	return gen.DeleteUserEmail204Response{}, err
}

// managed returns the user whose addresses an administrator wants to manage.
func (p *Profiles) managed(ctx context.Context, ref string) (model.User, error) {
	if _, err := access.Allow(ctx, access.AdminUserEmail); err != nil {
		return model.User{}, err
	}
	return access.FindUser(ctx, p.store, ref)
}

func (p *Profiles) emails(
	ctx context.Context, userID int64, paging *gen.Pagination, number, size *int64,
) ([]gen.Email, pagination.Headers, error) {
	if err := pagination.NoKeyset(paging); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := p.pages.Offset(ctx, pagination.Kind{Name: "Email"}, number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := p.store.Emails.ListByUser(ctx, userID, window.Page)
	return present.All(rows, present.Email), window.Headers(total), err
}

// addEmail adds an address to a user's account. Unless confirmed is set, the user has to confirm the address.
func (p *Profiles) addEmail(ctx context.Context, userID int64, address string, confirmed bool) (gen.Email, error) {
	row, broken, err := p.letters.AddEmail(ctx, userID, address, confirmed)
	if len(broken) > 0 {
		err = apierr.InvalidFields(broken)
	}
	if err != nil {
		return gen.Email{}, err
	}
	return present.Email(row), nil
}
