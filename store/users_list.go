package store

import (
	"context"
	"maps"
	"slices"
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

// basicColumns are the columns that everybody can see.
const basicColumns = "users.id, users.username, users.name, users.state, users.locked_at"

func (f UserFilter) columns() string {
	if f.Basic {
		return basicColumns
	}
	return "users.*"
}

// UserOrder is the order of a list of users. The id breaks ties.
type UserOrder struct {
	Column string // id, name, username, created_at or updated_at
	Desc   bool
}

// List returns one page of users.
func (s Users) List(ctx context.Context, f UserFilter, o UserOrder, p Page) ([]model.User, Total, error) {
	if f = f.trimmed(); f.Search != "" {
		return s.searchPage(ctx, f, o, p)
	}
	return query.ListFiltered[model.User](query.Ordered(s.filtered(ctx, f).Select(f.columns()), Keyset{Column: o.Column, Desc: o.Desc}), p)
}

// After returns one page of users after a row.
func (s Users) After(ctx context.Context, f UserFilter, k Keyset) ([]model.User, bool, error) {
	if f = f.trimmed(); f.Search != "" {
		return s.searchAfter(ctx, f, k)
	}
	if k.Column == "id" && f.unfiltered() {
		return s.afterUnfiltered(ctx, f, k)
	}
	return query.ListAfter[model.User](s.filtered(ctx, f).Select(f.columns()), k)
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
	if f.Username != "" {
		q = q.Where("lower(users.username) = lower(?)", f.Username)
	}
	if f.CreatedAfter != nil {
		q = q.Where("created_at > ?", f.CreatedAfter.UTC())
	}
	if f.CreatedBefore != nil {
		q = q.Where("created_at < ?", f.CreatedBefore.UTC())
	}
	if f.TwoFactor != nil {
		q = q.Where("two_factor = ?", *f.TwoFactor)
	}
	for _, c := range []struct {
		wanted bool
		text   string
		value  any
	}{
		{f.Active, "state = ?", model.UserActive},
		{f.Active, "kind <> ?", model.UserGhost},
		{f.Blocked, "state IN ?", []model.UserState{model.UserBlocked, model.UserLDAPBlocked}},
		{f.Pending, "state = ?", model.UserPendingApproval},
		{f.External, "external = ?", true},
		{f.ExcludeExternal, "external = ?", false},
		{f.ExcludeInternal, "kind NOT IN ?", model.InternalKinds()},
		{f.WithoutProjectBots, "kind <> ?", model.UserProjectBot},
		{f.Admins, "admin = ?", true},
		{f.Auditors, "auditor = ?", true},
	} {
		if c.wanted {
			q = q.Where(c.text, c.value)
		}
	}
	return byRelated(q, f)
}

// byRelated filters by rows of other tables.
func byRelated(q *gorm.DB, f UserFilter) *gorm.DB {
	if f.ExternUID != nil {
		q = q.Where(
			"users.id IN (SELECT user_id FROM identities WHERE lower(extern_uid) = lower(?) AND provider = ?)",
			*f.ExternUID, *f.Provider,
		)
	}
	if f.SamlProviderID != nil {
		q = q.Where("users.id IN (SELECT user_id FROM identities WHERE saml_provider_id = ?)", *f.SamlProviderID)
	}
	if f.SkipLDAP {
		q = q.Where("NOT EXISTS (SELECT 1 FROM identities i WHERE i.user_id = users.id AND i.provider LIKE 'ldap%')")
	}
	if f.WithoutProjects {
		q = q.Where(
			"NOT EXISTS (SELECT 1 FROM members m WHERE m.user_id = users.id AND m.source_type = 'Project' AND "+
				"(m.expires_at IS NULL OR m.expires_at > ?))",
			dayOf(q.NowFunc())).
			Where("NOT EXISTS (SELECT 1 FROM projects p WHERE p.namespace_id = users.namespace_id)")
	}
	for _, key := range slices.Sorted(maps.Keys(f.CustomAttributes)) {
		q = q.Where("users.id IN (SELECT user_id FROM user_custom_attributes WHERE key = ? AND value = ?)", key, f.CustomAttributes[key])
	}
	return q
}
