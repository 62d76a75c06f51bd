package profiles

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
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
	return gen.ListCurrentUserEmails200JSONResponse{
		Body: shown, Headers: gen.ListCurrentUserEmails200ResponseHeaders(headers),
	}, nil
}

// ListUserEmails lists a user's secondary email addresses.
// GET /users/{id}/emails
func (p *Profiles) ListUserEmails(
	ctx context.Context, req gen.ListUserEmailsRequestObject,
) (gen.ListUserEmailsResponseObject, error) {
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

// emails returns one page of the secondary addresses of a user.
func (p *Profiles) emails(
	ctx context.Context, userID int64, paging *gen.Pagination, number, size *int64,
) ([]gen.Email, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, p.pages, "Email", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := p.store.Emails.ListByUser(ctx, userID, window.Page)
	return present.All(rows, present.Email), window.Headers(total), err
}
