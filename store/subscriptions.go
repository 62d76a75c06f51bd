package store

import (
	"context"
	"database/sql"
	"errors"

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
	c := in.subscribed(userID)
	err = s.db.Row(ctx, "SELECT "+c.text+" FROM "+in.table+" WHERE id = ?", append(c.args, id), &subscribed)
	if errors.Is(err, sql.ErrNoRows) { // it was deleted just now
		return false, nil
	}
	return subscribed, query.Translate(err)
}

// subscribed returns an expression that reports whether a user is subscribed to a row of a statement that reads issues or
// merge requests. The user is hidden from PostgreSQL's planner, which would else plan the statement for each user anew.
func (in issuable) subscribed(userID int64) condition {
	const user = opaqueNumber
	return condition{
		"coalesce((SELECT subscribed FROM subscriptions WHERE target_type = '" + in.kind + "' AND target_id = " + in.table + ".id AND " +
			"user_id = " + user + "), CASE WHEN " + in.table + ".author_id = " + user + " THEN true WHEN " +
			"EXISTS (SELECT 1 FROM " + in.assignees + " WHERE " + in.column + " = " + in.table + ".id AND user_id = " + user + ") " +
			"THEN true ELSE EXISTS (SELECT 1 FROM notes WHERE noteable_type = '" + in.kind + "' AND noteable_id = " + in.table +
			".id AND author_id = " + user + " AND NOT system) END)",
		[]any{userID, userID, userID, userID},
	}
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
