package profiles

import (
	"context"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// GetCurrentUserStatus shows the caller's status.
// GET /user/status
func (p *Profiles) GetCurrentUserStatus(
	ctx context.Context, _ gen.GetCurrentUserStatusRequestObject,
) (gen.GetCurrentUserStatusResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadOwnStatus)
	if err != nil {
		return nil, err
	}
	shown, err := p.status(ctx, actor.User.ID)
	return gen.GetCurrentUserStatus200JSONResponse(shown), err
}

// UpdateCurrentUserStatus replaces the caller's status.
// PUT /user/status
func (p *Profiles) UpdateCurrentUserStatus(
	ctx context.Context, req gen.UpdateCurrentUserStatusRequestObject,
) (gen.UpdateCurrentUserStatusResponseObject, error) {
	actor, err := access.Allow(ctx, access.UpdateOwnStatus)
	if err != nil {
		return nil, err
	}
	in, err := readStatus(*req.Body, actor.User.ID, time.Now())
	if err != nil {
		return nil, err
	}
	if in.hasContent {
		err = p.store.UserStatuses.Replace(ctx, &in.row)
	} else {
		err = p.store.UserStatuses.Delete(ctx, actor.User.ID)
	}
	if err != nil {
		return nil, err
	}
	shown, err := p.status(ctx, actor.User.ID)
	return gen.UpdateCurrentUserStatus200JSONResponse(shown), err
}

// PatchCurrentUserStatus changes the given fields of the caller's status.
// PATCH /user/status
func (p *Profiles) PatchCurrentUserStatus(
	ctx context.Context, req gen.PatchCurrentUserStatusRequestObject,
) (gen.PatchCurrentUserStatusResponseObject, error) {
	actor, err := access.Allow(ctx, access.UpdateOwnStatus)
	if err != nil {
		return nil, err
	}
	in, err := readStatus(*req.Body, actor.User.ID, time.Now())
	if err != nil {
		return nil, err
	}
	switch {
	case in.clears:
		err = p.store.UserStatuses.Delete(ctx, actor.User.ID)
	case len(in.columns) > 0:
		err = p.store.UserStatuses.Change(ctx, &in.row, in.columns, in.hasContent, time.Now())
	}
	if err != nil {
		return nil, err
	}
	shown, err := p.status(ctx, actor.User.ID)
	return gen.PatchCurrentUserStatus200JSONResponse(shown), err
}

// GetUserStatus shows the status of a user.
// GET /users/{user_id}/status
func (p *Profiles) GetUserStatus(ctx context.Context, req gen.GetUserStatusRequestObject) (gen.GetUserStatusResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadUserStatus); err != nil {
		return nil, err
	}
	u, err := access.FindUser(ctx, p.store, req.UserID)
	if err != nil {
		return nil, err
	}
	shown, err := p.status(ctx, u.ID)
	return gen.GetUserStatus200JSONResponse(shown), err
}

func (p *Profiles) status(ctx context.Context, userID int64) (gen.UserStatus, error) {
	row, err := p.store.UserStatuses.Get(ctx, userID, time.Now())
	if store.IsNotFound(err) {
		return present.UserStatus(nil), nil
	}
	return present.UserStatus(&row), err
}

// statusInput is a status from a request: the row that a user without a status would get, and which fields were given.
type statusInput struct {
	row        model.UserStatus
	columns    []string // the columns of the given fields
	hasContent bool     // the status has something to show
	clears     bool     // emoji, message and availability are all given as null or empty
}

// readStatus reads a status from a request. An empty text counts as null, because forms send it that way.
func readStatus(body gen.UserStatusUpdate, userID int64, now time.Time) (statusInput, error) {
	in := statusInput{row: model.UserStatus{UserID: userID, Emoji: model.DefaultEmoji, Availability: model.AvailabilityNotSet}}
	emoji, message, availability := given(body.Emoji), given(body.Message), body.Availability.Ptr()
	broken := account.FieldErrors{}
	if account.CheckStatus(broken, emoji, message); len(broken) > 0 {
		return in, apierr.InvalidFields(broken)
	}
	if emoji != nil {
		in.row.Emoji = *emoji
	}
	in.row.Message = message
	if availability != nil {
		in.row.Availability = string(*availability)
	}
	if after := body.ClearStatusAfter.Ptr(); after != nil {
		end := now.UTC().Add(account.StatusDurations[string(*after)])
		in.row.ClearStatusAt = &end
	}
	in.hasContent = emoji != nil || message != nil || availability != nil
	in.clears = !in.hasContent && body.Emoji.IsSet() && body.Message.IsSet() && body.Availability.IsSet()
	for _, c := range []struct {
		column string
		given  bool
	}{
		{"emoji", body.Emoji.IsSet()},
		{"message", body.Message.IsSet()},
		{"availability", body.Availability.IsSet()},
		{"clear_status_at", body.ClearStatusAfter.IsSet()},
	} {
		if c.given {
			in.columns = append(in.columns, c.column)
		}
	}
	return in, nil
}

func given(text wire.Optional[string]) *string {
	if v := text.Ptr(); v != nil && *v != "" {
		return v
	}
	return nil
}
