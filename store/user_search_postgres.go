package store

import (
	"context"

	"svc/store/model"
)

// postgresSearch first walks along the list for a bounded number of users, which finds what many names hold, and then
// asks the trigrams, which find what few names hold. Left alone, the planner takes one of the two for both once it has
// made a plan that is good for any term.
func (s Users) postgresSearch(ctx context.Context, f UserFilter, k Keyset, offset int) ([]model.User, frequency, error) {
	if k.Column != "id" {
		rows, err := find[model.User](ordered(after(s.filtered(ctx, f), k), k).Limit(k.Limit+1).Offset(offset), k.Limit+1)
		return rows, unknown, err
	}
	rows, err := s.walk(ctx, after(s.read(ctx), k), s.plain(f), f, k, offset)
	if err != nil || rows != nil {
		return rows, frequent, err
	}
	direction := ""
	if k.Desc {
		direction = " DESC"
	}
	// An expression cannot be ordered by walking along the ids.
	q := after(s.filtered(ctx, f), k).Order("id + 0" + direction)
	rows, err = find[model.User](q.Limit(k.Limit+1).Offset(offset), k.Limit+1)
	return rows, rare, err
}

// postgresNames holds for users whose name or username holds the term. Trigram indexes find parts of three and
// more characters; of shorter terms only the beginning counts, for which there are indexes that ignore the collation.
func postgresNames(term string) condition {
	if short(term) {
		behind := term + lastRune
		return condition{
			"(lower(name) ~>=~ lower(?) AND lower(name) ~<~ lower(?)) OR (lower(username) ~>=~ lower(?) AND lower(username) ~<~ lower(?))",
			[]any{term, behind, term, behind},
		}
	}
	pattern := "%" + likeEscaper.Replace(term) + "%"
	return condition{"lower(name) LIKE lower(?) OR lower(username) LIKE lower(?)", []any{pattern, pattern}}
}

// postgresPlain holds for the same users, by functions that no index knows.
func postgresPlain(term string) condition {
	if short(term) {
		return condition{"starts_with(lower(name), lower(?)) OR starts_with(lower(username), lower(?))", []any{term, term}}
	}
	return condition{"strpos(lower(name), lower(?)) > 0 OR strpos(lower(username), lower(?)) > 0", []any{term, term}}
}
