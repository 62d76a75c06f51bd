package store

import (
	"context"
	"errors"
	"fmt"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// ServiceAccounts holds the users that programs use and nobody signs in as. The zero Source is the instance.
type ServiceAccounts struct{ *base }

// Create adds a service account.
func (s ServiceAccounts) Create(ctx context.Context, src Source, u *model.User) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if src.Type != "" {
			if err := s.lockSource(ctx, src); err != nil {
				return err
			}
		}
		if err := Users(s).Create(ctx, u); err != nil {
			return err
		}
		row := model.ServiceAccount{UserID: u.ID, SourceType: src.Type, SourceID: src.ID}
		return query.Translate(s.db.Write(ctx).Create(&row).Error)
	})
}

const accountColumns = "id, username, name, state, kind, locked_at, avatar, email, public_email"

func accountFields(u *model.User) []any {
	return []any{&u.ID, &u.Username, &u.Name, &u.State, &u.Kind, &u.LockedAt, &u.Avatar, &u.Email, &u.PublicEmail}
}

// List returns one page of the service accounts of a source, by id or by username, with what a list shows of them.
func (s ServiceAccounts) List(ctx context.Context, src Source, byUsername, ascending bool, p Page) ([]model.User, Total, error) {
	order := "id"
	if byUsername {
		order = "lower(username)"
	}
	if !ascending {
		order += " DESC"
	}
	from := condition{"users WHERE " + accountsOfSource, []any{src.Type, src.ID}}
	return shortList[model.User]{columns: accountColumns, from: from, order: order, fields: accountFields}.page(ctx, s.base, p)
}

// Get returns a service account of a source.
func (s ServiceAccounts) Get(ctx context.Context, src Source, userID int64) (model.User, error) {
	return query.Take[model.User](s.of(ctx, src).Where("id = ?", userID), user)
}

// accountsOfSource selects the service accounts of a source that are not being deleted.
const accountsOfSource = "id IN (SELECT user_id FROM service_accounts WHERE source_type = ? AND source_id = ?) " +
	"AND NOT EXISTS (SELECT 1 FROM user_deletions d WHERE d.user_id = users.id)"

func (s ServiceAccounts) of(ctx context.Context, src Source) *gorm.DB {
	return s.db.Read(ctx).Table("users").Where(accountsOfSource, src.Type, src.ID)
}

// SourceOf returns the group or project that a service account belongs to. It returns a *NotFoundError for other users.
func (s ServiceAccounts) SourceOf(ctx context.Context, userID int64) (Source, error) {
	row, err := query.Take[model.ServiceAccount](s.db.Read(ctx).Where("user_id = ?", userID), "Service Account")
	return Source{Type: row.SourceType, ID: row.SourceID}, err
}

// removeAll removes the service accounts of groups or projects that are about to be deleted. The condition is on source_id.
func (s ServiceAccounts) removeAll(ctx context.Context, where string, args ...any) error {
	gone, err := query.Find[model.ServiceAccount](s.db.Write(ctx).Where(where, args...).Order("user_id"), 0)
	if err != nil {
		return query.Translate(err)
	}
	var errs []error
	for _, row := range gone {
		if err := Users(s).Remove(ctx, row.UserID); err != nil {
			errs = append(errs, fmt.Errorf("remove service account %d: %w", row.UserID, err))
		}
	}
	return errors.Join(errs...)
}
