package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// UserFollows holds which users follow which, and keeps the counts of users up to date.
type UserFollows struct{ *base }

// followsLock is locked in shared mode to follow or unfollow, and exclusively to remove users.
const followsLock = "follows"

// Followers returns one page of the followers of a user, the latest first.
func (s UserFollows) Followers(ctx context.Context, userID int64, p Page) ([]model.User, Total, error) {
	return s.people(ctx, "f.follower_id", "f.followee_id", userID, p)
}

// Following returns one page of the users that a user follows, the latest first.
func (s UserFollows) Following(ctx context.Context, userID int64, p Page) ([]model.User, Total, error) {
	return s.people(ctx, "f.followee_id", "f.follower_id", userID, p)
}

func (s UserFollows) people(ctx context.Context, shown, of string, userID int64, p Page) ([]model.User, Total, error) {
	q := s.db.Read(ctx).Select("users.*").Joins("JOIN user_follows f ON users.id = "+shown).Where(of+" = ?", userID)
	return query.List[model.User](q.Order("f.id DESC"), p)
}

// Follows reports whether a user follows another.
func (s UserFollows) Follows(ctx context.Context, followerID, followeeID int64) (bool, error) {
	_, err := query.Take[model.UserFollow](s.db.Read(ctx).Where("follower_id = ? AND followee_id = ?", followerID, followeeID), "Follow")
	if IsNotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// Create makes a user follow another. It returns false if they already did.
func (s UserFollows) Create(ctx context.Context, followerID, followeeID int64) (bool, error) {
	changed := false
	err := s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.LockShared(ctx, followsLock); err != nil {
			return err
		}
		row := model.UserFollow{FollowerID: followerID, FolloweeID: followeeID}
		res := s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&row)
		changed = res.RowsAffected == 1
		if query.IsGone(res.Error) { // one of the users was removed meanwhile
			return &NotFoundError{Resource: user}
		}
		if res.Error != nil || !changed {
			return query.Translate(res.Error)
		}
		return s.count(ctx, followerID, followeeID, 1)
	})
	return changed && err == nil, err
}

// Delete makes a user stop following another. It returns false if they did not follow.
func (s UserFollows) Delete(ctx context.Context, followerID, followeeID int64) (bool, error) {
	changed := false
	err := s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.LockShared(ctx, followsLock); err != nil {
			return err
		}
		res := s.db.Write(ctx).Where("follower_id = ? AND followee_id = ?", followerID, followeeID).Delete(&model.UserFollow{})
		changed = res.RowsAffected == 1
		if res.Error != nil || !changed {
			return query.Translate(res.Error)
		}
		return s.count(ctx, followerID, followeeID, -1)
	})
	return changed && err == nil, err
}

// count changes the counts of both users. It updates the lower id first: if two users follow each other at once,
// neither transaction may hold the row that the other one needs.
func (s UserFollows) count(ctx context.Context, followerID, followeeID, by int64) error {
	following := func() error {
		return s.db.Write(ctx).Exec("UPDATE users SET following = following + ? WHERE id = ?", by, followerID).Error
	}
	followers := func() error {
		return s.db.Write(ctx).Exec("UPDATE users SET followers = followers + ? WHERE id = ?", by, followeeID).Error
	}
	steps := []func() error{following, followers}
	if followeeID < followerID {
		steps[0], steps[1] = followers, following
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return query.Translate(err)
		}
	}
	return nil
}

// DeleteAllOf removes all follows of a user, in both directions, and corrects the counts of the other users. Code that
// deletes a user must call it first, in the same transaction.
func (s UserFollows) DeleteAllOf(ctx context.Context, userID int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		var rows []model.UserFollow
		q := s.db.Write(ctx).Clauses(clause.Returning{}).Where("follower_id = ? OR followee_id = ?", userID, userID)
		if err := q.Delete(&rows).Error; err != nil {
			return query.Translate(err)
		}
		fewerFollowers, fewerFollowing := []int64{}, []int64{}
		for _, row := range rows {
			if row.FollowerID == userID {
				fewerFollowers = append(fewerFollowers, row.FolloweeID)
			} else {
				fewerFollowing = append(fewerFollowing, row.FollowerID)
			}
		}
		w := s.db.Write(ctx)
		if err := w.Exec("UPDATE users SET followers = followers - 1 WHERE id IN ?", fewerFollowers).Error; err != nil {
			return query.Translate(err)
		}
		if err := w.Exec("UPDATE users SET following = following - 1 WHERE id IN ?", fewerFollowing).Error; err != nil {
			return query.Translate(err)
		}
		return query.Translate(w.Exec("UPDATE users SET followers = 0, following = 0 WHERE id = ?", userID).Error)
	})
}
