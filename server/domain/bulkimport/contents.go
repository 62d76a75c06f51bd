package bulkimport

import (
	"context"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/domain/label"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

const (
	maxTitle = 255
	maxText  = 1 << 20 // characters
)

// owned returns the new group or project as the owner of labels and milestones.
func (c *copier) owned(ctx context.Context) (store.ResourceOwner, error) {
	if c.entity.EntityType == model.BulkImportGroup {
		g, _, err := c.Store.Namespaces.GetGroup(ctx, *c.entity.NamespaceID, "", nil)
		return store.OwnedByGroup(g), err
	}
	row, err := c.newProject(ctx)
	return store.OwnedByProject(row.Project), err
}

type sourceLabel struct {
	Name, Color string
	Description *string
}

// labels copies a page of the labels.
func (c *copier) labels(ctx context.Context) (batch, error) {
	var rows []sourceLabel
	query := url.Values{"include_ancestor_groups": {"false"}}
	if c.entity.EntityType == model.BulkImportGroup {
		query.Set("only_group_labels", "true")
	}
	m, err := c.source.page(ctx, c.at("/labels"), query, c.entity.Page, &rows)
	return batch{more: m, fetched: int64(len(rows)), write: func(ctx context.Context) (int64, []model.BulkImportFailure, error) {
		in, err := c.owned(ctx)
		if err != nil {
			return 0, nil, err
		}
		names := make([]string, len(rows))
		for i, l := range rows {
			names[i] = l.Name
		}
		known, err := c.Store.Labels.Named(ctx, in, names, false)
		if err != nil {
			return 0, nil, err
		}
		has := map[string]bool{}
		for _, l := range known {
			has[l.Name] = true
		}
		return c.addLabels(ctx, in, rows, has)
	}}, err
}

// addLabels adds labels that are not known.
func (c *copier) addLabels(
	ctx context.Context, in store.ResourceOwner, rows []sourceLabel, known map[string]bool,
) (made int64, failed []model.BulkImportFailure, err error) {
	fresh := make([]model.Label, 0, len(rows))
	for _, l := range rows {
		color, err := label.ParseColor(l.Color)
		if err == nil {
			err = label.CheckName(l.Name)
		}
		switch {
		case err != nil:
			failed = append(failed, failure(stageLabels, "RecordInvalid", err.Error(), "", l.Name))
		case !known[l.Name]:
			known[l.Name] = true
			fresh = append(fresh, model.Label{
				ProjectID: in.ProjectID, GroupID: in.GroupID, Name: l.Name, Color: color, Description: l.Description,
			})
		}
	}
	return int64(len(fresh)), failed, c.Store.Labels.AddAll(ctx, fresh)
}

type sourceMilestone struct {
	Title       string
	Description *string
	State       string
	StartDate   *string `json:"start_date"`
	DueDate     *string `json:"due_date"`
}

// day reads a date; nil if there is none.
func day(text *string) *time.Time {
	if text == nil {
		return nil
	}
	at, err := time.Parse(time.DateOnly, *text)
	if err != nil {
		return nil
	}
	return &at
}

// milestones copies a page of the milestones.
func (c *copier) milestones(ctx context.Context) (batch, error) {
	var rows []sourceMilestone
	m, err := c.source.page(ctx, c.at("/milestones"), url.Values{"include_ancestors": {"false"}}, c.entity.Page, &rows)
	return batch{more: m, fetched: int64(len(rows)), write: func(ctx context.Context) (int64, []model.BulkImportFailure, error) {
		return c.addMilestones(ctx, rows)
	}}, err
}

// addMilestones adds the milestones of a page that do not exist yet.
func (c *copier) addMilestones(ctx context.Context, rows []sourceMilestone) (made int64, failed []model.BulkImportFailure, err error) {
	in, err := c.owned(ctx)
	if err != nil {
		return 0, nil, err
	}
	known, err := c.titles(ctx, in, rows)
	if err != nil {
		return 0, nil, err
	}
	for i := len(rows) - 1; i >= 0; i-- { // the oldest one first
		s := rows[i]
		row := model.Milestone{
			ProjectID: in.ProjectID, GroupID: in.GroupID, Title: strings.TrimSpace(s.Title), Description: s.Description,
			State: model.MilestoneActive, StartDate: day(s.StartDate), DueDate: day(s.DueDate),
		}
		if s.State == model.MilestoneClosed {
			row.State = model.MilestoneClosed
		}
		switch {
		case row.Title == "" || utf8.RuneCountInString(row.Title) > maxTitle:
			failed = append(failed, failure(stageMilestones, "RecordInvalid", "The title is empty or too long", "", row.Title))
			continue
		case known[row.Title]:
			continue
		}
		known[row.Title] = true
		if err := c.Store.Milestones.Create(ctx, &row); err != nil {
			return 0, nil, err
		}
		made++
	}
	return made, failed, nil
}

// titles returns the titles of milestones that exist already.
func (c *copier) titles(ctx context.Context, in store.ResourceOwner, rows []sourceMilestone) (map[string]bool, error) {
	titles := make([]string, len(rows))
	for i, m := range rows {
		titles[i] = strings.TrimSpace(m.Title)
	}
	found, err := c.Store.Milestones.FindByTitles(ctx, in, titles)
	known := map[string]bool{}
	for _, m := range found {
		known[m.Milestone.Title] = true
	}
	return known, err
}

type sourceMember struct {
	ID          int64
	Username    string
	AccessLevel model.Access `json:"access_level"`
	ExpiresAt   *string      `json:"expires_at"`
}

// members copies a page of the members whose public mail address is a confirmed address of a user here.
func (c *copier) members(ctx context.Context) (batch, error) {
	if !c.entity.MigrateMemberships {
		return nothing(), nil
	}
	var rows []sourceMember
	m, err := c.source.page(ctx, c.at("/members"), nil, c.entity.Page, &rows)
	if err != nil {
		return batch{}, err
	}
	addresses := make([]string, len(rows))
	for i, r := range rows {
		var u struct {
			Email string `json:"public_email"`
		}
		if _, err := c.source.get(ctx, "/users/"+number(r.ID), nil, &u); err != nil {
			return batch{}, err
		}
		addresses[i] = strings.ToLower(u.Email)
	}
	return batch{more: m, fetched: int64(len(rows)), write: func(ctx context.Context) (int64, []model.BulkImportFailure, error) {
		return c.addMembers(ctx, rows, addresses)
	}}, nil
}

// addMembers adds the members that have users here. Nobody gets a higher role than the user who imports.
func (c *copier) addMembers(
	ctx context.Context, rows []sourceMember, addresses []string,
) (made int64, failed []model.BulkImportFailure, err error) {
	owners, err := c.Store.Users.ByAddress(ctx, addresses)
	if err != nil {
		return 0, nil, err
	}
	in, most, taken, err := c.membership(ctx)
	if err != nil {
		return 0, nil, err
	}
	var fresh []model.Member
	for i, r := range rows {
		id, until := owners[addresses[i]], day(r.ExpiresAt)
		switch {
		case id == 0:
			const text = "No user here has the public mail address of this member"
			failed = append(failed, failure(stageMembers, "RecordInvalid", text, "", r.Username))
		case taken[id] || most < model.Maintainer || r.AccessLevel.String() == model.NoAccess.String(),
			until != nil && !until.After(clock.Now(ctx)):
		default:
			taken[id] = true
			in.UserID, in.AccessLevel, in.ExpiresAt, in.CreatedByID = id, min(r.AccessLevel, most), until, &c.user.ID
			fresh = append(fresh, in)
		}
	}
	if in.SourceType == model.SourceGroup {
		if fresh, err = c.Store.Members.AddAll(ctx, in.SourceID, fresh); err != nil {
			return 0, nil, err
		}
	} else {
		for i := range fresh {
			if err := c.Store.Members.Add(ctx, &fresh[i]); err != nil {
				return 0, nil, err
			}
		}
	}
	return int64(len(fresh)), failed, c.auditMembers(ctx, fresh)
}

// membership returns the new group or project as the source of members, the highest role that the user who imports may give,
// and the users who are members already.
func (c *copier) membership(ctx context.Context) (in model.Member, most model.Access, taken map[int64]bool, err error) {
	taken = map[int64]bool{c.user.ID: true}
	if c.entity.EntityType == model.BulkImportGroup {
		return model.Member{SourceType: model.SourceGroup, SourceID: *c.entity.NamespaceID}, model.Owner, taken, nil
	}
	row, err := c.newProject(ctx)
	if err != nil {
		return in, most, taken, err
	}
	ids, err := c.Store.Members.UserIDsOfProject(ctx, row.Project)
	for _, id := range ids {
		taken[id] = true
	}
	return model.Member{SourceType: model.SourceProject, SourceID: row.Project.ID}, row.Role(), taken, err
}

// auditMembers writes the audit events of new members.
func (c *copier) auditMembers(ctx context.Context, added []model.Member) error {
	if len(added) == 0 {
		return nil
	}
	ids := make([]int64, len(added))
	for i, m := range added {
		ids[i] = m.UserID
	}
	users, err := c.Store.Users.ByID(ctx, ids)
	if err != nil {
		return err
	}
	path := strings.Trim(c.entity.DestinationNamespace+"/"+c.entity.DestinationSlug, "/")
	changes := make([]events.Change, len(added))
	for i, m := range added {
		changes[i] = events.Change{
			Type: "member_created", Entity: events.Source(m.SourceType, m.SourceID, path), Message: "Added member by import",
			Target: events.Target{Type: "User", ID: m.UserID, Details: users[m.UserID].Username}, Add: m.AccessLevel.String(),
		}
	}
	return events.Audit(ctx, c.Store, changes...)
}
