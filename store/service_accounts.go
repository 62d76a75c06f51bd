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

// List returns one page of the service accounts of a source, by id or by username.
func (s ServiceAccounts) List(ctx context.Context, src Source, byUsername, ascending bool, p Page) ([]model.User, Total, error) {
	order := "id"
	if byUsername {
		order = "lower(username)"
	}
	if !ascending {
		order += " DESC"
	}
	return query.List[model.User](s.of(ctx, src).Order(order), p)
}

// Get returns a service account of a source.
func (s ServiceAccounts) Get(ctx context.Context, src Source, userID int64) (model.User, error) {
	return query.Take[model.User](s.of(ctx, src).Where("id = ?", userID), user)
}

// of selects the service accounts of a source that are not being deleted.
func (s ServiceAccounts) of(ctx context.Context, src Source) *gorm.DB {
	return s.db.Read(ctx).Table("users").
		Where("id IN (SELECT user_id FROM service_accounts WHERE source_type = ? AND source_id = ?)", src.Type, src.ID).
		Where("NOT EXISTS (SELECT 1 FROM user_deletions d WHERE d.user_id = users.id)")
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
