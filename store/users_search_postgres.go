package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"svc/store/internal/query"
	"svc/store/model"
)

// postgresSearch first walks along the list for a bounded number of users, which finds terms that many names contain.
// Then it uses the trigrams, which find terms that few names contain. Without this, the planner would use one of the
// two ways for all terms, once it has made a generic plan.
func (s Users) postgresSearch(ctx context.Context, f UserFilter, k Keyset, offset int) ([]model.User, searchEstimate, error) {
	if k.Column != "id" {
		rows, err := s.found(query.Ordered(query.After(s.filtered(ctx, f), k), k), f, k, offset)
		return rows, searchEstimate{total: unknownTotal}, err
	}
	address := strings.Contains(f.Search, "@")
	if !address && !strings.Contains(f.Search, "\n") && f.unfiltered() {
		return s.postgresHot(ctx, f, k, offset)
	}
	if !address {
		rows, err := s.walk(ctx, s.db.Read(ctx), f, k, offset)
		if err != nil || rows != nil {
			return rows, searchEstimate{frequent, unknownTotal}, err
		}
	}
	// The planner cannot sort by an expression by walking along the ids.
	rows, err := s.found(query.After(s.filtered(ctx, f), k).Order("users.id + 0"+k.Direction()), f, k, offset)
	return rows, searchEstimate{rare, unknownTotal}, err
}

// postgresHot runs the search without other filters in one statement: first the walk and, if that does not fill the
// page, the trigrams. The trigrams gather all matches, so they also give the total. The values are hidden behind a
// SELECT, so that the cached generic plan is as good as a plan for these values.
func (s Users) postgresHot(ctx context.Context, f UserFilter, k Keyset, offset int) ([]model.User, searchEstimate, error) {
	begin, args := "true", []any{}
	if k.After != nil {
		begin, args = "id "+k.Operator()+" ?", []any{k.After.ID}
	}
	until, none := "id >=", "0"
	if !k.Desc {
		until, none = "id <=", "9223372036854775807"
	}
	order := " ORDER BY id" + k.Direction()
	const window = " LIMIT (SELECT ?::bigint) OFFSET (SELECT ?::bigint)"
	most := max(leastWalk, walkRatio*(offset+k.Limit+1))
	plain, found := postgresPlain(f.Search), postgresFound(f.Search)
	statement := "WITH walked AS MATERIALIZED (SELECT id FROM user_search WHERE " + begin + " AND " + plain.text + " AND " + until +
		" coalesce((SELECT id FROM user_search WHERE " + begin + order + " LIMIT 1 OFFSET (SELECT ?::bigint)), " +
		none + ")" + order + window + ")" +
		", filled AS MATERIALIZED (SELECT count(*) > ? AS it FROM walked) " +
		"SELECT " + f.columns() + ", found.filled, found.total FROM (" +
		fmt.Sprintf(
			"SELECT id, true AS filled, CASE WHEN EXISTS (SELECT 1 FROM user_search OFFSET %d) THEN %d ELSE %d END AS total",
			countAll, CountCap+1, unknownTotal,
		) +
		" FROM walked WHERE (SELECT it FROM filled) UNION ALL (" +
		// The planner cannot sort by an expression by walking along the ids.
		"SELECT id, false, count(*) OVER () FROM " + found.text + " AND " + begin +
		" AND NOT (SELECT it FROM filled) ORDER BY id + 0" + k.Direction() + window + ")" +
		") AS found JOIN users u ON u.id = found.id ORDER BY u.id" + k.Direction()
	args = slices.Concat(args, plain.args, args, []any{most, k.Limit + 1, offset, k.Limit}, found.args, args, []any{k.Limit + 1, offset})
	var seen searchEstimate
	rows := make([]model.User, 0, k.Limit+1)
	err := s.db.LongRows(ctx, statement, args, func(r query.Scanner) error {
		rows = append(rows, model.User{})
		filled := false
		err := r.Scan(append(f.fields(&rows[len(rows)-1]), &filled, &seen.total)...)
		seen.frequency = rare
		if filled {
			seen.frequency = frequent
		}
		return err
	})
	return rows, seen, err
}

// foldedPattern returns the LIKE pattern for user_search.folded. Each trigram of a term costs a scan of its list, so
// the pattern contains only some trigrams of a long term. strpos then checks the whole term.
func foldedPattern(term string) string {
	term = strings.Map(func(r rune) rune {
		if r > ' ' && r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) || r >= unicode.MaxASCII || r < ' ' {
			return r
		}
		return '0'
	}, term)
	parts := len(term) / 3
	if !isASCII(term) || parts < 3 {
		return "%" + term + "%"
	}
	parts = min(parts, fewTrigrams)
	pattern, last := "%", len(term)-3
	for i := range parts { // spread over the term
		at := last * i / (parts - 1)
		pattern += term[at:at+3] + "%"
	}
	return pattern
}

// postgresNames returns a query for the ids of users whose name or username contains the term. The trigrams of
// user_search find terms of three or more characters. Shorter terms match only the beginning of a name, by indexes that
// ignore the collation.
func postgresNames(term string) condition {
	if strings.Contains(term, "\n") && !short(term) { // in user_search a line feed separates the names
		return condition{"SELECT id FROM users WHERE strpos(lower(name), lower(?)) > 0", []any{term}}
	}
	c := postgresFound(term)
	c.text = "SELECT id FROM " + c.text
	return c
}

// postgresFound returns the table that has an index for a term, with the condition. A long term must not contain a line
// feed.
func postgresFound(term string) condition {
	if short(term) {
		behind := term + lastRune
		return condition{
			"users WHERE ((lower(name) ~>=~ (SELECT lower(?)) AND lower(name) ~<~ (SELECT lower(?)))" +
				" OR (lower(username) ~>=~ (SELECT lower(?)) AND lower(username) ~<~ (SELECT lower(?))))",
			[]any{term, behind, term, behind},
		}
	}
	return condition{
		"user_search WHERE folded LIKE (SELECT lower(?)) AND strpos(names, (SELECT lower(?))) > 0",
		[]any{foldedPattern(term), term},
	}
}

// postgresPlain returns a condition for rows of user_search that match a term. It uses functions that have no index.
func postgresPlain(term string) condition {
	switch {
	case short(term):
		return condition{"strpos(names, E'\\n' || lower(?)) > 0", []any{term}}
	case strings.Contains(term, "\n"):
		return condition{"strpos(lower(users.name), lower(?)) > 0", []any{term}}
	}
	return condition{"strpos(names, lower(?)) > 0", []any{term}}
}
