package store

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// sqliteSearch reads a list by id from the table user_search. That table returns its rows one by one in the order of
// ids, so the cost of a page does not depend on the number of matches.
func (s Users) sqliteSearch(ctx context.Context, f UserFilter, k Keyset, offset int) ([]model.User, searchEstimate, error) {
	if k.Column == "id" && streams(f) && f.unfiltered() {
		rows, err := s.sqliteHot(ctx, f, k, offset)
		return rows, searchEstimate{total: unknownTotal}, err
	}
	gathered := query.Ordered(query.After(s.filtered(ctx, f), k), k)
	switch {
	case k.Column == "id" && streams(f):
		rows, err := s.found(s.stream(ctx, f, &k), f, k, offset)
		return rows, searchEstimate{total: unknownTotal}, err
	case k.Column == "id" && short(f.Search):
		few, err := s.sqliteFew(ctx, f.Search)
		if err != nil {
			return nil, searchEstimate{}, err
		}
		if few { // a walk would mostly read users that do not match
			rows, err := s.found(gathered, f, k, offset)
			return rows, searchEstimate{rare, unknownTotal}, err
		}
		rows, err := s.walk(ctx, s.db.Read(ctx).Table("users NOT INDEXED"), f, k, offset)
		if err != nil || rows != nil {
			return rows, searchEstimate{frequent, unknownTotal}, err
		}
	case k.Column != "id" && streams(f) && isASCII(f.Search):
		many, err := s.sqliteCommon(ctx, f)
		if err != nil {
			return nil, searchEstimate{}, err
		}
		if many { // gathering the matches would cost more than reading along the list
			gathered = query.Ordered(query.After(s.plain(f).where(conditions(s.db.Read(ctx), f)), k), k)
		}
	}
	rows, err := s.found(gathered, f, k, offset)
	return rows, searchEstimate{total: unknownTotal}, err
}

// fewNames is the number of names up to which the index of the beginnings of names is used.
const fewNames = 1500

// sqliteFew reports whether few names or usernames begin with a short term.
func (s Users) sqliteFew(ctx context.Context, term string) (few bool, err error) {
	const begins = "(SELECT count(*) FROM (SELECT 1 FROM users WHERE lower(%[1]s) >= lower(?) AND lower(%[1]s) < lower(?) LIMIT %[2]d))"
	statement := fmt.Sprintf("SELECT "+begins+" + ", "name", fewNames+1) + fmt.Sprintf(begins+" < %[2]d", "username", fewNames+1)
	behind := term + lastRune
	err = s.db.LongRow(ctx, statement, []any{term, behind, term, behind}, &few)
	return few, query.Translate(err)
}

// streams reports whether the table user_search alone can find the matches.
func streams(f UserFilter) bool { return !short(f.Search) && !strings.Contains(f.Search, "@") }

// stream returns a query for the matches of a term. If k is not nil, they are ordered by id and start after k.After.
func (s Users) stream(ctx context.Context, f UserFilter, k *Keyset) *gorm.DB {
	match, exact := sqliteMatch(f.Search)
	q := s.db.Read(ctx).Table("user_search CROSS JOIN users").Where("user_search MATCH ? AND users.id = user_search.rowid", match)
	if !exact {
		q = s.plain(f).where(q)
	}
	q = conditions(q, f)
	if k == nil {
		return q
	}
	id := clause.Column{Table: "user_search", Name: "rowid"}
	if k.After != nil {
		q = q.Where("? "+k.Operator()+" ?", id, k.After.ID)
	}
	return q.Order(clause.OrderByColumn{Column: id, Desc: k.Desc})
}

// sqliteHot returns a page of the matches of a term, by id, and the row after it.
func (s Users) sqliteHot(ctx context.Context, f UserFilter, k Keyset, offset int) ([]model.User, error) {
	match, exact := sqliteMatch(f.Search)
	where, args := "user_search MATCH ? AND u.id = user_search.rowid", []any{match}
	if !exact {
		c := sqlitePlain(f.Search, "u")
		where, args = where+" AND ("+c.text+")", append(args, c.args...)
	}
	if k.After != nil {
		where, args = where+" AND user_search.rowid "+k.Operator()+" ?", append(args, k.After.ID)
	}
	from := "user_search CROSS JOIN users u WHERE " + where + " ORDER BY user_search.rowid" + k.Direction()
	return readRows(ctx, s.base, f.columns(), condition{withLimit(from, k.Limit+1), append(args, offset)}, k.Limit+1, f.fields)
}

// countWork limits the cost of counting the matches of a term if there are many users. It is the number of trigrams
// that are looked up.
const countWork = 2000

// sqliteTotal counts the matches of a term. If there are many users, it stops counting at the limit of countWork.
func (s Users) sqliteTotal(ctx context.Context, f UserFilter) (int64, error) {
	const statement = "SELECT (SELECT count(*) FROM (%s) AS chosen), " + everyone
	most := int64(countWork / utf8.RuneCountInString(f.Search))
	var n, users int64
	var err error
	if match, exact := sqliteMatch(f.Search); exact && f.unfiltered() { // user_search alone is enough
		err = s.db.LongRow(
			ctx, fmt.Sprintf(statement, "SELECT 1 FROM user_search WHERE user_search MATCH ? LIMIT "+opaqueNumber),
			[]any{match, most + 1}, &n, &users,
		)
	} else {
		err = s.db.Read(ctx).Raw(fmt.Sprintf(statement, "?"), s.stream(ctx, f, nil).Select("1").Limit(int(most)+1)).Row().Scan(&n, &users)
	}
	switch {
	case err != nil || n <= most:
		return n, query.Translate(err)
	case users > countAll:
		return CountCap + 1, nil
	}
	return query.CountUpTo[model.User](s.stream(ctx, f, nil), CountCap+1)
}

// sqliteCommon reports whether many of the newest users match.
func (s Users) sqliteCommon(ctx context.Context, f UserFilter) (bool, error) {
	match, _ := sqliteMatch(f.Search)
	var n int64
	err := s.db.Read(ctx).Raw("SELECT count(*) FROM (SELECT 1 FROM user_search WHERE user_search MATCH ? AND rowid >= "+
		"coalesce((SELECT id FROM users ORDER BY id DESC LIMIT 1 OFFSET ?), 0) LIMIT ?)", match, leastWalk, common+1).Scan(&n).Error
	return n > common, err
}

// sqliteNames returns a query for the ids of users whose name or username contains the term. The table user_search
// finds terms of three or more characters. Shorter terms match only the beginning of a name.
func sqliteNames(term string) condition {
	if short(term) {
		c := sqlitePlain(term, "users")
		c.text = "SELECT id FROM users WHERE " + c.text
		return c
	}
	return condition{"SELECT rowid FROM user_search WHERE user_search MATCH ?", []any{phrase(term)}}
}

// sqlitePlain returns a condition for users that match a term, without user_search. users is the name of the table in
// the query. A long term must be ASCII. Two letters beyond ASCII equal ASCII letters in user_search, but not in LIKE:
// the long s and the kelvin sign.
func sqlitePlain(term, users string) condition {
	if short(term) {
		behind := term + lastRune
		return condition{
			fmt.Sprintf("(lower(%[1]s.name) >= lower(?) AND lower(%[1]s.name) < lower(?)) OR (lower(%[1]s.username) "+
				">= lower(?) AND lower(%[1]s.username) < lower(?))", users),
			[]any{term, behind, term, behind},
		}
	}
	pattern := "%" + likeEscaper.Replace(term) + "%"
	return condition{
		"replace(replace(" + users + ".name, '\u017f', 's'), '\u212a', 'k') LIKE ? ESCAPE '\\' OR " + users +
			".username LIKE ? ESCAPE '\\'",
		[]any{pattern, pattern},
	}
}

// fewTrigrams is the number of trigrams of a long term that are looked up. The rows that contain all of them are then
// checked.
const fewTrigrams = 4

// sqliteMatch returns the MATCH expression of user_search for a term, and whether it is exact. Each trigram of a term
// costs a scan of its list, so the expression contains only some trigrams of a long term.
func sqliteMatch(term string) (match string, exact bool) {
	last := len(term) - 3
	if !isASCII(term) || last <= fewTrigrams {
		return phrase(term), true
	}
	var parts []string
	for i := range fewTrigrams {
		at := last * i / (fewTrigrams - 1)
		parts = append(parts, phrase(term[at:at+3]))
	}
	return strings.Join(parts, " AND "), false
}

func phrase(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}
