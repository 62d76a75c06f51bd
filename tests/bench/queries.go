package main

import (
	"context"
	"database/sql"
	"time"

	"svc/store/model"
)

// queries holds the prepared statements of the floor.
type queries struct {
	pools                                                                       []*sql.DB
	tokenStmt, userStmt, listStmt, updateStmt, pageStmt, projectsStmt, jobsStmt *sql.Stmt
	eventsStmt, auditStmt, appStmt, refreshStmt                                 *sql.Stmt
}

// The floor reads only the columns that decide about the token and those that the answer shows. The limit is written
// out, because SQLite recompiles a statement whose limit is a parameter. The plus signs are explained in floor_times.go.
const (
	accessColumns = "t.id, t.scopes, t.impersonation, t.revoked, +t.expires_at, +t.last_used_at, "
	byDigest      = " FROM personal_access_tokens t JOIN users u ON u.id = t.user_id WHERE t.digest = ?"
	tokenQuery    = "SELECT " + accessColumns +
		"u.id, u.state, u.kind, u.admin, u.auditor, u.external, +u.last_activity_on" + byDigest
	userQuery = "SELECT " + accessColumns +
		"u.id, u.username, u.name, u.email, u.state, u.kind, u.admin, u.auditor, u.external, " +
		"u.private_profile, u.two_factor, u.can_create_group, u.projects_limit, u.theme_id, u.color_scheme_id, u.bio, " +
		"u.location, u.public_email, u.commit_email, u.skype, u.linkedin, u.twitter, u.discord, u.website_url, " +
		"u.organization, u.job_title, u.pronouns, u.time_zone, u.note, u.followers, u.following, u.namespace_id, " +
		"u.created_by_id, +u.locked_at, +u.confirmed_at, +u.last_sign_in_at, +u.current_sign_in_at, +u.last_activity_on, " +
		"+u.email_reset_offered_at, u.shared_runners_minutes_limit, u.extra_shared_runners_minutes_limit, " +
		"u.provisioned_by_group_id, +u.created_at" + byDigest
	variableColumns = "key, value, description, variable_type, protected, masked, raw"
	listQuery       = "SELECT " + variableColumns + " FROM instance_variables ORDER BY id LIMIT 20"
	pageQuery       = "SELECT id, username, name, state, +locked_at FROM users WHERE id < ? ORDER BY id DESC LIMIT 20"
	projectsQuery   = "SELECT " + projectColumns + " FROM projects JOIN namespaces place ON place.id = projects.namespace_id " +
		"LEFT JOIN users owner ON owner.namespace_id = projects.namespace_id LEFT JOIN projects origin ON origin.id " +
		"= projects.forked_from_id " +
		"WHERE projects.visibility >= 10 AND projects.id < ? ORDER BY projects.id DESC LIMIT 20"
	updateQuery = "UPDATE instance_variables SET value = ?, description = ?, protected = ?, updated_at = ? WHERE key = ? RETURNING " +
		variableColumns
	appQuery     = "SELECT id, secret_digest, redirect_uri, scopes, confidential FROM oauth_applications WHERE uid = ?"
	refreshQuery = "UPDATE oauth_tokens SET digest = ?, refresh_digest = ?, created_at = ?, expires_at = ? WHERE refresh_digest = ? AND " +
		"application_id = ? RETURNING scopes"
)

// token reads the token and its user, as svc does on every request.
func (q *queries) token(ctx context.Context, digest []byte) (t model.PersonalAccessToken, u model.User, err error) {
	dest := append(tokenFields(&t), &u.ID, &u.State, &u.Kind, &u.Admin, &u.Auditor, &u.External, atPtr(&u.LastActivityOn))
	err = q.tokenStmt.QueryRowContext(ctx, digest).Scan(dest...)
	return t, u, err
}

// user reads the token and its user with all shown columns, in one query.
func (q *queries) user(ctx context.Context, digest []byte) (t model.PersonalAccessToken, u model.User, err error) {
	dest := append(tokenFields(&t),
		&u.ID, &u.Username, &u.Name, &u.Email, &u.State, &u.Kind, &u.Admin, &u.Auditor, &u.External,
		&u.PrivateProfile, &u.TwoFactor, &u.CanCreateGroup, &u.ProjectsLimit, &u.ThemeID, &u.ColorSchemeID, &u.Bio,
		&u.Location, &u.PublicEmail, &u.CommitEmail, &u.Skype, &u.Linkedin, &u.Twitter, &u.Discord, &u.WebsiteURL,
		&u.Organization, &u.JobTitle, &u.Pronouns, &u.TimeZone, &u.Note, &u.Followers, &u.Following, &u.NamespaceID,
		&u.CreatedByID, atPtr(&u.LockedAt), atPtr(&u.ConfirmedAt), atPtr(&u.LastSignInAt), atPtr(&u.CurrentSignInAt),
		atPtr(&u.LastActivityOn), atPtr(&u.EmailResetOfferedAt), &u.SharedRunnersMinutesLimit, &u.ExtraSharedRunnersMinutesLimit,
		&u.ProvisionedByGroupID, at(&u.CreatedAt))
	err = q.userStmt.QueryRowContext(ctx, digest).Scan(dest...)
	return t, u, err
}

// tokenFields leaves capacity for the fields of a user, so that the slice is allocated once.
func tokenFields(t *model.PersonalAccessToken) []any {
	return append(make([]any, 0, 52), &t.ID, &t.Scopes, &t.Impersonation, &t.Revoked, atPtr(&t.ExpiresAt), atPtr(&t.LastUsedAt))
}

func (q *queries) list(ctx context.Context) ([]model.InstanceVariable, error) {
	found, err := q.listStmt.QueryContext(ctx)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	rows := make([]model.InstanceVariable, 0, variables)
	for found.Next() {
		rows = append(rows, model.InstanceVariable{})
		if err := found.Scan(variableFields(&rows[len(rows)-1])...); err != nil {
			return nil, err
		}
	}
	return rows, found.Err()
}

// page returns a page of users with ids below behind, with their public columns.
func (q *queries) page(ctx context.Context, behind int64) ([]model.User, error) {
	found, err := q.pageStmt.QueryContext(ctx, behind)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	rows := make([]model.User, 0, 20)
	for found.Next() {
		rows = append(rows, model.User{})
		u := &rows[len(rows)-1]
		if err := found.Scan(&u.ID, &u.Username, &u.Name, &u.State, atPtr(&u.LockedAt)); err != nil {
			return nil, err
		}
	}
	return rows, found.Err()
}

// projects returns a page of projects with ids below behind, for a user without memberships.
func (q *queries) projects(ctx context.Context, behind int64) ([]model.ProjectRow, error) {
	found, err := q.projectsStmt.QueryContext(ctx, behind)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	rows := make([]model.ProjectRow, 0, 20)
	for found.Next() {
		rows = append(rows, model.ProjectRow{SignedIn: true})
		if err := found.Scan(projectFields(&rows[len(rows)-1])...); err != nil {
			return nil, err
		}
	}
	return rows, found.Err()
}

func (q *queries) update(ctx context.Context, v *model.InstanceVariable) error {
	now := time.Now().UTC().Truncate(time.Microsecond)
	return q.updateStmt.QueryRowContext(ctx, v.Value, v.Description, v.Protected, now, v.Key).Scan(variableFields(v)...)
}

// app reads the application of a token request.
func (q *queries) app(ctx context.Context, uid string) (a model.OAuthApplication, err error) {
	err = q.appStmt.QueryRowContext(ctx, uid).Scan(&a.ID, &a.SecretDigest, &a.RedirectURI, &a.Scopes, &a.Confidential)
	return a, err
}

// refresh replaces a token and its refresh token, and returns the scopes.
func (q *queries) refresh(ctx context.Context, appID int64, old, access, refresh []byte, now time.Time) (scopes string, err error) {
	err = q.refreshStmt.QueryRowContext(ctx, access, refresh, now, now.Add(2*time.Hour), old, appID).Scan(&scopes)
	return scopes, err
}

func variableFields(v *model.InstanceVariable) []any {
	return []any{&v.Key, &v.Value, &v.Description, &v.VariableType, &v.Protected, &v.Masked, &v.Raw}
}
