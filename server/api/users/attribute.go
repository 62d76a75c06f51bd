package users

import (
	"context"
	"unicode/utf8"

	"svc/gen"
	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ListUserCustomAttributes lists a user's custom attributes by key.
// GET /users/{id}/custom_attributes
func (u *Users) ListUserCustomAttributes(
	ctx context.Context, req gen.ListUserCustomAttributesRequestObject,
) (gen.ListUserCustomAttributesResponseObject, error) {
	if _, err := u.findAsAdmin(ctx, req.ID); err != nil {
		return nil, err
	}
	if err := pagination.NoKeyset(req.Params.Pagination); err != nil {
		return nil, err
	}
	window, err := u.pages.Offset(ctx, pagination.Kind{Name: "UserCustomAttribute"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := u.store.CustomAttributes.List(ctx, req.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListUserCustomAttributes200JSONResponse{
		Body:    present.All(rows, present.CustomAttribute),
		Headers: gen.ListUserCustomAttributes200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetUserCustomAttribute shows a custom attribute of a user.
// GET /users/{id}/custom_attributes/{key}
func (u *Users) GetUserCustomAttribute(
	ctx context.Context, req gen.GetUserCustomAttributeRequestObject,
) (gen.GetUserCustomAttributeResponseObject, error) {
	if _, err := u.findAsAdmin(ctx, req.ID); err != nil {
		return nil, err
	}
	row, err := u.store.CustomAttributes.Get(ctx, req.ID, req.Key)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.GetUserCustomAttribute200JSONResponse(present.CustomAttribute(row)), nil
}

// UpdateUserCustomAttribute sets a custom attribute of a user.
// PUT /users/{id}/custom_attributes/{key}
func (u *Users) UpdateUserCustomAttribute(
	ctx context.Context, req gen.UpdateUserCustomAttributeRequestObject,
) (gen.UpdateUserCustomAttributeResponseObject, error) {
	user, err := u.findAsAdmin(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	row := model.UserCustomAttribute{UserID: req.ID, Key: req.Key, Value: req.Body.Value}
	broken := account.FieldErrors{}
	if utf8.RuneCountInString(row.Key) > 255 {
		broken.Add("key", "is too long (maximum is 255 characters)")
	}
	switch {
	case row.Value == "":
		broken.Add("value", "can't be blank")
	case utf8.RuneCountInString(row.Value) > 10000:
		broken.Add("value", "is too long (maximum is 10000 characters)")
	}
	if len(broken) > 0 {
		return nil, apierr.InvalidFields(broken)
	}
	err = events.Audited(ctx, u.store, func(ctx context.Context) (events.Change, error) {
		return attributeChange(user, row.Key, "custom_attribute_set", "Set custom attribute"), u.store.CustomAttributes.Put(ctx, &row)
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateUserCustomAttribute200JSONResponse(present.CustomAttribute(row)), nil
}

// DeleteUserCustomAttribute removes a custom attribute from a user.
// DELETE /users/{id}/custom_attributes/{key}
func (u *Users) DeleteUserCustomAttribute(
	ctx context.Context, req gen.DeleteUserCustomAttributeRequestObject,
) (gen.DeleteUserCustomAttributeResponseObject, error) {
	user, err := u.findAsAdmin(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, u.store, func(ctx context.Context) (events.Change, error) {
		err := u.store.CustomAttributes.Delete(ctx, req.ID, req.Key, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
		return attributeChange(user, req.Key, "custom_attribute_deleted", "Removed custom attribute"), err
	})
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.DeleteUserCustomAttribute204Response{}, nil
}

// findAsAdmin returns a user. The caller must be an administrator.
func (u *Users) findAsAdmin(ctx context.Context, userID int64) (model.User, error) {
	if _, err := access.Allow(ctx, access.AdminUser); err != nil {
		return model.User{}, err
	}
	return access.UserByID(ctx, u.store, userID)
}

func attributeChange(u model.User, key, kind, message string) events.Change {
	c := events.OfUser(u, kind, message)
	c.Target = events.Target{Type: "CustomAttribute", ID: key, Details: key}
	return c
}
