package store

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// UserFilter says which users a list shows. A field that is not set filters nothing.
type UserFilter struct {
	Username           string // in any case
	Search             string
	SearchPrivateEmail bool // search also finds users by their private email addresses
	Active             bool
	Blocked            bool
	Pending            bool // waiting for approval
	External           bool
	ExcludeExternal    bool
	ExcludeInternal    bool
	WithoutProjectBots bool
	CreatedAfter       *time.Time
	CreatedBefore      *time.Time
	Provider           *string // with ExternUID
	ExternUID          *string
	SamlProviderID     *int64
	SkipLDAP           bool
	TwoFactor          *bool
	Admins             bool
	Auditors           bool
	WithoutProjects    bool // neither member of a project nor with a project in their namespace
	CustomAttributes   map[string]string
	Basic              bool // read only the columns that everybody can see
}

// columns returns the columns of users u that the list shows. fields returns the destinations in the same order.
func (f UserFilter) columns() string {
	if f.Basic {
		return basicUserColumns
	}
	return listedUserColumns
}

func (f UserFilter) fields(u *model.User) []any {
	if f.Basic {
		return basicUserFields(u)
	}
	return listedUserFields(u)
}

// unfiltered reports whether the filter contains only a search term.
func (f UserFilter) unfiltered() bool {
	if len(f.CustomAttributes) == 0 {
		f.CustomAttributes = nil
	}
	return reflect.DeepEqual(f, UserFilter{Search: f.Search, SearchPrivateEmail: f.SearchPrivateEmail, Basic: f.Basic})
}

// UserOrder is the order of a list of users. The id breaks ties.
type UserOrder struct {
	Column string // id, name, username, created_at or updated_at
	Desc   bool
}

// allUsers is the name of the list of all users in longLists.
const allUsers = "users"

// List returns one page of users.
func (s Users) List(ctx context.Context, f UserFilter, o UserOrder, p Page) ([]model.User, Total, error) {
	if f = f.trimmed(); f.Search != "" {
		return s.searchPage(ctx, f, o, p)
	}
	from, order := s.listed(f), inOrder(Keyset{Column: o.Column, Desc: o.Desc})
	if f.unfiltered() && !s.longLists.Has(allUsers) { // an index has the rows in order, so counting them costs little
		list := countedList[model.User]{columns: f.columns(), from: from, order: order, fields: f.fields}
		rows, total, err := list.page(ctx, s.base, p)
		if total.Count > CountCap {
			s.longLists.Remember(allUsers)
		}
		return rows, total, err
	}
	rest := condition{withLimit(from.text+" ORDER BY "+order, p.Limit+1), append(slices.Clip(from.args), p.Offset)}
	rows, err := readRows(ctx, s.base, f.columns(), rest, p.Limit+1, f.fields)
	if err != nil {
		return nil, Total{}, err
	}
	return query.WithTotal(rows, p, func() (int64, error) {
		if f.unfiltered() {
			return CountCap + 1, nil
		}
		return s.countRows(ctx, from)
	})
}

// After returns one page of users after a row.
func (s Users) After(ctx context.Context, f UserFilter, k Keyset) ([]model.User, bool, error) {
	if f = f.trimmed(); f.Search != "" {
		return s.searchAfter(ctx, f, k)
	}
	from := s.listed(f)
	switch {
	case k.After == nil:
	case k.Column == "id":
		from.and("u.id "+k.Operator()+" ?", k.After.ID)
	default:
		from.and("(u."+quotedName(k.Column)+", u.id) "+k.Operator()+" (?, ?)", k.After.Value, k.After.ID)
	}
	from.text += " ORDER BY " + inOrder(k) + " LIMIT " + strconv.Itoa(k.Limit+1)
	rows, err := readRows(ctx, s.base, f.columns(), from, k.Limit+1, f.fields)
	if err != nil || len(rows) <= k.Limit {
		return rows, false, err
	}
	return rows[:k.Limit], true, nil
}

// listed returns the users that match the filter, which has no search term.
func (s Users) listed(f UserFilter) condition {
	c := f.where("u", s.today())
	c.text = "users u WHERE " + c.text
	return c
}

// inOrder returns the columns by which a list of users u is ordered.
func inOrder(k Keyset) string {
	if k.Column == "id" {
		return "u.id" + k.Direction()
	}
	return "u." + quotedName(k.Column) + k.Direction() + ", u.id" + k.Direction()
}

// trimmed removes space around the search term.
func (f UserFilter) trimmed() UserFilter {
	f.Search = strings.TrimSpace(f.Search)
	return f
}

// filtered returns a query for the users that match the filter. It finds the search term by the indexes of names.
func (s Users) filtered(ctx context.Context, f UserFilter) *gorm.DB {
	return conditions(s.search(s.db.Read(ctx), f), f)
}

// conditions applies the filter to a query, except for the search term.
func conditions(q *gorm.DB, f UserFilter) *gorm.DB {
	c := f.where("users", dayOf(q.NowFunc()))
	return q.Where(c.text, c.args...)
}

// where returns the condition of the filter, except for the search term. users is the name of the table in the query.
func (f UserFilter) where(users string, today time.Time) condition {
	c := condition{text: "TRUE"}
	if f.Username != "" {
		c.and("lower("+users+".username) = lower(?)", f.Username)
	}
	if f.CreatedAfter != nil {
		c.and(users+".created_at > ?", f.CreatedAfter.UTC())
	}
	if f.CreatedBefore != nil {
		c.and(users+".created_at < ?", f.CreatedBefore.UTC())
	}
	if f.TwoFactor != nil {
		c.and("two_factor = ?", *f.TwoFactor)
	}
	for _, one := range [...]struct {
		wanted bool
		text   string
	}{
		{f.Active, "state = '" + string(model.UserActive) + "' AND kind <> '" + model.UserGhost + "'"},
		{f.Blocked, "state IN ('" + string(model.UserBlocked) + "', '" + string(model.UserLDAPBlocked) + "')"},
		{f.Pending, "state = '" + string(model.UserPendingApproval) + "'"},
		{f.External, "external"},
		{f.ExcludeExternal, "NOT external"},
		{f.ExcludeInternal, "kind NOT IN ('" + strings.Join(model.InternalKinds(), "', '") + "')"},
		{f.WithoutProjectBots, "kind <> '" + model.UserProjectBot + "'"},
		{f.Admins, "admin"},
		{f.Auditors, "auditor"},
	} {
		if one.wanted {
			c.and(one.text)
		}
	}
	f.byRelated(&c, users, today)
	return c
}

// byRelated adds the conditions on rows of other tables.
func (f UserFilter) byRelated(c *condition, users string, today time.Time) {
	if f.ExternUID != nil {
		c.and(users+".id IN (SELECT user_id FROM identities WHERE lower(extern_uid) = lower(?) AND provider = ?)",
			*f.ExternUID, *f.Provider)
	}
	if f.SamlProviderID != nil {
		c.and(users+".id IN (SELECT user_id FROM identities WHERE saml_provider_id = ?)", *f.SamlProviderID)
	}
	if f.SkipLDAP {
		c.and("NOT EXISTS (SELECT 1 FROM identities i WHERE i.user_id = " + users + ".id AND i.provider LIKE 'ldap%')")
	}
	if f.WithoutProjects {
		c.and("NOT EXISTS (SELECT 1 FROM members m WHERE m.user_id = "+users+".id AND m.source_type = 'Project' AND "+
			"(m.expires_at IS NULL OR m.expires_at > ?))", today)
		c.and("NOT EXISTS (SELECT 1 FROM projects p WHERE p.namespace_id = " + users + ".namespace_id)")
	}
	for _, key := range slices.Sorted(maps.Keys(f.CustomAttributes)) {
		c.and(users+".id IN (SELECT user_id FROM user_custom_attributes WHERE key = ? AND value = ?)", key, f.CustomAttributes[key])
	}
}
