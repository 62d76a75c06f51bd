package store

import (
	"context"
	"time"

	"svc/store/model"
)

// Users are the accounts.
type Users struct{ *base }

const (
	user     = "User"
	userByID = "SELECT " + userColumns + " FROM users u WHERE u.id = ?"
)

// Get returns the user with that id.
func (s Users) Get(ctx context.Context, id int64) (model.User, error) {
	var u model.User
	err := s.first(ctx, userByID, []any{id}, userFields(&u)...)
	return u, translate(err, user)
}

// GetByUsername returns the user with that username, whatever its case.
func (s Users) GetByUsername(ctx context.Context, username string) (model.User, error) {
	return take[model.User](s.read(ctx).Where("lower(username) = lower(?)", username), user)
}

// ByID returns the users with these ids.
func (s Users) ByID(ctx context.Context, ids []int64) (map[int64]model.User, error) {
	users := make(map[int64]model.User, len(ids))
	if len(ids) == 0 {
		return users, nil
	}
	rows, err := find[model.User](s.read(ctx).Where("id IN ?", ids), len(ids))
	for _, u := range rows {
		users[u.ID] = u
	}
	return users, translate(err)
}

// Any tells whether there is any user yet.
func (s Users) Any(ctx context.Context) (bool, error) {
	var n int64
	err := s.read(ctx).Raw("SELECT count(*) FROM (SELECT 1 FROM users LIMIT 1) AS found").Scan(&n).Error
	return n > 0, translate(err)
}

// Create adds a user with a personal namespace.
func (s Users) Create(ctx context.Context, u *model.User) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.claimEmail(ctx, u.Email, 0); err != nil {
			return err
		}
		n := model.DefaultNamespace(model.NamespaceUser)
		n.Name, n.Path = u.Name, u.Username
		if err := Namespaces(s).Create(ctx, &n); err != nil {
			return err
		}
		u.NamespaceID = &n.ID
		return translate(s.write(ctx).Create(u).Error)
	})
}

// Update changes the given columns of a user.
func (s Users) Update(ctx context.Context, id int64, set map[string]any) error {
	res := s.write(ctx).Model(&model.User{}).Where("id = ?", id).Updates(set)
	if res.Error == nil && res.RowsAffected == 0 {
		return &NotFoundError{Resource: user}
	}
	return translate(res.Error)
}

// Active notes that users did something on a day, in one statement.
func (s Users) Active(ctx context.Context, ids []int64, day time.Time) error {
	return translate(s.write(ctx).Exec(
		"UPDATE users SET last_activity_on = ? WHERE id IN ? AND (last_activity_on IS NULL OR last_activity_on < ?)", day, ids, day).Error)
}
