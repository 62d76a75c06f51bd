package export

import (
	"context"
	"strings"
	"time"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// project sets the settings of the project.
func (m *importer) project(p Project, records int64) error {
	m.head = p.DefaultBranch
	return m.batch(records, func(ctx context.Context) error {
		visibility, err := m.visibility(ctx, p.visibility())
		if err != nil {
			return err
		}
		set := p.columns()
		set[visibilityColumn] = visibility
		for _, name := range m.kept {
			delete(set, name)
		}
		if err := m.Store.Projects.Update(ctx, m.row.Project.ID, set); err != nil {
			return err
		}
		return m.Store.ProjectContents.Reserve(ctx, m.row.Project.ID, p.Issues, p.MergeRequests)
	})
}

// visibility returns the visibility that the project may have: at most that of the archive and of its group, and none
// that the settings reserve for administrators.
func (m *importer) visibility(ctx context.Context, wanted model.Visibility) (model.Visibility, error) {
	if m.row.Place.Kind == model.NamespaceGroup {
		g, _, err := m.Store.Namespaces.GetGroup(ctx, m.row.Place.ID, "", nil)
		if err != nil {
			return model.Private, err
		}
		wanted = min(wanted, g.Visibility)
	}
	settings := m.Store.Settings.Current()
	for _, level := range []model.Visibility{model.Public, model.Internal} {
		if wanted >= level && (m.user.Admin || !settings.Restricted(level)) {
			return level, nil
		}
	}
	return model.Private, nil
}

// users finds out which users of the archive are users here: by public address or, for administrators, by any confirmed
// address.
func (m *importer) users(batch []User) error {
	var addresses []string
	for _, u := range batch {
		if u.PublicEmail != nil && *u.PublicEmail != "" {
			addresses = append(addresses, *u.PublicEmail)
		}
	}
	find := m.Store.Users.ByPublicEmail
	if m.user.Admin {
		find = m.Store.Users.ByAddress
	}
	found, err := find(m.ctx, addresses)
	for _, u := range batch {
		known := author{username: u.Username}
		if u.PublicEmail != nil {
			known.id = found[strings.ToLower(*u.PublicEmail)]
		}
		m.known[u.ID] = known
	}
	return err
}

// writtenBy returns the author of a text here, and the text. A text of a user who is unknown here belongs to the user who
// imports, and begins with a line that names the author.
func (m *importer) writtenBy(id int64, text *string) (int64, *string) {
	text = m.text(text)
	known := m.known[id]
	if known.id != 0 {
		return known.id, text
	}
	name := known.username
	if name == "" {
		name = "an unknown user"
	}
	line := "*Created by: " + strings.Map(plain, name) + "*"
	if text != nil && *text != "" {
		line += "\n\n" + *text
	}
	return m.user.ID, &line
}

// plain replaces characters that have a meaning in Markdown or mention somebody.
func plain(r rune) rune {
	if strings.ContainsRune("*_`@[]<>\n\r#!&%~$", r) && r != '_' {
		return '.'
	}
	return r
}

// optionalUser returns a user here, or nil.
func (m *importer) optionalUser(id *int64) *int64 {
	if id == nil {
		return nil
	}
	if known := m.known[*id]; known.id != 0 {
		return &known.id
	}
	return nil
}

// usersHere returns those users who are known here, each once.
func (m *importer) usersHere(ids []int64) []int64 {
	var found []int64
	seen := map[int64]bool{}
	for _, id := range ids {
		if here := m.known[id].id; here != 0 && !seen[here] {
			seen[here] = true
			found = append(found, here)
		}
	}
	return found
}

func (m *importer) labels(batch []Label, records int64) error {
	return m.batch(records, func(ctx context.Context) error {
		rows, ranks := make([]model.Label, len(batch)), map[string]int64{}
		for i, l := range batch {
			rows[i] = model.Label{ProjectID: &m.row.Project.ID, Name: l.Title, Color: l.Color, Description: l.Description}
			if l.Priority != nil {
				ranks[l.Title] = *l.Priority
			}
		}
		return m.Store.ProjectContents.AddLabels(ctx, m.row.Project.ID, rows, ranks)
	})
}

func (m *importer) milestones(batch []Milestone, records int64) error {
	return m.batch(records, func(ctx context.Context) error {
		rows := make([]model.Milestone, len(batch))
		for i, r := range batch {
			rows[i] = model.Milestone{
				ProjectID: &m.row.Project.ID, IID: r.IID, Title: r.Title, Description: m.text(r.Description), State: r.State,
				StartDate: r.StartDate.Time(), DueDate: r.DueDate.Time(), CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
			}
		}
		return m.Store.ProjectContents.AddMilestones(ctx, m.row.Project.ID, rows)
	})
}

// members adds the users who are known here, with at most the role of the user who imports. A user who may not manage
// members adds nobody.
func (m *importer) members(batch []Member, records int64) error {
	return m.batch(records, func(ctx context.Context) error {
		if m.row.Role() < model.Maintainer {
			return nil
		}
		today := clock.Now(ctx).UTC().Truncate(24 * time.Hour)
		var rows []model.Member
		taken := map[int64]bool{m.user.ID: true}
		for _, r := range batch {
			id := m.known[r.UserID].id
			if id == 0 || taken[id] || r.ExpiresAt != nil && !r.ExpiresAt.Time().After(today) {
				continue
			}
			taken[id] = true
			rows = append(rows, model.Member{
				SourceType: model.SourceProject, SourceID: m.row.Project.ID, UserID: id, AccessLevel: min(r.AccessLevel, m.row.Role()),
				ExpiresAt: r.ExpiresAt.Time(), CreatedByID: &m.user.ID,
			})
		}
		added, err := m.Store.ProjectContents.AddMembers(ctx, m.row.Project.ID, rows)
		if err != nil || len(added) == 0 {
			return err
		}
		return m.auditMembers(ctx, added)
	})
}

// auditMembers writes the audit events of new members.
func (m *importer) auditMembers(ctx context.Context, added []model.Member) error {
	users, err := m.Store.Users.ByID(ctx, idsOf(added, func(a model.Member) int64 { return a.UserID }))
	if err != nil {
		return err
	}
	changes := make([]events.Change, len(added))
	for i, a := range added {
		changes[i] = events.Change{
			Type: "member_created", Entity: events.Project(m.row.Project),
			Target:  events.Target{Type: "User", ID: a.UserID, Details: users[a.UserID].Username},
			Message: "Added member by import", Add: a.AccessLevel.String(), Author: &events.Author{ID: m.user.ID, Name: m.user.Name},
		}
	}
	return events.Audit(ctx, m.Store, changes...)
}

func (m *importer) branchRules(batch []BranchRule, records int64) error {
	return m.batch(records, func(ctx context.Context) error {
		rows := make([]model.ProtectedBranch, len(batch))
		for i, r := range batch {
			rows[i] = model.ProtectedBranch{
				ProjectID: m.row.Project.ID, Name: r.Name, PushAccessLevel: r.PushAccessLevel, MergeAccessLevel: r.MergeAccessLevel,
				UnprotectAccessLevel: r.UnprotectAccessLevel, AllowForcePush: r.AllowForcePush,
			}
		}
		return m.Store.ProjectContents.AddProtections(ctx, rows, nil)
	})
}

func (m *importer) tagRules(batch []TagRule, records int64) error {
	return m.batch(records, func(ctx context.Context) error {
		rows := make([]model.ProtectedTag, len(batch))
		for i, r := range batch {
			rows[i] = model.ProtectedTag{ProjectID: m.row.Project.ID, Name: r.Name, CreateAccessLevel: r.CreateAccessLevel}
		}
		return m.Store.ProjectContents.AddProtections(ctx, nil, rows)
	})
}

func (m *importer) boards(batch []Board, records int64) error {
	return m.batch(records, func(ctx context.Context) error {
		rows := make([]model.BoardRow, len(batch))
		for i, b := range batch {
			rows[i].Board = model.Board{
				ProjectID: &m.row.Project.ID, Name: b.Name, HideBacklogList: b.HideBacklogList, HideClosedList: b.HideClosedList,
			}
			for _, l := range b.Lists {
				label := model.Label{Name: l.Title, Color: l.Color, Description: l.Description}
				rows[i].Lists = append(rows[i].Lists, model.BoardListRow{Label: label})
			}
		}
		return m.Store.Boards.AddAll(ctx, store.OwnedByProject(m.row.Project), rows)
	})
}

func (m *importer) badges(batch []Badge, records int64) error {
	return m.batch(records, func(ctx context.Context) error {
		rows := make([]model.Badge, len(batch))
		for i, b := range batch {
			rows[i] = model.Badge{ProjectID: &m.row.Project.ID, Name: b.Name, LinkURL: b.LinkURL, ImageURL: b.ImageURL}
		}
		return m.Store.Badges.AddAll(ctx, rows)
	})
}
