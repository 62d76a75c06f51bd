package members

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// maxUsersPerRequest is the maximum number of users that one request adds or invites.
const maxUsersPerRequest = 100

// create adds one or several users. The response for one user is the member; the response for several is the result for
// each user.
func (m *Members) create(ctx context.Context, find finder, b gen.MemberCreate) (any, error) {
	in, err := find(ctx, manage)
	if err != nil {
		return nil, err
	}
	names, err := userRefs(b)
	if err != nil {
		return nil, err
	}
	row, err := in.newMember(ctx, model.Access(b.AccessLevel), b.ExpiresAt.Ptr())
	if err != nil {
		return nil, err
	}
	people, err := m.findUsers(ctx, names, b.UserID != nil)
	if err != nil {
		return nil, err
	}
	if len(names) > 1 {
		return m.addAll(ctx, in, names, people, row)
	}
	u, found := people[names[0]]
	if !found {
		return nil, apierr.NotFound("User")
	}
	added, err := m.add(ctx, in, u, row)
	if err != nil {
		return nil, explain(err)
	}
	return m.shown(ctx, in, added.UserID, false)
}

// newMember returns a member with the given role, but without the user. It checks that the caller may give that role.
func (s source) newMember(ctx context.Context, role model.Access, ends *wire.Date) (model.Member, error) {
	if err := s.checkGrant(role); err != nil {
		return model.Member{}, err
	}
	day, err := expiry(ends)
	return model.Member{
		SourceType: s.kind, SourceID: s.id, AccessLevel: role, ExpiresAt: day, CreatedByID: &reqctx.Of(ctx).Actor.User.ID,
	}, err
}

// userRefs returns the IDs or usernames of the users to add.
func userRefs(b gen.MemberCreate) ([]string, error) {
	switch {
	case b.UserID == nil && b.Username == nil:
		return nil, apierr.BadParameter("user_id, username are missing, exactly one parameter must be provided")
	case b.UserID != nil && b.Username != nil:
		return nil, apierr.BadParameter("user_id, username are mutually exclusive")
	case b.UserID != nil:
		return checkCount("user_id", *b.UserID)
	}
	return checkCount("username", *b.Username)
}

// checkCount checks that a list names at least one user and not too many.
func checkCount(field string, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, apierr.BadParameter(field + " is empty")
	}
	if len(names) > maxUsersPerRequest {
		return nil, apierr.BadRequest("Too many users specified (limit is " + strconv.Itoa(maxUsersPerRequest) + ")")
	}
	return names, nil
}

func (m *Members) add(ctx context.Context, in source, u model.User, row model.Member) (model.Member, error) {
	row.UserID = u.ID
	return row, memberExists(m.join(ctx, in, &row))
}

// memberExists turns a conflict into a 409: the user already is a member.
func memberExists(err error) error {
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return apierr.Conflict("Member already exists")
	}
	return err
}

// join adds a member. The role must not be lower than the role that the user inherits from a group above.
func (m *Members) join(ctx context.Context, in source, row *model.Member) error {
	return m.store.Tx(ctx, func(ctx context.Context) error {
		if err := m.store.Members.CheckInherited(ctx, row.SourceType, row.SourceID, row.UserID, row.AccessLevel); err != nil {
			return err
		}
		if err := m.store.Members.Add(ctx, row); err != nil {
			return err
		}
		return m.recordJoined(ctx, in, *row)
	})
}

// findUsers finds users by ID or username with one query. The result is keyed by the given names.
func (m *Members) findUsers(ctx context.Context, names []string, byID bool) (map[string]model.User, error) {
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

// addAll adds several users and returns the result for each of them.
func (m *Members) addAll(
	ctx context.Context, in source, names []string, people map[string]model.User, row model.Member,
) (gen.MemberBatch, error) {
	refused := map[string]string{}
	err := m.addEach(ctx, in, names, people, row, refused)
	return batch(refused), err
}

// addEach adds each user separately, so that one refusal does not affect the others. It records the refusals by name.
func (m *Members) addEach(
	ctx context.Context, in source, names []string, people map[string]model.User, row model.Member,
	refused map[string]string,
) error {
	for _, name := range names {
		u, found := people[name]
		if !found {
			refused[name] = "User not found"
			continue
		}
		_, err := m.add(ctx, in, u, row)
		if err := recordRefusal(refused, name, err); err != nil {
			return err
		}
	}
	return nil
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

func batch(refused map[string]string) gen.MemberBatch {
	if len(refused) == 0 {
		return gen.MemberBatch{Status: gen.MemberBatchStatusSuccess}
	}
	return gen.MemberBatch{Status: gen.MemberBatchStatusError, Message: &refused}
}

// expiry validates an expiry date, which must be in the future. nil means no expiry.
func expiry(day *wire.Date) (*time.Time, error) {
	if day == nil {
		return nil, nil
	}
	return &day.Time, access.CheckExpiry(day.Time)
}

// created is the response of adding members: one member, or the result for several.
type created struct{ body any }

// VisitCreateGroupMemberResponse writes the response.
func (c created) VisitCreateGroupMemberResponse(w http.ResponseWriter) error { return c.write(w) }

// VisitCreateProjectMemberResponse writes the response.
func (c created) VisitCreateProjectMemberResponse(w http.ResponseWriter) error { return c.write(w) }

func (c created) write(w http.ResponseWriter) error {
	data, err := json.Marshal(c.body)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_, err = w.Write(append(data, '\n'))
	return err
}
