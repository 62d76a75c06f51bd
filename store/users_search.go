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

const (
	// lastRune sorts after every character that may follow in a name.
	lastRune = "\U0010FFFF"
	// walkRatio is the number of users that a search reads along the list for each row of the page, before it uses an
	// index of names. This finds terms that at least one in so many names contains. For such terms an index would first
	// gather all matches.
	walkRatio = 75
	leastWalk = 1500
	// countAll is the number of users up to which a search always counts its matches. With more users it does not count
	// the matches of a common term, because that would cost more than the page.
	countAll = 2500
	everyone = "(SELECT count(*) FROM (SELECT 1 FROM users LIMIT 2501) AS everyone)" // countAll and one more
	common   = 20                                                                    // of the newest leastWalk users
)

// short reports whether a term has too few characters for a trigram index.
func short(term string) bool { return utf8.RuneCountInString(term) < 3 }

// orAddress adds the users whose whole email address is the search term to a query of ids.
func (c condition) orAddress(f UserFilter) condition {
	if !strings.Contains(f.Search, "@") {
		return c
	}
	c.text += " UNION SELECT id FROM users WHERE public_email IS NOT NULL AND lower(public_email) = lower(?)"
	c.args = append(c.args, f.Search)
	if f.SearchPrivateEmail {
		c.text += " UNION SELECT id FROM users WHERE lower(email) = lower(?) UNION SELECT user_id FROM emails WHERE lower(email) = lower(?)"
		c.args = append(c.args, f.Search, f.Search)
	}
	return c
}

func (c condition) where(q *gorm.DB) *gorm.DB { return q.Where("("+c.text+")", c.args...) }

// searchPage returns one page of the users that match a term: a part of the name or username, or a whole email address.
func (s Users) searchPage(ctx context.Context, f UserFilter, o UserOrder, p Page) ([]model.User, Total, error) {
	rows, seen, err := s.searchRows(ctx, f, Keyset{Column: o.Column, Desc: o.Desc, Limit: p.Limit}, p.Offset)
	if err != nil {
		return nil, Total{}, query.Translate(err)
	}
	return query.WithTotal(rows, p, func() (int64, error) {
		if seen.total != unknownTotal && len(rows) > 0 {
			return seen.total, nil
		}
		return s.searchTotal(ctx, f, seen.frequency)
	})
}

// searchAfter returns one page of the users that match a term, after a row.
func (s Users) searchAfter(ctx context.Context, f UserFilter, k Keyset) ([]model.User, bool, error) {
	rows, _, err := s.searchRows(ctx, f, k, 0)
	if err != nil {
		return nil, false, query.Translate(err)
	}
	if len(rows) > k.Limit {
		return rows[:k.Limit], true, nil
	}
	return rows, false, nil
}

// searchEstimate contains what the search for a page has shown about the frequency of the term.
type searchEstimate struct {
	frequency frequency
	total     int64 // unknownTotal if not counted
}

const unknownTotal int64 = -1

// frequency is how often a term occurs in names.
type frequency int

const (
	unknown frequency = iota
	rare
	frequent
)

// searchRows returns the rows of a page and the row after it.
func (s Users) searchRows(ctx context.Context, f UserFilter, k Keyset, offset int) ([]model.User, searchEstimate, error) {
	if s.Postgres() {
		return s.postgresSearch(ctx, f, k, offset)
	}
	return s.sqliteSearch(ctx, f, k, offset)
}

// walk searches for a page among the next users of a list by id, and reads each of them. It returns nil if that does
// not fill the page.
func (s Users) walk(ctx context.Context, q *gorm.DB, f UserFilter, k Keyset, offset int) ([]model.User, error) {
	most := max(leastWalk, walkRatio*(offset+k.Limit+1))
	q = s.plain(f).where(conditions(s.names(q), f)).Where(s.nextUsers(ctx, k, most))
	if k.After != nil {
		q = q.Where("? "+k.Operator()+" ?", s.walkColumn(), k.After.ID)
	}
	rows, err := s.found(q.Order(clause.OrderByColumn{Column: s.walkColumn(), Desc: k.Desc}), f, k, offset)
	if err != nil || len(rows) <= k.Limit {
		return nil, err
	}
	return rows, nil
}

// walkColumn returns the id column that walk follows. On PostgreSQL it is that of user_search, whose rows are smaller than
// those of users.
func (s Users) walkColumn() clause.Column {
	if s.Postgres() {
		return clause.Column{Table: "user_search", Name: "id"}
	}
	return clause.Column{Table: "users", Name: "id"}
}

// found reads the rows of a page and the row after it.
func (s Users) found(q *gorm.DB, f UserFilter, k Keyset, offset int) ([]model.User, error) {
	columns := strings.ReplaceAll(f.columns(), "u.", "users.")
	return query.Find[model.User](q.Select(columns).Limit(k.Limit+1).Offset(offset), k.Limit+1)
}

// nextUsers returns a condition for the next most users of a list by id.
func (s Users) nextUsers(ctx context.Context, k Keyset, most int) clause.Expr {
	from := s.db.Read(ctx).Table("users").Select("id").Order(clause.OrderByColumn{Column: clause.Column{Name: "id"}, Desc: k.Desc})
	from = query.After(from, k).Limit(1).Offset(most)
	if k.Desc {
		return gorm.Expr("? >= coalesce((?), 0)", s.walkColumn(), from)
	}
	return gorm.Expr("? <= coalesce((?), 9223372036854775807)", s.walkColumn(), from)
}

// searchTotal counts the matches of a term. If the term is common and there are many users, it does not count them but
// returns more than CountCap.
func (s Users) searchTotal(ctx context.Context, f UserFilter, known frequency) (int64, error) {
	if !s.Postgres() && streams(f) {
		return s.sqliteTotal(ctx, f)
	}
	whole := s.filtered(ctx, f)
	if known == rare {
		return query.CountUpTo[model.User](whole, CountCap+1)
	}
	dear := condition{text: everyone + fmt.Sprintf(" > %d", countAll)}
	if known == unknown {
		newest := s.names(s.db.Read(ctx).Table("users")).Where(s.nextUsers(ctx, Keyset{Column: "id", Desc: true}, leastWalk))
		newest = s.plain(f).where(conditions(newest, f)).Select("1").Limit(common + 1)
		dear.text += fmt.Sprintf(" AND (SELECT count(*) FROM (?) AS newest) > %d", common)
		dear.args = append(dear.args, newest)
	}
	var n int64
	counted := whole.Model(&model.User{}).Select("1").Limit(CountCap + 1)
	dear.args = append(dear.args, CountCap+1, counted)
	err := s.db.Read(ctx).Raw("SELECT CASE WHEN "+dear.text+" THEN ? ELSE (SELECT count(*) FROM (?) AS counted) END", dear.args...).
		Scan(&n).Error
	return n, query.Translate(err)
}

// names joins the table that the condition of plain needs.
func (s Users) names(q *gorm.DB) *gorm.DB {
	if s.Postgres() {
		return q.Joins("JOIN user_search ON user_search.id = users.id")
	}
	return q
}

// plain returns the search as a condition on a row, which uses no index. It does not search email addresses.
func (s Users) plain(f UserFilter) condition {
	if s.Postgres() {
		return postgresPlain(f.Search)
	}
	return sqlitePlain(f.Search, "users")
}

// search limits a query to the users that match a term. It uses the indexes of names.
func (s Users) search(q *gorm.DB, f UserFilter) *gorm.DB {
	if f.Search == "" {
		return q
	}
	ids := sqliteNames
	if s.Postgres() {
		ids = postgresNames
	}
	c := ids(f.Search).orAddress(f)
	return q.Where("users.id IN ("+c.text+")", c.args...)
}
