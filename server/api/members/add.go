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
	people, err := m.people(ctx, names, req.Body.UserID != nil)
	if err != nil {
		return nil, err
	}
	if len(names) > 1 {
		batch, err := m.addAll(ctx, names, people, row)
		return created{batch}, err
	}
	u, found := people[names[0]]
	if !found {
		return nil, apierr.NotFound("User")
	}
	added, err := m.add(ctx, u, row)
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

func (m *Members) add(ctx context.Context, u model.User, row model.Member) (model.Member, error) {
	row.UserID = u.ID
	err := m.store.Members.Add(ctx, &row)
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return row, apierr.Conflict("Member already exists")
	}
	return row, err
}

// people finds the users named by id or username, by name, with one query.
func (m *Members) people(ctx context.Context, names []string, byID bool) (map[string]model.User, error) {
	if !byID {
		return m.store.Users.ByUsername(ctx, names)
	}
	ids := make([]int64, len(names))
	for i, name := range names {
		id, err := strconv.ParseInt(name, 10, 64)
		if err != nil {
			return nil, apierr.BadParameter("user_id is invalid")
		}
		ids[i] = id
	}
	rows, err := m.store.Users.ByID(ctx, ids)
	found := make(map[string]model.User, len(rows))
	for i, name := range names {
		if u, ok := rows[ids[i]]; ok {
			found[name] = u
		}
	}
	return found, err
}

// addAll adds each on its own, so that one refusal does not hinder the others, and tells the refusals by name.
func (m *Members) addAll(ctx context.Context, names []string, people map[string]model.User, row model.Member) (gen.MemberBatch, error) {
	refused := map[string]string{}
	for _, name := range names {
		u, found := people[name]
		if !found {
			refused[name] = "User not found"
			continue
		}
		var told *apierr.Error
		_, err := m.add(ctx, u, row)
		switch {
		case err == nil:
		case errors.As(err, &told):
			refused[name] = told.Error()
		default:
			return gen.MemberBatch{}, err
		}
	}
	if len(refused) == 0 {
		return gen.MemberBatch{Status: gen.MemberBatchStatusSuccess}, nil
	}
	return gen.MemberBatch{Status: gen.MemberBatchStatusError, Message: &refused}, nil
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
