package store

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"svc/store/model"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

const (
	// lastRune comes after every character that a name goes on with.
	lastRune = "\U0010FFFF"
	// walkRatio is how many users are looked at along the list for each row of the page, before an index of the names
	// is asked: terms that one in fifty names holds are found so, and an index would gather all their users first.
	walkRatio = 50
	leastWalk = 1000
	// countAll is the number of users up to which a search always counts. Where there are more, it does not count what
	// a common term finds: that would cost more than the page.
	countAll = 2500
	everyone = "(SELECT count(*) FROM (SELECT 1 FROM users LIMIT 2501) AS everyone)" // countAll and one more
	common   = 20                                                                    // of the newest leastWalk users
)

// short tells whether a term has too few characters for an index of trigrams.
func short(term string) bool { return utf8.RuneCountInString(term) < 3 }

// condition is a part of a WHERE.
type condition struct {
	text string
	args []any
}

// orAddress adds the users that a term finds as a whole address.
func (c condition) orAddress(f UserFilter) condition {
	if !strings.Contains(f.Search, "@") {
		return c
	}
	c.text += " OR (public_email IS NOT NULL AND lower(public_email) = lower(?))"
	c.args = append(c.args, f.Search)
	if f.SearchPrivateEmail {
		c.text += " OR lower(email) = lower(?)"
		c.args = append(c.args, f.Search)
	}
	return c
}

func (c condition) of(q *gorm.DB) *gorm.DB { return q.Where("("+c.text+")", c.args...) }

// searchPage returns one page of the users that a term finds: by part of the name or username, or by a whole address.
func (s Users) searchPage(ctx context.Context, f UserFilter, o UserOrder, p Page) ([]model.User, Total, error) {
	rows, frequent, err := s.searchRows(ctx, f, Keyset{Column: o.Column, Desc: o.Desc, Limit: p.Limit}, p.Offset)
	if err != nil {
		return nil, Total{}, translate(err)
	}
	return total(rows, p, func() (int64, error) { return s.searchTotal(ctx, f, frequent) })
}

// searchAfter returns one page of the users that a term finds, behind a row.
func (s Users) searchAfter(ctx context.Context, f UserFilter, k Keyset) ([]model.User, bool, error) {
	rows, _, err := s.searchRows(ctx, f, k, 0)
	if err != nil {
		return nil, false, translate(err)
	}
	if len(rows) > k.Limit {
		return rows[:k.Limit], true, nil
	}
	return rows, false, nil
}

// frequency is what the way to a page has shown about its term.
type frequency int

const (
	unknown frequency = iota
	rare
	frequent
)

// searchRows returns the rows of a page and the one behind it.
func (s Users) searchRows(ctx context.Context, f UserFilter, k Keyset, offset int) ([]model.User, frequency, error) {
	if s.postgres {
		return s.postgresSearch(ctx, f, k, offset)
	}
	return s.sqliteSearch(ctx, f, k, offset)
}

// walk looks for a page among the next users of a list by id, reading each; it is filled or it says nothing. names must
// be a condition that no index answers.
func (s Users) walk(ctx context.Context, q *gorm.DB, names condition, f UserFilter, k Keyset, offset int) ([]model.User, error) {
	most := max(leastWalk, walkRatio*(offset+k.Limit+1))
	q = names.of(conditions(q, f)).Where(s.nextUsers(ctx, k, most))
	rows, err := find[model.User](ordered(q, k).Limit(k.Limit+1).Offset(offset), k.Limit+1)
	if err != nil || len(rows) <= k.Limit {
		return nil, err
	}
	return rows, nil
}

// nextUsers holds for that many users in the order of a list by id.
func (s Users) nextUsers(ctx context.Context, k Keyset, most int) clause.Expr {
	from := s.read(ctx).Table("users").Select("id").Order(clause.OrderByColumn{Column: clause.Column{Name: "id"}, Desc: k.Desc})
	from = after(from, k).Limit(1).Offset(most)
	if k.Desc {
		return gorm.Expr("users.id >= coalesce((?), 0)", from)
	}
	return gorm.Expr("users.id <= coalesce((?), 9223372036854775807)", from)
}

// searchTotal counts what a term finds. A common term among many users is not counted, as if it found too many.
func (s Users) searchTotal(ctx context.Context, f UserFilter, known frequency) (int64, error) {
	if !s.postgres && streams(f) {
		return s.sqliteTotal(ctx, f)
	}
	whole := s.filtered(ctx, f)
	if known == rare {
		return countUpTo[model.User](whole, CountCap+1)
	}
	dear := condition{text: everyone + fmt.Sprintf(" > %d", countAll)}
	if known == unknown {
		newest := s.read(ctx).Table("users").Where(s.nextUsers(ctx, Keyset{Column: "id", Desc: true}, leastWalk))
		newest = s.plain(f).of(conditions(newest, f)).Select("1").Limit(common + 1)
		dear.text += fmt.Sprintf(" AND (SELECT count(*) FROM (?) AS newest) > %d", common)
		dear.args = append(dear.args, newest)
	}
	var n int64
	counted := whole.Model(&model.User{}).Select("1").Limit(CountCap + 1)
	args := append(dear.args, CountCap+1, counted)
	err := s.read(ctx).Raw("SELECT CASE WHEN "+dear.text+" THEN ? ELSE (SELECT count(*) FROM (?) AS counted) END", args...).Scan(&n).Error
	return n, translate(err)
}

// plain is the search as a condition on a row, which no index answers.
func (s Users) plain(f UserFilter) condition {
	if s.postgres {
		return postgresPlain(f.Search).orAddress(f)
	}
	return sqlitePlain(f.Search).orAddress(f)
}

// search limits a query to users that a term finds, by the indexes of the names.
func (s Users) search(q *gorm.DB, f UserFilter) *gorm.DB {
	if f.Search == "" {
		return q
	}
	if s.postgres {
		return postgresNames(f.Search).orAddress(f).of(q)
	}
	return sqliteNames(f.Search).orAddress(f).of(q)
}
