package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Identities holds the accounts at other providers that sign users in.
type Identities struct{ *base }

const identity = "Identity"

// Put creates or changes the identity of a user at a provider; there is one per provider. The group of a SAML identity
// stays unless another one is given.
func (s Identities) Put(ctx context.Context, i *model.Identity) error {
	set := []string{"extern_uid", "updated_at"}
	if i.SamlProviderID != nil {
		set = append(set, "saml_provider_id")
	}
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "user_id"}, {Name: "provider"}},
		DoUpdates: clause.AssignmentColumns(set),
	}).Create(i).Error)
}

// Delete removes a user's identity, unless it was changed after the given time.
func (s Identities) Delete(ctx context.Context, userID int64, provider string, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.Identity](ctx, s.db, identity, unchangedSince, "user_id = ? AND provider = ?", userID, provider)
}

// groupBy groups rows by a key and keeps their order.
func groupBy[T any](rows []T, of func(T) int64) map[int64][]T {
	out := map[int64][]T{}
	for _, row := range rows {
		out[of(row)] = append(out[of(row)], row)
	}
	return out
}
