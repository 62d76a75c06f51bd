package members

import (
	"context"
	"strconv"

	"svc/gen"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// maxUsersPerRequest is the maximum number of users that one request adds or invites.
const maxUsersPerRequest = 100

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
