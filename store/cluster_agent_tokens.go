package store

import (
	"context"
	"strconv"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// ClusterAgentTokens holds the tokens of cluster agents.
type ClusterAgentTokens struct{ *base }

const clusterAgentToken = "Agent Token"

// List returns one page of the active tokens of an agent, the oldest first.
func (s ClusterAgentTokens) List(ctx context.Context, agentID int64, p Page) ([]model.ClusterAgentToken, Total, error) {
	return query.List[model.ClusterAgentToken](s.db.Read(ctx).Where("agent_id = ? AND NOT revoked", agentID).Order("id"), p)
}

// Get returns an active token of an agent.
func (s ClusterAgentTokens) Get(ctx context.Context, agentID, id int64) (model.ClusterAgentToken, error) {
	return query.Take[model.ClusterAgentToken](
		s.db.Read(ctx).Where("id = ? AND agent_id = ? AND NOT revoked", id, agentID), clusterAgentToken,
	)
}

// Create adds a token. It returns a *LimitError if the agent already has most active tokens.
func (s ClusterAgentTokens) Create(ctx context.Context, row *model.ClusterAgentToken, most int) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "tokens of agent "+strconv.FormatInt(row.AgentID, 10)); err != nil {
			return err
		}
		var n int64
		count := s.db.Write(ctx).Raw("SELECT count(*) FROM cluster_agent_tokens WHERE agent_id = ? AND NOT revoked", row.AgentID)
		if err := query.ScanFirst(count, &n); err != nil {
			return query.Translate(err)
		}
		if n >= int64(most) {
			return &LimitError{Most: most}
		}
		return query.Translate(s.db.Write(ctx).Create(row).Error)
	})
}

// Revoke revokes an active token, unless it was changed after the given time.
func (s ClusterAgentTokens) Revoke(ctx context.Context, row model.ClusterAgentToken, unchangedSince *time.Time) error {
	q := s.db.Write(ctx).Model(&model.ClusterAgentToken{}).Where("id = ? AND NOT revoked", row.ID)
	res := query.Unchanged(q, unchangedSince).Updates(map[string]any{"revoked": true})
	if res.Error != nil || res.RowsAffected > 0 {
		return query.Translate(res.Error)
	}
	return query.ChangedOrGone(clusterAgentToken, unchangedSince, func() (bool, error) {
		_, err := s.Get(ctx, row.AgentID, row.ID)
		if IsNotFound(err) {
			return false, nil
		}
		return err == nil, err
	})
}
