package store

import (
	"context"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// TokenFilter says which tokens a list shows. A field that is not set filters nothing, except Impersonation.
type TokenFilter struct {
	UserID                        *int64
	Impersonation                 bool  // impersonation tokens, or all others
	Active                        *bool // true: neither revoked nor expired; false: revoked or expired
	Revoked                       *bool
	Search                        string // a part of the name, in any case
	CreatedAfter, CreatedBefore   *time.Time
	LastUsedAfter, LastUsedBefore *time.Time
	Sort                          string // a key of tokenOrders; ordered by id for any other value
}

// tokenOrders contains the orders of a list. The id breaks ties.
var tokenOrders = map[string]string{
	"created_asc":    "created_at, id",
	"created_desc":   "created_at DESC, id DESC",
	"expires_asc":    "expires_at IS NULL, expires_at, id",
	"expires_desc":   "expires_at IS NULL, expires_at DESC, id DESC",
	"last_used_asc":  "last_used_at IS NULL, last_used_at, id",
	"last_used_desc": "last_used_at IS NULL, last_used_at DESC, id DESC",
	"name_asc":       "name, id",
	"name_desc":      "name DESC, id DESC",
}

// List returns one page of tokens.
func (s Tokens) List(ctx context.Context, f TokenFilter, p Page) ([]model.PersonalAccessToken, Total, error) {
	return query.List[model.PersonalAccessToken](f.limit(s.db.Read(ctx), s.now()).Order(f.order()), p)
}

func (f TokenFilter) order() string {
	if order, ok := tokenOrders[f.Sort]; ok {
		return order
	}
	return "id"
}

func (f TokenFilter) limit(q *gorm.DB, now time.Time) *gorm.DB {
	q = q.Where("impersonation = ?", f.Impersonation)
	if f.UserID != nil {
		q = q.Where("user_id = ?", *f.UserID)
	}
	if f.Revoked != nil {
		q = q.Where("revoked = ?", *f.Revoked)
	}
	if f.Active != nil {
		good := "revoked = ? AND (expires_at IS NULL OR expires_at > ?)"
		if !*f.Active {
			good = "NOT (" + good + ")"
		}
		q = q.Where(good, false, dayOf(now))
	}
	if f.Search != "" {
		q = q.Where(`lower(name) LIKE lower(?) ESCAPE '\'`, "%"+likeEscaper.Replace(f.Search)+"%")
	}
	for _, limit := range []struct { // in a fixed order, so that equal filters give equal texts
		condition string
		at        *time.Time
	}{
		{"created_at >= ?", f.CreatedAfter},
		{"created_at <= ?", f.CreatedBefore},
		{"last_used_at >= ?", f.LastUsedAfter},
		{"last_used_at <= ?", f.LastUsedBefore},
	} {
		if limit.at != nil {
			q = q.Where(limit.condition, limit.at.UTC())
		}
	}
	return q
}

// likeEscaper escapes the special characters of LIKE.
var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// dayOf returns the day to compare a date column with. See model.Expired.
func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// today returns the day of the store's clock.
func (b *base) today() time.Time { return dayOf(b.now()) }
