package store

import (
	"context"
	"slices"
	"strings"

	"svc/store/internal/query"
	"svc/store/model"
)

// atOnce is the number of values that one statement compares with.
const atOnce = 500

// ByConfirmedEmail returns the users who have confirmed these addresses, as primary or secondary ones. The keys are the
// addresses in lower case.
func (s Users) ByConfirmedEmail(ctx context.Context, addresses []string) (map[string]model.User, error) {
	users := map[string]model.User{}
	for some := range slices.Chunk(addresses, atOnce) {
		lower := make([]string, len(some))
		for i, address := range some {
			lower[i] = strings.ToLower(address)
		}
		rows, err := query.Find[model.User](s.db.Read(ctx).Where("lower(email) IN ? AND confirmed_at IS NOT NULL", lower), 0)
		if err != nil {
			return nil, query.Translate(err)
		}
		for _, u := range rows {
			users[strings.ToLower(u.Email)] = u
		}
		further, err := query.Find[model.Email](s.db.Read(ctx).Where("lower(email) IN ? AND confirmed_at IS NOT NULL", lower), 0)
		if err != nil {
			return nil, query.Translate(err)
		}
		ids := make([]int64, len(further))
		for i, e := range further {
			ids[i] = e.UserID
		}
		owners, err := s.ByID(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, e := range further {
			if u, ok := owners[e.UserID]; ok {
				users[strings.ToLower(e.Email)] = u
			}
		}
	}
	return users, nil
}

// MembersAmong returns the users, out of the given ones, who have a role in a project, whether direct or inherited.
func (s Projects) MembersAmong(ctx context.Context, id int64, userIDs []int64) (map[int64]bool, error) {
	day := s.today()
	return among(userIDs, func(some []int64) (ids []int64, err error) {
		q := s.db.Read(ctx).Table("users").Where("id IN ?", some).
			Where("id IN ("+usersOfProject+")", id, day, id, day, id, day, day, id, day, day)
		return ids, query.Translate(q.Pluck("id", &ids).Error)
	})
}

// MembersAmong returns the users, out of the given ones, who have a role in one of the groups or in a group above one.
func (s Namespaces) MembersAmong(ctx context.Context, groupIDs, userIDs []int64) (map[int64]bool, error) {
	if len(groupIDs) == 0 {
		return nil, nil
	}
	return among(userIDs, func(some []int64) (ids []int64, err error) {
		q := s.db.Read(ctx).Table("members").Joins("JOIN namespace_ancestors a ON a.ancestor_id = members.source_id").
			Where("a.descendant_id IN ? AND source_type = ? AND user_id IN ?", groupIDs, model.SourceGroup, some).
			Where("access_level >= ? AND (expires_at IS NULL OR expires_at > ?)", model.Guest, s.today())
		return ids, query.Translate(q.Distinct().Pluck("user_id", &ids).Error)
	})
}

// among calls ask with at most atOnce ids at a time and joins the results.
func among(all []int64, ask func([]int64) ([]int64, error)) (map[int64]bool, error) {
	found := map[int64]bool{}
	for some := range slices.Chunk(all, atOnce) {
		ids, err := ask(some)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			found[id] = true
		}
	}
	return found, nil
}
