package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Subscriptions holds the subscriptions of users to issues, merge requests and labels.
type Subscriptions struct{ *base }

// Choices returns the explicit choices of a user, keyed by id: true if they subscribed, false if they unsubscribed. An id
// without a choice is missing.
func (s Subscriptions) Choices(ctx context.Context, kind string, ids []int64, userID int64) (map[int64]bool, error) {
	said := map[int64]bool{}
	if len(ids) == 0 {
		return said, nil
	}
	rows, err := query.Find[model.Subscription](s.db.Read(ctx).
		Where("target_type = ? AND target_id IN ? AND user_id = ?", kind, ids, userID), len(ids))
	for _, row := range rows {
		said[row.TargetID] = row.Subscribed
	}
	return said, query.Translate(err)
}

// IsSubscribed reports whether a user is subscribed to an issue or merge request. If the user has made no choice,
// participants are subscribed.
func (s Subscriptions) IsSubscribed(ctx context.Context, kind string, id, userID int64) (bool, error) {
	said, err := s.Choices(ctx, kind, []int64{id}, userID)
	if follows, ok := said[id]; ok || err != nil {
		return follows, err
	}
	in := onIssues
	if kind == model.OnMergeRequest {
		in = onMergeRequests
	}
	var n int64
	err = query.ScanFirst(
		s.db.Read(ctx).Raw("SELECT (SELECT count(*) FROM "+in.table+" WHERE id = ? AND author_id = ?) + (SELECT count(*) FROM "+
			in.assignees+" WHERE "+in.column+" = ? AND user_id = ?) + "+
			"(SELECT count(*) FROM (SELECT 1 FROM notes WHERE noteable_type = ? AND noteable_id = ? AND author_id = ? "+
			"AND NOT system LIMIT 1) AS said)",
			id, userID, id, userID, kind, id, userID),
		&n,
	)
	return n > 0, query.Translate(err)
}

// Set subscribes or unsubscribes a user.
func (s Subscriptions) Set(ctx context.Context, kind string, id, userID int64, subscribed bool) error {
	up := clause.OnConflict{
		Columns:   []clause.Column{{Name: "target_type"}, {Name: "target_id"}, {Name: "user_id"}},
		DoUpdates: clause.AssignmentColumns([]string{"subscribed"}),
	}
	return query.Translate(s.db.Write(ctx).Clauses(up).
		Create(&model.Subscription{UserID: userID, TargetType: kind, TargetID: id, Subscribed: subscribed}).Error)
}
