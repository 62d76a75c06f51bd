package store

import (
	"context"
	"strconv"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// SetState changes the state of a user. It returns false if the state was not from or, if idleSince is set, if the user was
// active after that time. If two moves run at once, only one finds the state that it expects. A user who may no longer
// use the account is signed out of all sessions. If a user is blocked or banned, their OAuth tokens are revoked for
// good.
func (s Users) SetState(ctx context.Context, id int64, from, to model.UserState, idleSince *time.Time) (moved bool, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		if moved, err = s.setState(ctx, id, from, to, idleSince); err != nil || !moved || to == model.UserActive {
			return err
		}
		if to == model.UserBlocked || to == model.UserBanned {
			if err := OAuthTokens(s).RevokeAll(ctx, id); err != nil {
				return err
			}
		}
		return Sessions(s).DeleteByUser(ctx, id)
	})
	return moved, err
}

func (s Users) setState(ctx context.Context, id int64, from, to model.UserState, idleSince *time.Time) (bool, error) {
	q := s.db.Write(ctx).Model(&model.User{}).Where("id = ? AND state = ?", id, from)
	if idleSince != nil {
		q = q.Where(
			"(last_activity_on IS NULL OR last_activity_on < ?) AND (current_sign_in_at IS NULL OR current_sign_in_at < ?)",
			*idleSince, *idleSince,
		)
	}
	res := q.Updates(map[string]any{"state": to})
	return res.RowsAffected == 1, query.Translate(res.Error)
}

// MarkForDeletion blocks a user who is about to be deleted, unless the row was changed after the given time. From then on
// BeingDeleted reports true.
func (s Users) MarkForDeletion(ctx context.Context, id int64, unchangedSince *time.Time) error {
	q := query.Unchanged(s.db.Write(ctx).Model(&model.User{}).Where("id = ?", id), unchangedSince)
	res := q.Updates(map[string]any{"state": model.UserBlocked})
	if res.Error == nil && res.RowsAffected == 0 {
		return query.ChangedOrGone(user, unchangedSince, func() (bool, error) {
			rows, err := query.Find[model.User](s.db.Write(ctx).Where("id = ?", id), 1)
			return len(rows) > 0, err
		})
	}
	if res.Error != nil {
		return query.Translate(res.Error)
	}
	note := s.db.Write(ctx).
		Exec("INSERT INTO user_deletions (user_id, created_at) VALUES (?, ?) ON CONFLICT (user_id) DO NOTHING", id, s.now())
	if note.Error != nil {
		return query.Translate(note.Error)
	}
	return Sessions(s).DeleteByUser(ctx, id)
}

// BeingDeleted reports whether a user is about to be deleted. Nothing may be written for such a user.
func (s Users) BeingDeleted(ctx context.Context, id int64) (bool, error) {
	var n int64
	err := query.ScanFirst(s.db.Read(ctx).Raw("SELECT count(*) FROM user_deletions WHERE user_id = ?", id), &n)
	return n > 0, query.Translate(err)
}

// LockForRemoval prevents others from writing rows that refer to a user until the transaction ends. They wait, and then
// do not find the user. It takes the locks in the same order as other code.
func (s Users) LockForRemoval(ctx context.Context, id int64) error {
	// The user's namespace is deleted too, with projects whose counts others change.
	if err := s.db.Lock(ctx, "namespaces"); err != nil {
		return err
	}
	// The removal changes the rows of many users. Follows may change before or after it, but not meanwhile, because
	// each transaction could hold a row that the other one needs.
	if err := s.db.Lock(ctx, followsLock); err != nil || !s.Postgres() {
		return err
	}
	return query.Translate(s.db.Write(ctx).Exec("SELECT 1 FROM users WHERE id = ? FOR UPDATE", id).Error)
}

// Remove deletes a user and everything that belongs only to them. The ghost user gets what others still need. If the
// user does not exist, it does nothing.
func (s Users) Remove(ctx context.Context, id int64) error { return s.remove(ctx, id, false) }

// RemoveWithNotes is like Remove, but also deletes the notes of the user. The ghost user gets only the accounts that the user
// created.
func (s Users) RemoveWithNotes(ctx context.Context, id int64) error { return s.remove(ctx, id, true) }

func (s Users) remove(ctx context.Context, id int64, hard bool) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.LockForRemoval(ctx, id); err != nil {
			return err
		}
		u, err := query.Take[model.User](s.db.Write(ctx).Where("id = ?", id), user)
		if IsNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
		if hard {
			if err := s.uncountNotes(ctx, id); err != nil {
				return err
			}
		}
		if err := s.leaveToGhost(ctx, id, hard); err != nil {
			return err
		}
		if err := AwardEmoji(s).subtractVotes(ctx, id); err != nil {
			return err
		}
		if err := UserFollows(s).DeleteAllOf(ctx, id); err != nil {
			return err
		}
		if err := ProjectStars(s).DeleteAllOf(ctx, id); err != nil {
			return err
		}
		if err := s.deleteRow(ctx, id); err != nil {
			return err
		}
		if err := Avatars(s).deleteOf(ctx, model.AvatarUser, "?", id); err != nil {
			return err
		}
		if u.NamespaceID == nil {
			return nil
		}
		if err := s.deleteProjects(ctx, "namespace_id = ?", *u.NamespaceID); err != nil {
			return err
		}
		return query.Translate(s.db.Write(ctx).Where("id = ?", *u.NamespaceID).Delete(&model.Namespace{}).Error)
	})
}

// unconfirmedBatch is the number of unconfirmed accounts that one call removes.
const unconfirmedBatch = 100

// RemoveUnconfirmed removes accounts that people registered before the given time and never used. Their email address
// was never confirmed and may belong to somebody else. Accounts that an administrator created stay.
func (s Users) RemoveUnconfirmed(ctx context.Context, before time.Time) error {
	q := s.db.Read(ctx).Where(
		"confirmed_at IS NULL AND created_by_id IS NULL AND kind = ? AND sign_in_count = 0 AND last_activity_on IS NULL AND created_at < ?",
		model.UserHuman, before)
	rows, err := query.Find[model.User](q.Order("id").Limit(unconfirmedBatch), 0)
	for _, u := range rows {
		if err = s.Remove(ctx, u.ID); err != nil {
			return err
		}
	}
	return query.Translate(err)
}

// leaveToGhost gives the ghost user the accounts that a user created and, unless hard is set, the notes that they
// wrote.
func (s Users) leaveToGhost(ctx context.Context, id int64, hard bool) error {
	var n int64
	q := s.db.Write(ctx).Raw(
		"SELECT count(*) FROM (SELECT 1 FROM users WHERE created_by_id = ? UNION ALL SELECT 1 FROM notes WHERE "+
			"author_id = ? AND ? LIMIT 1) AS made",
		id, id, !hard,
	)
	if err := query.ScanFirst(q, &n); err != nil || n == 0 {
		return query.Translate(err)
	}
	ghost, err := s.Ghost(ctx)
	if err != nil {
		return err
	}
	if !hard {
		if err := s.db.Write(ctx).Exec("UPDATE notes SET author_id = ? WHERE author_id = ?", ghost.ID, id).Error; err != nil {
			return query.Translate(err)
		}
	}
	return query.Translate(s.db.Write(ctx).Exec("UPDATE users SET created_by_id = ? WHERE created_by_id = ?", ghost.ID, id).Error)
}

// uncountNotes subtracts the notes of a user, which are about to be deleted, from the note counts of their noteables.
func (s Users) uncountNotes(ctx context.Context, id int64) error {
	for kind, table := range noteableTables {
		const theirs = " FROM notes n WHERE n.noteable_type = ? AND n.author_id = ? AND NOT n.system"
		err := s.db.Write(ctx).
			Exec("UPDATE "+table+" SET user_notes_count = user_notes_count - (SELECT count(*)"+theirs+" AND n.noteable_id = "+table+".id) "+
				"WHERE id IN (SELECT n.noteable_id"+theirs+")", kind, id, kind, id).Error
		if err != nil {
			return query.Translate(err)
		}
	}
	const onEpics = " FROM epic_notes n WHERE n.author_id = ? AND NOT n.system"
	return query.Translate(s.db.Write(ctx).Exec("UPDATE epics SET user_notes_count = user_notes_count - (SELECT count(*)"+onEpics+
		" AND n.epic_id = epics.id) WHERE id IN (SELECT n.epic_id"+onEpics+")", id, id).Error)
}

// Ghost returns the user who gets the contributions of deleted users. It is created at first use.
func (s Users) Ghost(ctx context.Context) (model.User, error) {
	return s.internal(
		ctx, model.UserGhost, "ghost", "Ghost User",
		"What deleted users leave behind belongs to this user, who cannot be removed.",
	)
}

// AlertBot returns the user who creates incidents from alerts. It is created at first use.
func (s Users) AlertBot(ctx context.Context) (model.User, error) {
	return s.internal(ctx, model.UserAlertBot, "alert-bot", "Alert Bot", "What alerts set off is done by this user, who cannot be removed.")
}

// internal returns the single internal user of a kind. It is created at first use.
func (s Users) internal(ctx context.Context, kind, username, name, bio string) (model.User, error) {
	var own model.User
	err := s.Exclusive(ctx, kind+" user", func(ctx context.Context) error {
		found, err := query.Take[model.User](s.db.Write(ctx).Where("kind = ?", kind).Order("id"), user)
		if !IsNotFound(err) {
			own = found
			return err
		}
		free, err := s.freeName(ctx, username)
		if err != nil {
			return err
		}
		own = model.DefaultUser()
		own.Username, own.Name, own.Email, own.Kind, own.Bio = free, name, free+"@users.noreply.invalid", kind, bio
		return s.Create(ctx, &own)
	})
	return own, err
}

// freeName returns the first of name, name1, name2 … that no user, group or email address has.
func (s Users) freeName(ctx context.Context, name string) (string, error) {
	for try, n := name, 1; ; try, n = name+strconv.Itoa(n), n+1 {
		var taken int64
		q := s.db.Write(ctx).Raw("SELECT (SELECT count(*) FROM namespaces WHERE parent_id IS NULL AND lower(path) = ?) + "+
			"(SELECT count(*) FROM users WHERE lower(username) = ? OR lower(email) = ?)", try, try, try+"@users.noreply.invalid")
		if err := query.ScanFirst(q, &taken); err != nil {
			return "", query.Translate(err)
		}
		if taken == 0 {
			return try, nil
		}
	}
}

// ListActive returns one page of the users that were active on the given day or later. The longest idle come first.
func (s Users) ListActive(ctx context.Context, from time.Time, p Page) ([]model.User, Total, error) {
	return query.ListFiltered[model.User](s.db.Read(ctx).Where("last_activity_on >= ?", from).Order("last_activity_on, id"), p)
}
