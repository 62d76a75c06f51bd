package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Subscriptions holds the subscriptions of users to issues, merge requests and labels.
type Subscriptions struct{ *base }

// IsSubscribed reports whether a user is subscribed to an issue or merge request. If the user has made no choice,
// participants are subscribed.
func (s Subscriptions) IsSubscribed(ctx context.Context, kind string, id, userID int64) (subscribed bool, err error) {
	in := onIssues
	if kind == model.OnMergeRequest {
		in = onMergeRequests
	}
	statement := "SELECT coalesce((SELECT subscribed FROM subscriptions WHERE target_type = ? AND target_id = ? AND user_id = ?), " +
		"EXISTS (SELECT 1 FROM " + in.table + " WHERE id = ? AND author_id = ?) OR " +
		"EXISTS (SELECT 1 FROM " + in.assignees + " WHERE " + in.column + " = ? AND user_id = ?) OR " +
		"EXISTS (SELECT 1 FROM notes WHERE noteable_type = ? AND noteable_id = ? AND author_id = ? AND NOT system))"
	err = s.db.Row(ctx, statement, []any{kind, id, userID, id, userID, id, userID, kind, id, userID}, &subscribed)
	return subscribed, query.Translate(err)
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
