package store

import (
	"context"
	"database/sql"
	"slices"

	"svc/store/internal/query"
	"svc/store/model"
)

// UsersBeside is what administrators see of users beside their rows.
type UsersBeside struct {
	Identities map[int64][]model.Identity // by user, the oldest first, with the visible columns
	Creators   map[int64]model.User       // with the columns that everybody can see
	Followed   map[int64]bool             // the users whom the reader follows
}

// Beside reads what administrators see of users beside their rows. On PostgreSQL it sends one message.
func (s Users) Beside(ctx context.Context, readerID int64, rows []model.User) (UsersBeside, error) {
	if len(rows) == 0 {
		return UsersBeside{}, nil
	}
	var ids, creators []int64
	for i := range rows {
		ids = append(ids, rows[i].ID)
		if rows[i].CreatedByID != nil {
			creators = append(creators, *rows[i].CreatedByID)
		}
	}
	in := s.inIDs(ids)
	var b UsersBeside
	err := s.db.RowsTogether(ctx, func() []query.Reading {
		b = UsersBeside{Identities: map[int64][]model.Identity{}, Creators: map[int64]model.User{}, Followed: map[int64]bool{}}
		readings := []query.Reading{
			{
				Text: "SELECT user_id, provider, extern_uid, saml_provider_id FROM identities WHERE user_id " + in.text + " ORDER BY id",
				Args: in.args, Scan: b.scanIdentity,
			},
			{
				Text: "SELECT followee_id FROM user_follows WHERE follower_id = ? AND followee_id " + in.text,
				Args: append([]any{readerID}, in.args...), Scan: b.scanFollowed,
			},
		}
		if len(creators) == 0 {
			return readings
		}
		by := s.inIDs(creators)
		text := "SELECT " + basicUserColumns + " FROM users u WHERE u.id " + by.text
		return append(readings, query.Reading{Text: text, Args: by.args, Scan: b.scanCreator})
	})
	return b, query.Translate(err)
}

func (b UsersBeside) scanIdentity(row query.Scanner) error {
	var i model.Identity
	err := row.Scan(&i.UserID, &i.Provider, &i.ExternUID, &i.SamlProviderID)
	b.Identities[i.UserID] = append(b.Identities[i.UserID], i)
	return err
}

func (b UsersBeside) scanFollowed(row query.Scanner) error {
	var id int64
	err := row.Scan(&id)
	b.Followed[id] = true
	return err
}

func (b UsersBeside) scanCreator(row query.Scanner) error {
	var u model.User
	err := row.Scan(basicUserFields(&u)...)
	b.Creators[u.ID] = u
	return err
}

// followedByReader tells whether a reader follows user u. Argument: the reader.
const followedByReader = "EXISTS (SELECT 1 FROM user_follows f WHERE f.follower_id = ? AND f.followee_id = u.id)"

// GetShown returns the user with this id, with the columns that other users see, and whether the reader follows them.
func (s Users) GetShown(ctx context.Context, id, readerID int64) (u model.User, followed bool, err error) {
	const statement = "SELECT " + shownUserColumns + ", " + followedByReader + " FROM users u WHERE id = ?"
	err = s.db.Row(ctx, statement, []any{readerID, id}, append(shownUserFields(&u), &followed)...)
	return u, followed, query.Translate(err, user)
}

// GetBeside returns the user with this id and what administrators see beside the row, in one statement.
func (s Users) GetBeside(ctx context.Context, id, readerID int64) (model.User, UsersBeside, error) {
	const (
		creator = "coalesce(c.id, 0), coalesce(c.username, ''), coalesce(c.name, ''), coalesce(c.state, ''), c.locked_at, c.avatar"
		columns = userColumns + ", " + followedByReader + ", " + creator
		join    = " LEFT JOIN users c ON c.id = u.created_by_id"
	)
	var u, by model.User
	var followed bool
	fields := append(append(userFields(&u), &followed), basicUserFields(&by)...)
	identities, err := s.withIdentities(ctx, columns, join, []any{readerID, id}, fields)
	return u, UsersBeside{
		Identities: map[int64][]model.Identity{id: identities},
		Creators:   map[int64]model.User{by.ID: by},
		Followed:   map[int64]bool{id: followed},
	}, err
}

// GetWithIdentities returns the user with this id and the visible columns of their identities, in one statement.
func (s Users) GetWithIdentities(ctx context.Context, id int64) (model.User, []model.Identity, error) {
	var u model.User
	identities, err := s.withIdentities(ctx, userColumns, "", []any{id}, userFields(&u))
	return u, identities, err
}

// withIdentities reads columns of users u into fields, and returns the visible columns of the identities of the user. The
// last argument is the id of the user.
func (s Users) withIdentities(ctx context.Context, columns, join string, args, fields []any) ([]model.Identity, error) {
	var identityID *int64
	var provider, externUID *string
	var provision *int64
	into := slices.Concat(fields, []any{&identityID, &provider, &externUID, &provision})
	statement := "SELECT " + columns + ", i.id, i.provider, i.extern_uid, i.saml_provider_id FROM users u" + join +
		" LEFT JOIN identities i ON i.user_id = u.id WHERE u.id = ? ORDER BY i.id"
	var identities []model.Identity
	found := false
	err := s.db.Rows(ctx, statement, args, func(r query.Scanner) error {
		found, identityID, provider, externUID, provision = true, nil, nil, nil, nil // rows must not share memory
		if err := r.Scan(into...); err != nil || identityID == nil {
			return err
		}
		identities = append(identities, model.Identity{
			ID: *identityID, Provider: *provider, ExternUID: *externUID, SamlProviderID: provision,
		})
		return nil
	})
	if err == nil && !found {
		err = sql.ErrNoRows
	}
	return identities, query.Translate(err, user)
}
