package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// SiteGrants holds the codes that sign users in to Pages sites.
type SiteGrants struct{ *base }

const siteGrant = "SiteGrant"

// Create adds a code and deletes expired codes.
func (s SiteGrants) Create(ctx context.Context, g *model.SiteGrant, at time.Time) error {
	if err := s.db.Write(ctx).Where("expires_at < ?", at).Delete(&model.SiteGrant{}).Error; err != nil {
		return query.Translate(err)
	}
	return query.Translate(s.db.Write(ctx).Create(g).Error)
}

// Consume returns the code with this digest and deletes it, so that it can be used once. For a code that has expired,
// or that is for another host or browser, it returns a *NotFoundError. Such a code is deleted too.
func (s SiteGrants) Consume(ctx context.Context, digest, state []byte, host string, at time.Time) (model.SiteGrant, error) {
	var rows []model.SiteGrant
	err := s.db.Write(ctx).Raw("DELETE FROM site_grants WHERE digest = ? RETURNING *", digest).Scan(&rows).Error
	switch {
	case err != nil:
		return model.SiteGrant{}, query.Translate(err)
	case len(rows) == 0 || rows[0].Host != host || string(rows[0].State) != string(state) || !at.Before(rows[0].ExpiresAt):
		return model.SiteGrant{}, &NotFoundError{Resource: siteGrant}
	}
	return rows[0], nil
}
