package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// Users holds the user accounts.
type Users struct{ *base }

const (
	user     = "User"
	userByID = "SELECT " + userColumns + " FROM users u WHERE u.id = ?"
)

// Get returns the user with this id.
func (s Users) Get(ctx context.Context, id int64) (model.User, error) {
	var u model.User
	err := s.db.Row(ctx, userByID, []any{id}, userFields(&u)...)
	return u, query.Translate(err, user)
}

// GetByUsername returns the user with this username, in any case.
func (s Users) GetByUsername(ctx context.Context, username string) (model.User, error) {
	return query.Take[model.User](s.db.Read(ctx).Where("lower(username) = lower(?)", username), user)
}

// GetByPublicEmail returns the user with this public email address, in any case.
func (s Users) GetByPublicEmail(ctx context.Context, address string) (model.User, error) {
	return query.Take[model.User](
		s.db.Read(ctx).Where("public_email IS NOT NULL AND lower(public_email) = lower(?)", address).Order("id"),
		user,
	)
}

// GetByLogin returns the user with this username or primary email address, in any case.
func (s Users) GetByLogin(ctx context.Context, login string) (model.User, error) {
	if strings.Contains(login, "@") {
		return query.Take[model.User](s.db.Read(ctx).Where("lower(email) = lower(?)", login), user)
	}
	return s.GetByUsername(ctx, login)
}

// ByID returns the users with these ids, keyed by id.
func (s Users) ByID(ctx context.Context, ids []int64) (map[int64]model.User, error) {
	return s.byID(ctx, ids, userColumns, userFields)
}

// byID returns users with some columns of users u, keyed by id.
func (s Users) byID(
	ctx context.Context, ids []int64, columns string, fields func(u *model.User) []any,
) (map[int64]model.User, error) {
	users := make(map[int64]model.User, len(ids))
	if len(ids) == 0 {
		return users, nil
	}
	in := s.inIDs(slices.Compact(slices.Sorted(slices.Values(ids))))
	rows, err := readRows(ctx, s.base, columns, condition{"users u WHERE u.id " + in.text, in.args}, len(ids), fields)
	for _, u := range rows {
		users[u.ID] = u
	}
	return users, err
}

// ByUsername returns the users with these usernames in any case, keyed by the names as given.
func (s Users) ByUsername(ctx context.Context, names []string) (map[string]model.User, error) {
	lower := make([]string, len(names))
	for i, name := range names {
		lower[i] = strings.ToLower(name)
	}
	rows, err := query.Find[model.User](s.db.Read(ctx).Where("lower(username) IN ?", lower), len(names))
	users := make(map[string]model.User, len(names))
	for _, u := range rows {
		for i, name := range names {
			if lower[i] == strings.ToLower(u.Username) {
				users[name] = u
			}
		}
	}
	return users, query.Translate(err)
}

// ByNamespace returns the users of personal namespaces, keyed by namespace id. Groups are skipped.
func (s Users) ByNamespace(ctx context.Context, rows ...model.Namespace) (map[int64]model.User, error) {
	users := map[int64]model.User{}
	var ids []int64
	for _, n := range rows {
		if n.Kind == model.NamespaceUser {
			ids = append(ids, n.ID)
		}
	}
	if len(ids) == 0 {
		return users, nil
	}
	found, err := query.Find[model.User](s.db.Read(ctx).Select("namespace_id, "+shownUserColumns).Where("namespace_id IN ?", ids), len(ids))
	for _, u := range found {
		users[*u.NamespaceID] = u
	}
	return users, query.Translate(err)
}

// EmailTaken reports whether any user has an email address, primary or secondary, in any case.
func (s Users) EmailTaken(ctx context.Context, address string) (bool, error) {
	primary, further, err := s.emailTaken(ctx, address, 0)
	return primary || further, err
}

// Any reports whether there is at least one user.
func (s Users) Any(ctx context.Context) (bool, error) {
	var n int64
	err := s.db.Read(ctx).Raw("SELECT count(*) FROM (SELECT 1 FROM users LIMIT 1) AS found").Scan(&n).Error
	return n > 0, query.Translate(err)
}

// Create adds a user with a personal namespace.
func (s Users) Create(ctx context.Context, u *model.User) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.claimEmail(ctx, u.Email, 0, 0); err != nil {
			return err
		}
		n := model.DefaultNamespace(model.NamespaceUser)
		n.Name, n.Path = u.Name, u.Username
		if err := Namespaces(s).Create(ctx, &n); err != nil {
			return err
		}
		u.NamespaceID = &n.ID
		if err := query.Translate(s.db.Write(ctx).Create(u).Error); err != nil || u.ConfirmedAt == nil {
			return err
		}
		return s.acceptInvitations(ctx, u.ID, u.Email)
	})
}

// Update changes the given columns of a user.
func (s Users) Update(ctx context.Context, id int64, set map[string]any) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if address, ok := set["email"].(string); ok {
			if err := s.claimEmail(ctx, address, id, id); err != nil {
				return err
			}
		}
		res := s.db.Write(ctx).Model(&model.User{}).Where("id = ?", id).Updates(set)
		if res.Error == nil && res.RowsAffected == 0 {
			return &NotFoundError{Resource: user}
		}
		if res.Error != nil {
			return query.Translate(res.Error)
		}
		return s.acceptConfirmed(ctx, id, set)
	})
}

// acceptConfirmed accepts the invitations of a user, if a change has given them a confirmed primary email address.
func (s Users) acceptConfirmed(ctx context.Context, id int64, set map[string]any) error {
	if set["email"] == nil && set["confirmed_at"] == nil {
		return nil
	}
	u, err := query.Take[model.User](s.db.Write(ctx).Where("id = ?", id), user)
	if err != nil || u.ConfirmedAt == nil {
		return err
	}
	return s.acceptInvitations(ctx, id, u.Email)
}

// StoreActivity stores in one statement that users were active: the day of their last activity, and the time of their current
// sign-in. It never moves them back.
func (s Users) StoreActivity(ctx context.Context, ids []int64, at time.Time) error {
	day := at.Truncate(24 * time.Hour)
	return query.Translate(s.db.Write(ctx).Exec("UPDATE users SET current_sign_in_at = ?, "+
		"last_activity_on = CASE WHEN last_activity_on IS NULL OR last_activity_on < ? THEN ? ELSE last_activity_on END "+
		"WHERE id IN ? AND (current_sign_in_at IS NULL OR current_sign_in_at < ?)", at, day, day, ids, at).Error)
}
