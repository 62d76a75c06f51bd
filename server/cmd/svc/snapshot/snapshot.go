package snapshot

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"svc/server/domain/fixture"
)

// Options selects the instance.
type Options struct {
	URL   string // of the instance
	Token string // of an administrator, with the scope api
	Warn  func(text string)
}

// Take reads an instance into a document.
func Take(ctx context.Context, o Options) (*fixture.Document, error) {
	s := &snapshot{
		client: &client{base: strings.TrimSuffix(o.URL, "/"), token: o.Token, http: &http.Client{Timeout: requestTime}},
		warn:   o.Warn, doc: &fixture.Document{Version: fixture.Version}, usernames: map[int64]string{},
		people: map[[2]string]string{}, runners: map[int64]string{},
	}
	for _, step := range []func(context.Context) error{s.users, s.groups, s.readRunners, s.projects, s.systemHooks} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return s.doc, nil
}

// snapshot is a document that is being read.
type snapshot struct {
	*client
	warn      func(text string)
	doc       *fixture.Document
	usernames map[int64]string
	people    map[[2]string]string // usernames, by name and address
	runners   map[int64]string     // descriptions
}

// left warns about something that the document does not have.
func (s *snapshot) left(format string, args ...any) { s.warn(fmt.Sprintf(format, args...)) }

type user struct {
	ID        int64      `json:"id"`
	Username  string     `json:"username"`
	Name      string     `json:"name"`
	Email     string     `json:"email"`
	State     string     `json:"state"`
	Bio       string     `json:"bio"`
	Note      string     `json:"note"`
	IsAdmin   *bool      `json:"is_admin"`
	External  bool       `json:"external"`
	CreatedAt *time.Time `json:"created_at"`
}

type token struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	Revoked   bool      `json:"revoked"`
	CreatedAt time.Time `json:"created_at"`
	Scopes    []string  `json:"scopes"`
	UserID    int64     `json:"user_id"`
	ExpiresAt *string   `json:"expires_at"`
}

// users reads the users and their tokens. Secrets cannot be read; the own token is left out.
func (s *snapshot) users(ctx context.Context) error {
	me, err := one[user](ctx, s.client, "/user")
	if err != nil {
		return err
	}
	if me.IsAdmin == nil || !*me.IsAdmin {
		return fmt.Errorf("%s is not an administrator: a snapshot needs the token of one, with the scope api", me.Username)
	}
	own, err := one[token](ctx, s.client, "/personal_access_tokens/self")
	if err != nil {
		return fmt.Errorf("a snapshot needs a personal access token: %w", err)
	}
	rows, err := all[user](ctx, s.client, "/users?order_by=id&sort=asc&exclude_internal=true&without_project_bots=true")
	if err != nil {
		return err
	}
	tokens, err := s.tokens(ctx, own.ID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		u := fixture.User{
			Username: row.Username, Name: row.Name, Email: row.Email, Admin: row.IsAdmin != nil && *row.IsAdmin,
			External: row.External, Bio: row.Bio, Note: row.Note, Tokens: tokens[row.ID],
		}
		if row.State != "active" {
			u.State = row.State
		}
		if row.CreatedAt != nil && row.Username != "root" { // root is there before the fixtures
			u.CreatedAt = fixture.At(*row.CreatedAt)
		}
		s.usernames[row.ID], s.people[[2]string{row.Name, row.Email}] = row.Username, row.Username
		s.doc.Users = append(s.doc.Users, u)
	}
	return nil
}

// tokens reads the personal access tokens of all users, without one of them.
func (s *snapshot) tokens(ctx context.Context, without int64) (map[int64][]fixture.Token, error) {
	rows, err := all[token](ctx, s.client, "/personal_access_tokens")
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b token) int { return int(a.ID - b.ID) })
	found := map[int64][]fixture.Token{}
	for _, row := range rows {
		if row.ID == without {
			continue
		}
		t := fixture.Token{Name: row.Name, Scopes: row.Scopes, Revoked: row.Revoked, CreatedAt: fixture.At(row.CreatedAt)}
		if row.ExpiresAt != nil {
			t.ExpiresAt = date(*row.ExpiresAt)
		}
		taken := func(name string) bool {
			return slices.ContainsFunc(found[row.UserID], func(o fixture.Token) bool { return o.Name == name })
		}
		for n := 2; taken(t.Name); n++ {
			t.Name = fmt.Sprintf("%s (%d)", row.Name, n)
		}
		found[row.UserID] = append(found[row.UserID], t)
	}
	return found, nil
}

func date(text string) fixture.Date {
	day, _ := time.Parse(time.DateOnly, text)
	return fixture.Date{Time: day}
}

// at returns a time of the API, or none.
func at(t *time.Time) fixture.Time {
	if t == nil {
		return fixture.Time{}
	}
	return fixture.At(*t)
}

// text returns a text of the API that may be null.
func text(t *string) string {
	if t == nil {
		return ""
	}
	return *t
}

type runner struct {
	ID              int64      `json:"id"`
	Description     *string    `json:"description"`
	RunnerType      string     `json:"runner_type"`
	Paused          bool       `json:"paused"`
	Locked          bool       `json:"locked"`
	RunUntagged     bool       `json:"run_untagged"`
	TagList         []string   `json:"tag_list"`
	AccessLevel     string     `json:"access_level"`
	MaximumTimeout  *int64     `json:"maximum_timeout"`
	MaintenanceNote *string    `json:"maintenance_note"`
	ContactedAt     *time.Time `json:"contacted_at"`
	Projects        []struct {
		Path string `json:"path_with_namespace"`
	} `json:"projects"`
	Groups []struct {
		ID int64 `json:"id"`
	} `json:"groups"`
}

// readRunners reads the runners, oldest first. The API does not say when they were created.
func (s *snapshot) readRunners(ctx context.Context) error {
	rows, err := all[runner](ctx, s.client, "/runners/all")
	if err != nil {
		return err
	}
	slices.SortFunc(rows, func(a, b runner) int { return int(a.ID - b.ID) })
	for _, listed := range rows {
		row, err := one[runner](ctx, s.client, fmt.Sprintf("/runners/%d", listed.ID))
		if err != nil {
			return err
		}
		r := fixture.Runner{
			Description: text(row.Description), Tags: row.TagList, Paused: row.Paused, Locked: row.Locked,
			MaintenanceNote: text(row.MaintenanceNote), ContactedAt: at(row.ContactedAt),
		}
		taken := func(o fixture.Runner) bool { return strings.EqualFold(o.Description, r.Description) }
		if r.Description == "" || slices.ContainsFunc(s.doc.Runners, taken) {
			r.Description = strings.TrimSpace(fmt.Sprintf("%s runner %d", r.Description, row.ID))
		}
		if !row.RunUntagged {
			r.RunUntagged = &row.RunUntagged
		}
		if row.AccessLevel != "not_protected" {
			r.AccessLevel = row.AccessLevel
		}
		if row.MaximumTimeout != nil {
			r.MaximumTimeout = *row.MaximumTimeout
		}
		for _, g := range row.Groups {
			found, err := one[group](ctx, s.client, fmt.Sprintf("/groups/%d", g.ID))
			if err != nil {
				return err
			}
			r.Group = found.FullPath
		}
		for _, p := range row.Projects {
			r.Projects = append(r.Projects, p.Path)
		}
		s.runners[row.ID] = r.Description
		s.doc.Runners = append(s.doc.Runners, r)
	}
	return nil
}

func (s *snapshot) systemHooks(ctx context.Context) (err error) {
	s.doc.Hooks, err = s.hooks(ctx, "/hooks")
	return err
}
