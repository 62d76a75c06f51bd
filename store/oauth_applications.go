package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// OAuthApplications holds the OAuth applications that act for users.
type OAuthApplications struct{ *base }

const application = "Application"

// OAuthOwner is the owner of an application: a user, a group or, if nothing is set, the instance.
type OAuthOwner struct {
	UserID      *int64
	NamespaceID *int64
}

// List returns one page of all applications, the oldest first.
func (s OAuthApplications) List(ctx context.Context, p Page) ([]model.OAuthApplication, Total, error) {
	return query.List[model.OAuthApplication](s.db.Read(ctx).Order("id"), p)
}

// ListByOwner returns one page of the applications of a user, of a group or of the instance, the oldest first.
func (s OAuthApplications) ListByOwner(ctx context.Context, o OAuthOwner, p Page) ([]model.OAuthApplication, Total, error) {
	q := s.db.Read(ctx).Order("id")
	switch {
	case o.UserID != nil:
		q = q.Where("user_id = ?", *o.UserID)
	case o.NamespaceID != nil:
		q = q.Where("namespace_id = ?", *o.NamespaceID)
	default:
		q = q.Where("user_id IS NULL AND namespace_id IS NULL")
	}
	return query.List[model.OAuthApplication](q, p)
}

// Get returns the application with the given id.
func (s OAuthApplications) Get(ctx context.Context, id int64) (model.OAuthApplication, error) {
	return query.Take[model.OAuthApplication](s.db.Read(ctx).Where("id = ?", id), application)
}

// GetByUID returns the application with the given application ID.
func (s OAuthApplications) GetByUID(ctx context.Context, uid string) (model.OAuthApplication, error) {
	var a model.OAuthApplication
	err := s.db.Row(ctx, applicationByUID, []any{uid}, &a.ID, &a.UID, &a.Name, &a.SecretDigest, &a.RedirectURI, &a.Scopes,
		&a.Confidential, &a.Trusted,
		&a.UserID, &a.NamespaceID, &a.CreatedAt, &a.UpdatedAt)
	return a, query.Translate(err, application)
}

const applicationByUID = "SELECT id, uid, name, secret_digest, redirect_uri, scopes, confidential, trusted, user_id, " +
	"namespace_id, created_at, updated_at " +
	"FROM oauth_applications WHERE uid = ?"

// Create adds an application.
func (s OAuthApplications) Create(ctx context.Context, a *model.OAuthApplication) error {
	return query.Translate(s.db.Write(ctx).Create(a).Error)
}

// Update changes an application.
func (s OAuthApplications) Update(ctx context.Context, id int64, set map[string]any) error {
	res := s.db.Write(ctx).Model(&model.OAuthApplication{}).Where("id = ?", id).Updates(set)
	if res.Error == nil && res.RowsAffected == 0 {
		return &NotFoundError{Resource: application}
	}
	return query.Translate(res.Error)
}

// Delete removes an application with its tokens and the grants of its users, unless it was changed after the given
// time.
func (s OAuthApplications) Delete(ctx context.Context, id int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.OAuthApplication](ctx, s.db, application, unchangedSince, "id = ?", id)
}
