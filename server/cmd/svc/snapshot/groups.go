package snapshot

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"svc/server/domain/fixture"
	"svc/store"
	"svc/store/model"
)

type group struct {
	ID          int64      `json:"id"`
	Name        string     `json:"name"`
	FullPath    string     `json:"full_path"`
	Description string     `json:"description"`
	Visibility  string     `json:"visibility"`
	CreatedAt   *time.Time `json:"created_at"`
}

// groups reads the groups, each after its parent.
func (s *snapshot) groups(ctx context.Context) error {
	rows, err := all[group](ctx, s.client, "/groups?order_by=id&sort=asc&all_available=true")
	if err != nil {
		return err
	}
	slices.SortStableFunc(rows, func(a, b group) int { return strings.Count(a.FullPath, "/") - strings.Count(b.FullPath, "/") })
	for _, row := range rows {
		base := fmt.Sprintf("/groups/%d", row.ID)
		g := fixture.Group{
			Path: row.FullPath, Name: row.Name, Description: row.Description, Visibility: row.Visibility, CreatedAt: at(row.CreatedAt),
		}
		var errs [5]error
		g.Members, errs[0] = s.members(ctx, base, "")
		g.Labels, errs[1] = s.labels(ctx, base+"/labels?include_ancestor_groups=false")
		g.Milestones, _, errs[2] = s.milestones(ctx, base)
		g.Variables, errs[3] = s.variables(ctx, base)
		g.Hooks, errs[4] = s.hooks(ctx, base+"/hooks")
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		s.doc.Groups = append(s.doc.Groups, g)
	}
	return nil
}

// members reads the direct members of a group or project, in the order in which they joined, without one of them.
func (s *snapshot) members(ctx context.Context, base, without string) ([]fixture.Member, error) {
	rows, err := all[struct {
		Username    string       `json:"username"`
		AccessLevel model.Access `json:"access_level"`
		ExpiresAt   *string      `json:"expires_at"`
		CreatedAt   *time.Time   `json:"created_at"`
	}](ctx, s.client, base+"/members")
	if err != nil {
		return nil, err
	}
	var members []fixture.Member
	for _, row := range rows {
		if row.Username == without {
			continue
		}
		m := fixture.Member{User: row.Username, Role: fixture.RoleName(row.AccessLevel), CreatedAt: at(row.CreatedAt)}
		if row.ExpiresAt != nil {
			m.ExpiresAt = date(*row.ExpiresAt)
		}
		if !slices.Contains(slices.Collect(maps.Values(s.usernames)), row.Username) || row.AccessLevel < model.Guest {
			s.left("%s/members: %s", base, row.Username)
			continue
		}
		members = append(members, m)
	}
	return members, nil
}

func (s *snapshot) labels(ctx context.Context, path string) ([]fixture.Label, error) {
	rows, err := all[struct {
		ID          int64   `json:"id"`
		Name        string  `json:"name"`
		Color       string  `json:"color"`
		Description *string `json:"description"`
		Priority    *int64  `json:"priority"`
	}](ctx, s.client, path)
	if err != nil {
		return nil, err
	}
	labels := make([]fixture.Label, len(rows))
	for i, row := range rows {
		labels[i] = fixture.Label{Name: row.Name, Description: text(row.Description), Priority: row.Priority}
		if row.Color != store.DefaultLabelColor {
			labels[i].Color = row.Color
		}
	}
	return labels, nil
}

// milestones reads the milestones of a group or project by their numbers. It also returns the positions of the numbers.
func (s *snapshot) milestones(ctx context.Context, base string) ([]fixture.Milestone, map[int64]int, error) {
	type milestone struct {
		IID         int64      `json:"iid"`
		Title       string     `json:"title"`
		Description *string    `json:"description"`
		State       string     `json:"state"`
		StartDate   *string    `json:"start_date"`
		DueDate     *string    `json:"due_date"`
		CreatedAt   *time.Time `json:"created_at"`
		UpdatedAt   *time.Time `json:"updated_at"`
	}
	rows, err := all[milestone](ctx, s.client, base+"/milestones")
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(rows, func(a, b milestone) int { return int(a.IID - b.IID) })
	found, positions := make([]fixture.Milestone, len(rows)), map[int64]int{}
	for i, row := range rows {
		m := fixture.Milestone{
			Title: row.Title, Description: text(row.Description), CreatedAt: at(row.CreatedAt), UpdatedAt: at(row.UpdatedAt),
		}
		if row.State != model.MilestoneActive {
			m.State = row.State
		}
		if row.StartDate != nil {
			m.StartDate = date(*row.StartDate)
		}
		if row.DueDate != nil {
			m.DueDate = date(*row.DueDate)
		}
		found[i], positions[row.IID] = m, i+1
	}
	return found, positions, nil
}

func (s *snapshot) variables(ctx context.Context, base string) ([]fixture.Variable, error) {
	rows, err := all[struct {
		Key              string  `json:"key"`
		Value            *string `json:"value"`
		VariableType     string  `json:"variable_type"`
		Protected        bool    `json:"protected"`
		Masked           bool    `json:"masked"`
		Raw              bool    `json:"raw"`
		EnvironmentScope string  `json:"environment_scope"`
		Description      *string `json:"description"`
	}](ctx, s.client, base+"/variables")
	if isStatus(err, http.StatusForbidden) {
		s.left("%s/variables, because it is archived", base)
		return nil, nil
	}
	var found []fixture.Variable
	for _, row := range rows {
		v := fixture.Variable{
			Key: row.Key, Value: text(row.Value), Protected: row.Protected, Masked: row.Masked, Raw: row.Raw,
			Description: text(row.Description),
		}
		if row.VariableType != "env_var" {
			v.Type = row.VariableType
		}
		if row.EnvironmentScope != "*" {
			v.EnvironmentScope = row.EnvironmentScope
		}
		if row.Value == nil {
			s.left("%s/variables: the value of %s, which is hidden", base, row.Key)
		}
		found = append(found, v)
	}
	return found, err
}

// hooks reads webhooks. Their tokens cannot be read.
func (s *snapshot) hooks(ctx context.Context, path string) ([]fixture.Hook, error) {
	rows, err := all[map[string]any](ctx, s.client, path)
	if isStatus(err, http.StatusForbidden) {
		s.left("%s, because the project is archived", path)
		return nil, nil
	}
	var found []fixture.Hook
	for _, row := range rows {
		get := func(name string) string { value, _ := row[name].(string); return value }
		h := fixture.Hook{
			URL: get("url"), Name: get("name"), Description: get("description"), PushEventsBranchFilter: get("push_events_branch_filter"),
			Events: []string{},
		}
		for _, name := range slices.Sorted(maps.Keys(fixture.HookEvents)) {
			if on, _ := row[name+"_events"].(bool); on {
				h.Events = append(h.Events, name)
			}
		}
		if verify, _ := row["enable_ssl_verification"].(bool); !verify {
			h.EnableSSLVerification = &verify
		}
		if created, err := time.Parse(time.RFC3339, get("created_at")); err == nil {
			h.CreatedAt = fixture.At(created)
		}
		if secret, _ := row["token_present"].(bool); secret {
			s.left("%s: the token of %s", path, h.URL)
		}
		found = append(found, h)
	}
	return found, err
}
