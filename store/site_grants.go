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

var sessionByID = "SELECT s.id, s.user_id, s.digest, s.csrf_digest, s.created_at, s.expires_at, s.remembered, s.last_used_at, " +
	twoFactorMissing + ", " + callerColumns +
	" FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = ?"

// FindByID returns a session and the user that it belongs to.
func (s Sessions) FindByID(ctx context.Context, id int64) (model.Session, model.Caller, error) {
	var row model.Session
	var c model.Caller
	dest := append([]any{
		&row.ID, &row.UserID, &row.Digest, &row.CSRFDigest, &row.CreatedAt, &row.ExpiresAt, &row.Remembered,
		&row.LastUsedAt, &row.TwoFactorRequired,
	}, callerFields(&c)...)
	err := s.db.Row(ctx, sessionByID, []any{today(), today(), id}, dest...)
	return row, c, query.Translate(err, "Session")
}

// AtProject returns the site of a project, or a *NotFoundError.
func (s PagesDeployments) AtProject(ctx context.Context, id int64) (model.PagesSite, error) {
	rows, err := s.sites(s.db.Read(ctx).Raw(
		siteColumns+"false AS secure FROM projects p JOIN pages_deployments d ON d.project_id = p.id WHERE p.id = ?", id,
	), 1)
	if err == nil && len(rows) == 0 {
		err = &NotFoundError{Resource: pagesDeployment}
	}
	if err != nil {
		return model.PagesSite{}, err
	}
	return rows[0], nil
}
