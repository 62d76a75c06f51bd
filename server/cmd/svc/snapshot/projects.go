package snapshot

import (
	"context"
	"fmt"
	"strings"
	"time"

	"svc/server/domain/fixture"
	"svc/store/model"
)

type apiProject struct {
	ID            int64     `json:"id"`
	Name          string    `json:"name"`
	Path          string    `json:"path_with_namespace"`
	Description   *string   `json:"description"`
	Visibility    string    `json:"visibility"`
	Archived      bool      `json:"archived"`
	Topics        []string  `json:"topics"`
	DefaultBranch *string   `json:"default_branch"`
	CreatorID     *int64    `json:"creator_id"`
	CreatedAt     time.Time `json:"created_at"`
	EmptyRepo     bool      `json:"empty_repo"`
}

// project is a project that is being read.
type project struct {
	*snapshot
	*fixture.Project
	base       string
	commits    map[string]bool  // ids that the document has
	milestones map[int64]int    // positions of milestones, by number
	notes      map[int64]string // targets of events, by the ids of notes
	requests   map[int64]int    // positions of merge requests, by number
}

func (s *snapshot) projects(ctx context.Context) error {
	rows, err := all[apiProject](ctx, s.client, "/projects?order_by=id&sort=asc")
	if err != nil {
		return err
	}
	for i := range rows {
		p, err := s.project(ctx, &rows[i])
		if err != nil {
			return fmt.Errorf("project %s: %w", rows[i].Path, err)
		}
		s.doc.Projects = append(s.doc.Projects, *p)
	}
	return nil
}

func (s *snapshot) project(ctx context.Context, row *apiProject) (*fixture.Project, error) {
	made := &fixture.Project{
		Path: row.Path, Name: row.Name, Description: text(row.Description), Visibility: row.Visibility, Archived: row.Archived,
		Topics: row.Topics, CreatedAt: fixture.At(row.CreatedAt),
	}
	if row.CreatorID != nil {
		made.Creator = s.usernames[*row.CreatorID]
	}
	if branch := text(row.DefaultBranch); branch != "main" {
		made.DefaultBranch = branch
	}
	p := &project{
		snapshot: s, Project: made, base: fmt.Sprintf("/projects/%d", row.ID), commits: map[string]bool{},
		notes: map[int64]string{}, requests: map[int64]int{},
	}
	steps := []func(context.Context) error{
		p.planning, p.issues, p.mergeRequests, p.pipelines, p.releases, p.packages, p.settings, p.events,
	}
	if !row.EmptyRepo {
		steps = append([]func(context.Context) error{p.repository}, steps...)
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return made, nil
}

func (p *project) planning(ctx context.Context) (err error) {
	if p.Labels, err = p.labels(ctx, p.base+"/labels?include_ancestor_groups=false"); err != nil {
		return err
	}
	p.Milestones, p.milestones, err = p.snapshot.milestones(ctx, p.base)
	return err
}

// settings reads members, variables, hooks and the rules for branches and tags.
func (p *project) settings(ctx context.Context) (err error) {
	namespace := p.Path[:strings.LastIndexByte(p.Path, '/')]
	if p.Members, err = p.members(ctx, p.base, namespace); err != nil {
		return err
	}
	if p.Variables, err = p.variables(ctx, p.base); err != nil {
		return err
	}
	if p.Hooks, err = p.hooks(ctx, p.base+"/hooks"); err != nil {
		return err
	}
	return p.protections(ctx)
}

type levels []struct {
	AccessLevel model.Access `json:"access_level"`
}

// least returns the word for the role of a rule; nothing for a maintainer.
func (l levels) least() string {
	if len(l) == 0 || l[0].AccessLevel == model.Maintainer {
		return ""
	}
	return fixture.LeastName(l[0].AccessLevel)
}

func (p *project) protections(ctx context.Context) error {
	type rule struct {
		Name           string `json:"name"`
		Push           levels `json:"push_access_levels"`
		Merge          levels `json:"merge_access_levels"`
		Create         levels `json:"create_access_levels"`
		AllowForcePush bool   `json:"allow_force_push"`
	}
	branches, err := all[rule](ctx, p.client, p.base+"/protected_branches")
	if err != nil {
		return err
	}
	tags, err := all[rule](ctx, p.client, p.base+"/protected_tags")
	if err != nil {
		return err
	}
	rules := []fixture.ProtectedRef{}
	for _, r := range branches {
		rules = append(rules, fixture.ProtectedRef{
			Name: r.Name, Push: r.Push.least(), Merge: r.Merge.least(), AllowForcePush: r.AllowForcePush,
		})
	}
	p.ProtectedBranches = &rules
	for _, r := range tags {
		p.ProtectedTags = append(p.ProtectedTags, fixture.ProtectedRef{Name: r.Name, Create: r.Create.least()})
	}
	return nil
}

// username returns the username of a person of the API.
func (s *snapshot) username(u *user) string {
	if u == nil {
		return ""
	}
	return s.usernames[u.ID]
}

func (s *snapshot) usernamesOf(users []user) []string {
	var names []string
	for i := range users {
		if name := s.username(&users[i]); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func (p *project) issues(ctx context.Context) error {
	rows, err := all[struct {
		IID         int64     `json:"iid"`
		Title       string    `json:"title"`
		Description *string   `json:"description"`
		State       string    `json:"state"`
		IssueType   string    `json:"issue_type"`
		Labels      []string  `json:"labels"`
		Milestone   *titled   `json:"milestone"`
		Author      *user     `json:"author"`
		Assignees   []user    `json:"assignees"`
		ClosedBy    *user     `json:"closed_by"`
		DueDate     *string   `json:"due_date"`
		Weight      *int64    `json:"weight"`
		Locked      *bool     `json:"discussion_locked"`
		Hidden      bool      `json:"confidential"`
		CreatedAt   time.Time `json:"created_at"`
		UpdatedAt   time.Time `json:"updated_at"`

		ClosedAt *time.Time `json:"closed_at"`
	}](ctx, p.client, p.base+"/issues?order_by=created_at&sort=asc")
	if err != nil {
		return err
	}
	for _, row := range rows {
		i := fixture.Issue{
			IID: row.IID, Title: row.Title, Description: text(row.Description), Author: p.username(row.Author),
			Confidential: row.Hidden, Locked: row.Locked != nil && *row.Locked, Labels: row.Labels, Milestone: row.Milestone.title(),
			Assignees: p.usernamesOf(row.Assignees), Weight: row.Weight, CreatedAt: fixture.At(row.CreatedAt),
			UpdatedAt: fixture.At(row.UpdatedAt), ClosedAt: at(row.ClosedAt), ClosedBy: p.username(row.ClosedBy),
		}
		if row.State != model.Opened {
			i.State = row.State
		}
		if row.IssueType != "issue" {
			i.Type = row.IssueType
		}
		if row.DueDate != nil {
			i.DueDate = date(*row.DueDate)
		}
		if i.Notes, err = p.readNotes(ctx, "issues", row.IID, fmt.Sprintf("issue %d", row.IID)); err != nil {
			return err
		}
		p.Issues = append(p.Issues, i)
	}
	return nil
}

type titled struct {
	Title string `json:"title"`
}

func (t *titled) title() string {
	if t == nil {
		return ""
	}
	return t.Title
}
