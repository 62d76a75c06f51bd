package members

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/access"
	"svc/server/apierr"
	"svc/server/request"
	"svc/store"
	"svc/store/model"
)

// mostAtOnce bounds how many users one request adds.
const mostAtOnce = 100

// CreateGroupMember adds one user, or several named with commas.
// POST /groups/{id}/members
func (m *Members) CreateGroupMember(ctx context.Context, req gen.CreateGroupMemberRequestObject) (gen.CreateGroupMemberResponseObject, error) {
	group, _, err := m.access.Group(ctx, req.ID, access.AdminGroupMember)
	if err != nil {
		return nil, err
	}
	names, err := named(*req.Body)
	if err != nil {
		return nil, err
	}
	day, err := expiry(req.Body.ExpiresAt.Ptr())
	if err != nil {
		return nil, err
	}
	row := model.Member{SourceType: model.SourceGroup, SourceID: group.ID, AccessLevel: model.Access(req.Body.AccessLevel), ExpiresAt: day}
	row.CreatedByID = &request.Of(ctx).Actor.User.ID
	if len(names) > 1 {
		return created{m.addAll(ctx, names, req.Body.UserID != nil, row)}, nil
	}
	added, err := m.add(ctx, names[0], req.Body.UserID != nil, row)
	if err != nil {
		return nil, err
	}
	shown, err := m.store.Members.Get(ctx, of(group, false), added.UserID)
	if err != nil {
		return nil, err
	}
	return created{m.show.Member(seesEmail(ctx))(shown)}, nil
}

// named are the users to add, by id or by username.
func named(b gen.MemberCreate) ([]string, error) {
	switch {
	case b.UserID == nil && b.Username == nil:
		return nil, apierr.BadParameter("user_id, username are missing, exactly one parameter must be provided")
	case b.UserID != nil && b.Username != nil:
		return nil, apierr.BadParameter("user_id, username are mutually exclusive")
	}
	text, field := "", "user_id"
	if b.UserID != nil {
		text = *b.UserID
	} else {
		text, field = *b.Username, "username"
	}
	names := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	if len(names) == 0 {
		return nil, apierr.BadParameter(field + " is empty")
	}
	if len(names) > mostAtOnce {
		return nil, apierr.BadRequest("Too many users specified (limit is " + strconv.Itoa(mostAtOnce) + ")")
	}
	return names, nil
}

func (m *Members) add(ctx context.Context, name string, byID bool, row model.Member) (model.Member, error) {
	u, err := m.user(ctx, name, byID)
	if err != nil {
		return row, err
	}
	row.UserID = u.ID
	err = m.store.Members.Add(ctx, &row)
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return row, apierr.Conflict("Member already exists")
	}
	return row, err
}

func (m *Members) user(ctx context.Context, name string, byID bool) (model.User, error) {
	if !byID {
		return m.store.Users.GetByUsername(ctx, name)
	}
	id, err := strconv.ParseInt(name, 10, 64)
	if err != nil {
		return model.User{}, apierr.BadParameter("user_id is invalid")
	}
	return m.store.Users.Get(ctx, id)
}

// addAll adds each on its own, so that one failure does not hinder the others, and tells the failures by name.
func (m *Members) addAll(ctx context.Context, names []string, byID bool, row model.Member) gen.MemberBatch {
	failures := map[string]string{}
	for _, name := range names {
		var told *apierr.Error
		switch _, err := m.add(ctx, name, byID, row); {
		case err == nil:
		case store.IsNotFound(err):
			failures[name] = "User not found"
		case errors.As(err, &told):
			failures[name] = told.Error()
		default:
			failures[name] = "could not be added"
		}
	}
	if len(failures) == 0 {
		return gen.MemberBatch{Status: gen.MemberBatchStatusSuccess}
	}
	return gen.MemberBatch{Status: gen.MemberBatchStatusError, Message: &failures}
}

// expiry is a day after today, or none.
func expiry(day *wire.Date) (*time.Time, error) {
	if day == nil {
		return nil, nil
	}
	return &day.Time, access.CheckExpiry(day.Time)
}

func explain(err error) error {
	var last *store.LastOwnerError
	if errors.As(err, &last) {
		return apierr.Forbidden("The last owner of a group cannot be removed")
	}
	return err
}

// created answers with a member or with what came of several.
type created struct{ body any }

// VisitCreateGroupMemberResponse writes the one or the other.
func (c created) VisitCreateGroupMemberResponse(w http.ResponseWriter) error {
	data, err := json.Marshal(c.body)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_, err = w.Write(append(data, '\n'))
	return err
}
