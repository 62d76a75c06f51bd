package store

import (
	"context"
	"reflect"
	"strconv"

	"svc/store/internal/query"
	"svc/store/model"
)

// Frequently requested lists are written as SQL, which costs less than GORM. The rows "people" and "list" of make bench
// measure them.

const basicUserColumns = "u.id, u.username, u.name, u.state, u.locked_at"

func basicUserFields(u *model.User) []any {
	return []any{&u.ID, &u.Username, &u.Name, &u.State, &u.LockedAt}
}

// unfiltered reports whether the filter contains only a search term.
func (f UserFilter) unfiltered() bool {
	if len(f.CustomAttributes) == 0 {
		f.CustomAttributes = nil
	}
	return reflect.DeepEqual(f, UserFilter{Search: f.Search, SearchPrivateEmail: f.SearchPrivateEmail, Basic: f.Basic})
}

func (f UserFilter) sqlColumns() string {
	if f.Basic {
		return basicUserColumns
	}
	return userColumns
}

func (f UserFilter) fields(u *model.User) []any {
	if f.Basic {
		return basicUserFields(u)
	}
	return userFields(u)
}

// afterUnfiltered returns a page of all users by id.
func (s Users) afterUnfiltered(ctx context.Context, f UserFilter, k Keyset) ([]model.User, bool, error) {
	end, args := "", []any(nil)
	if k.After != nil {
		end, args = "WHERE u.id "+k.Operator()+" ? ", []any{k.After.ID}
	}
	end += "ORDER BY u.id" + k.Direction() + " LIMIT " + strconv.Itoa(k.Limit+1)
	rows, err := s.readUsers(ctx, f, s.db.Rows, condition{"SELECT " + f.sqlColumns() + " FROM users u " + end, args}, k.Limit+1)
	if err != nil {
		return nil, false, query.Translate(err)
	}
	if len(rows) > k.Limit {
		return rows[:k.Limit], true, nil
	}
	return rows, false, nil
}

// readUsers reads up to n users. read is the method few or each.
func (s Users) readUsers(
	ctx context.Context, f UserFilter, read func(context.Context, string, []any, func(query.Scanner) error) error,
	q condition, n int,
) ([]model.User, error) {
	rows := make([]model.User, 0, n)
	err := read(ctx, q.text, q.args, func(r query.Scanner) error {
		rows = append(rows, model.User{})
		return r.Scan(f.fields(&rows[len(rows)-1])...)
	})
	return rows, err
}
