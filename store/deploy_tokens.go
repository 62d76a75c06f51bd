package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// DeployTokens holds the tokens of groups and projects that belong to no user.
type DeployTokens struct{ *base }

const deployToken = "Deploy Token"

// DeployTokenFilter narrows a list of deploy tokens.
type DeployTokenFilter struct {
	Source *Source // nil for all tokens of the instance
	Active *bool   // true: neither revoked nor expired; false: revoked or expired
}

// List returns one page of deploy tokens, the oldest first.
func (s DeployTokens) List(ctx context.Context, f DeployTokenFilter, p Page) ([]model.DeployToken, Total, error) {
	q := s.db.Read(ctx).Order("id")
	if f.Source != nil {
		q = q.Where("source_type = ? AND source_id = ?", f.Source.Type, f.Source.ID)
	}
	if f.Active != nil {
		q = goodDeployTokens(q, *f.Active)
	}
	return query.List[model.DeployToken](q, p)
}

func goodDeployTokens(q *gorm.DB, good bool) *gorm.DB {
	text := "revoked = ? AND (expires_at IS NULL OR expires_at > ?)"
	if !good {
		text = "NOT (" + text + ")"
	}
	return q.Where(text, false, q.NowFunc())
}

// Get returns a deploy token of a group or project.
func (s DeployTokens) Get(ctx context.Context, src Source, id int64) (model.DeployToken, error) {
	return query.Take[model.DeployToken](
		s.db.Read(ctx).Where("id = ? AND source_type = ? AND source_id = ?", id, src.Type, src.ID),
		deployToken,
	)
}

// Authenticate returns the deploy token with the given digest if it is active and has the given username.
func (s DeployTokens) Authenticate(ctx context.Context, digest []byte, username string) (model.DeployToken, error) {
	t, err := s.GetByDigest(ctx, digest)
	if err == nil && t.Login() != username {
		err = &NotFoundError{Resource: deployToken}
	}
	if err != nil {
		return model.DeployToken{}, err
	}
	return t, nil
}

// GetByDigest returns the deploy token with the given digest if it is active.
func (s DeployTokens) GetByDigest(ctx context.Context, digest []byte) (model.DeployToken, error) {
	return query.Take[model.DeployToken](goodDeployTokens(s.db.Read(ctx).Where("digest = ?", digest), true), deployToken)
}

// Covers reports whether a deploy token is valid for a project: the token belongs to the project or to a group above
// it.
func (s DeployTokens) Covers(ctx context.Context, t model.DeployToken, projectID int64) (bool, error) {
	if t.SourceType == model.SourceProject {
		return t.SourceID == projectID, nil
	}
	var n int64
	err := query.ScanFirst(
		s.db.Read(ctx).Raw("SELECT count(*) FROM projects p JOIN namespace_ancestors a ON a.descendant_id = p.namespace_id "+
			"WHERE p.id = ? AND a.ancestor_id = ?", projectID, t.SourceID),
		&n,
	)
	return n > 0, query.Translate(err)
}

// RelatesTo reports whether the group or project of a deploy token is a group, or above or below it.
func (s DeployTokens) RelatesTo(ctx context.Context, t model.DeployToken, groupID int64) (bool, error) {
	text := "SELECT count(*) FROM namespace_ancestors WHERE ancestor_id = ? AND descendant_id = ? OR ancestor_id = ? AND descendant_id = ?"
	args := []any{groupID, t.SourceID, t.SourceID, groupID}
	if t.SourceType == model.SourceProject {
		text = "SELECT count(*) FROM projects p JOIN namespace_ancestors a ON a.descendant_id = p.namespace_id " +
			"WHERE p.id = ? AND a.ancestor_id = ?"
		args = []any{t.SourceID, groupID}
	}
	var n int64
	err := query.ScanFirst(s.db.Read(ctx).Raw(text, args...), &n)
	return n > 0, query.Translate(err)
}

// Create adds a deploy token.
func (s DeployTokens) Create(ctx context.Context, t *model.DeployToken) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.lockSource(ctx, Source{Type: t.SourceType, ID: t.SourceID}); err != nil {
			return err
		}
		return query.Translate(s.db.Write(ctx).Create(t).Error)
	})
}

// Delete removes a deploy token, unless it was changed after the given time.
func (s DeployTokens) Delete(ctx context.Context, t model.DeployToken, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, t, deployToken, unchangedSince)
}
