package store

import (
	"context"
	"slices"
	"strings"

	"svc/store/model"
)

// postgresSearch first walks along the list for a bounded number of users, which finds what many names hold, and then
// asks the trigrams, which find what few names hold. Left alone, the planner takes one of the two for both once it has
// made a plan that is good for any term.
func (s Users) postgresSearch(ctx context.Context, f UserFilter, k Keyset, offset int) ([]model.User, frequency, error) {
	if k.Column != "id" {
		rows, err := s.found(ordered(after(s.filtered(ctx, f), k), k), f, k, offset)
		return rows, unknown, err
	}
	address := strings.Contains(f.Search, "@")
	if !address && !short(f.Search) && !strings.Contains(f.Search, "\n") && f.unfiltered() {
		return s.postgresIDs(ctx, f, k, offset)
	}
	if !address {
		rows, err := s.walk(ctx, s.read(ctx), f, k, offset)
		if err != nil || rows != nil {
			return rows, frequent, err
		}
	}
	// An expression cannot be ordered by walking along the ids.
	rows, err := s.found(after(s.filtered(ctx, f), k).Order("users.id + 0"+k.direction()), f, k, offset)
	return rows, rare, err
}

// postgresIDs is the search without other filters: ids from the names alone, then their rows. The term hides behind a
// SELECT, so that one plan, which is kept, is as good as any that the planner would make for this term.
func (s Users) postgresIDs(ctx context.Context, f UserFilter, k Keyset, offset int) ([]model.User, frequency, error) {
	begin, args := "true", []any{}
	if k.After != nil {
		begin, args = "id "+k.compare()+" ?", []any{k.After.ID}
	}
	until, none := "id >=", "0"
	if !k.Desc {
		until, none = "id <=", "9223372036854775807"
	}
	order := " ORDER BY id" + k.direction()
	most := max(leastWalk, walkRatio*(offset+k.Limit+1))
	query := "SELECT id FROM user_search WHERE " + begin + " AND strpos(names, lower(?)) > 0 AND " + until +
		" coalesce((SELECT id FROM user_search WHERE " + begin + order + " LIMIT 1 OFFSET ?), " + none + ")" + order + " LIMIT ? OFFSET ?"
	rows, err := s.byIDs(ctx, f, k, query, slices.Concat(args, []any{f.Search}, args, []any{most, k.Limit + 1, offset}))
	if err != nil || len(rows) > k.Limit {
		return rows, frequent, err
	}
	// An expression cannot be ordered by walking along the ids.
	query = "SELECT id FROM user_search WHERE " + begin + " AND names LIKE (SELECT lower(?)) ORDER BY id + 0" + k.direction() + " LIMIT ? OFFSET ?"
	rows, err = s.byIDs(ctx, f, k, query, slices.Concat(args, []any{"%" + likeEscaper.Replace(f.Search) + "%", k.Limit + 1, offset}))
	return rows, rare, err
}

// byIDs reads the users whose ids a query finds.
func (s Users) byIDs(ctx context.Context, f UserFilter, k Keyset, ids string, args []any) ([]model.User, error) {
	return s.hotUsers(ctx, f, "WHERE u.id = ANY(ARRAY("+ids+")) ORDER BY u.id"+k.direction(), args, k.Limit+1)
}

// postgresNames are the ids of users whose name or username holds the term. The trigrams of user_search find parts of three
// and more characters; of shorter terms only the beginning counts, for which there are indexes that ignore the collation.
func postgresNames(term string) condition {
	if short(term) {
		behind := term + lastRune
		return condition{
			"SELECT id FROM users WHERE (lower(name) ~>=~ lower(?) AND lower(name) ~<~ lower(?)) OR (lower(username) ~>=~ lower(?) AND lower(username) ~<~ lower(?))",
			[]any{term, behind, term, behind},
		}
	}
	if strings.Contains(term, "\n") { // which is between the names there
		return condition{"SELECT id FROM users WHERE strpos(lower(name), lower(?)) > 0", []any{term}}
	}
	return condition{"SELECT id FROM user_search WHERE names LIKE lower(?)", []any{"%" + likeEscaper.Replace(term) + "%"}}
}

// postgresPlain holds for rows of user_search that a term finds, by functions that no index knows.
func postgresPlain(term string) condition {
	switch {
	case short(term):
		return condition{"strpos(names, E'\\n' || lower(?)) > 0", []any{term}}
	case strings.Contains(term, "\n"):
		return condition{"strpos(lower(users.name), lower(?)) > 0", []any{term}}
	}
	return condition{"strpos(names, lower(?)) > 0", []any{term}}
}
