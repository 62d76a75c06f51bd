package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// ExpiringToken is an access token of a group or project that is about to expire.
type ExpiringToken struct {
	Token  model.PersonalAccessToken
	Source Source
}

// hookInReach selects the hooks that want a kind of events of a group or project, which the table x names: those of the
// project, of the group, and of the groups above.
const hookInReach = "SELECT 1 FROM hooks h WHERE h.events & ? <> 0 AND (" +
	"x.source_type = 'Project' AND (h.project_id = x.source_id OR h.group_id IN (SELECT a.ancestor_id FROM projects p " +
	"JOIN namespace_ancestors a ON a.descendant_id = p.namespace_id WHERE p.id = x.source_id)) OR " +
	"x.source_type = 'Namespace' AND h.group_id IN (SELECT ancestor_id FROM namespace_ancestors WHERE descendant_id = x.source_id))"

const expiringTokens = "SELECT t.id, t.user_id, t.name, t.expires_at, t.last_used_at, t.created_at, x.source_type, x.source_id " +
	"FROM bots x JOIN personal_access_tokens t ON t.user_id = x.user_id " +
	"WHERE NOT t.revoked AND t.expires_at > ? AND t.expires_at <= ? AND t.id > ? AND EXISTS (" + hookInReach + ") ORDER BY t.id LIMIT ?"

// Expiring returns access tokens of groups and projects that expire between two times, after the one with the given ID.
// Tokens that no webhook wants to know of are left out.
func (s Tokens) Expiring(ctx context.Context, from, to time.Time, after int64, most int) (rows []ExpiringToken, err error) {
	args := []any{from.UTC(), to.UTC(), after, int64(model.HookAccessTokens), most}
	err = s.db.Rows(ctx, expiringTokens, args, func(row query.Scanner) error {
		var e ExpiringToken
		t := &e.Token
		err := row.Scan(&t.ID, &t.UserID, &t.Name, &t.ExpiresAt, &t.LastUsedAt, &t.CreatedAt, &e.Source.Type, &e.Source.ID)
		rows = append(rows, e)
		return err
	})
	return rows, query.Translate(err)
}

const expiringDeployTokens = "SELECT x.id, x.name, x.expires_at, x.created_at, x.source_type, x.source_id FROM deploy_tokens x " +
	"WHERE NOT x.revoked AND x.expires_at > ? AND x.expires_at <= ? AND x.id > ? AND EXISTS (" + hookInReach + ") ORDER BY x.id LIMIT ?"

// Expiring returns deploy tokens that expire between two times, after the one with the given ID. Tokens that no webhook
// wants to know of are left out.
func (s DeployTokens) Expiring(ctx context.Context, from, to time.Time, after int64, most int) (rows []model.DeployToken, err error) {
	args := []any{from.UTC(), to.UTC(), after, int64(model.HookDeployTokens), most}
	err = s.db.Rows(ctx, expiringDeployTokens, args, func(row query.Scanner) error {
		var t model.DeployToken
		err := row.Scan(&t.ID, &t.Name, &t.ExpiresAt, &t.CreatedAt, &t.SourceType, &t.SourceID)
		rows = append(rows, t)
		return err
	})
	return rows, query.Translate(err)
}
