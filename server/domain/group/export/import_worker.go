package export

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"svc/server/domain/archive"
	"svc/server/domain/webhook/announce"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// Import is the job that unpacks an archive into a group.
type Import struct {
	ImportID int64 `json:"import_id"`
}

// Kind returns the name of the job in the queue.
func (Import) Kind() string { return "group_import" }

// RunImport unpacks an archive into a group, in one transaction. It can be repeated after an interruption at any point,
// because the archive is kept until that transaction is committed.
func (s *Service) RunImport(ctx context.Context, job Import) error {
	i, err := s.store.GroupImports.Get(ctx, job.ImportID)
	if store.IsNotFound(err) || (err == nil && i.Key == nil) {
		return nil // the group is deleted, or the import is done
	}
	if err != nil {
		return err
	}
	if err := s.store.GroupImports.Touch(ctx, i.ID, 0); err != nil {
		return err
	}
	var done atomic.Int64
	defer archive.ReportProgress(ctx, s.logger, func(ctx context.Context) error {
		return s.store.GroupImports.Touch(ctx, i.ID, done.Load())
	})()
	err = s.store.GroupImports.RunLocked(ctx, i.ID, func(ctx context.Context, i model.GroupImport) error {
		return s.unpack(ctx, i, &done)
	})
	if refused := explain(err); refused != nil {
		return s.failImport(ctx, i.ID, refused.Text)
	}
	return err
}

// failImport records that an import failed. The group stays as it was created, so that the reason can be read.
func (s *Service) failImport(ctx context.Context, id int64, reason string) error {
	return s.store.GroupImports.RunLocked(ctx, id, func(ctx context.Context, i model.GroupImport) error {
		i.State, i.Error, i.Imported = model.ExportFailed, &reason, 0
		return s.end(ctx, i, "group_import_failed", "Could not import group: "+reason)
	})
}

// end records the result of an import and writes its audit event.
func (s *Service) end(ctx context.Context, i model.GroupImport, kind, message string) error {
	if err := s.store.GroupImports.End(ctx, i); err != nil {
		return err
	}
	g, _, err := s.store.Namespaces.GetGroup(ctx, i.GroupID, "", nil)
	if err != nil {
		return err
	}
	by, err := s.author(ctx, i)
	if err != nil {
		return err
	}
	c := events.OfGroup(g, kind, message)
	c.Author = by
	return events.Audit(ctx, s.store, c)
}

func (s *Service) author(ctx context.Context, i model.GroupImport) (*events.Author, error) {
	u, err := s.store.Users.Get(ctx, i.UserID)
	return &events.Author{ID: u.ID, Name: u.Name}, err
}

// unpack fills the group of an import.
func (s *Service) unpack(ctx context.Context, i model.GroupImport, done *atomic.Int64) error {
	root, _, err := s.store.Namespaces.GetGroup(ctx, i.GroupID, "", nil)
	if err != nil {
		return err
	}
	u, err := s.store.Users.Get(ctx, i.UserID)
	if err != nil {
		return err
	}
	if u.State != model.UserActive {
		return bad("the user who started the import is no longer active")
	}
	from, err := s.blobs.Read(ctx, *i.Key, 0, i.Size)
	if err != nil {
		return err
	}
	defer from.Close()
	to := &unpacker{
		store: s.store, hooks: s.hooks, wikis: s.wikis, root: root, user: u, done: done, groups: map[int64]model.Namespace{},
		today: clock.Now(ctx).UTC().Truncate(24 * time.Hour),
	}
	i.Imported, err = Read(ctx, from, to)
	if err != nil {
		return err
	}
	i.State, i.SkippedMembers = model.ExportFinished, to.skipped
	message := fmt.Sprintf("Imported group: %d records, %d members skipped", i.Imported, to.skipped)
	return s.end(ctx, i, "group_imported", message)
}

// unpacker stores the content of an archive.
type unpacker struct {
	store   *store.Store
	hooks   *announce.Announcer
	wikis   Wikis
	root    model.Namespace
	user    model.User // the user who imports
	done    *atomic.Int64
	groups  map[int64]model.Namespace // by their ids in the archive
	now     model.Namespace           // the group that the next records belong to
	today   time.Time
	skipped int64 // members without a matching user on this instance
}

// group creates a group. The first group already exists and only gets the attributes.
func (u *unpacker) group(ctx context.Context, g Group) error {
	u.done.Add(1)
	row := g.row()
	if len(u.groups) == 0 {
		u.now, u.groups[g.ID] = u.root, u.root
		return u.store.Namespaces.Update(ctx, u.root.ID, attributes(row))
	}
	parent := u.groups[*g.ParentID]
	row.ParentID, row.Visibility = &parent.ID, min(row.Visibility, parent.Visibility)
	if err := u.store.Namespaces.Create(ctx, &row); err != nil {
		return err
	}
	if err := u.hooks.GroupCreated(ctx, row); err != nil {
		return err
	}
	u.now, u.groups[g.ID] = row, row
	c := events.OfGroup(row, "group_created", "Created group by import")
	c.Author = u.author()
	return events.Audit(ctx, u.store, c)
}

func (u *unpacker) author() *events.Author { return &events.Author{ID: u.user.ID, Name: u.user.Name} }

// attributes returns the columns that an existing group takes from an archive.
func attributes(n model.Namespace) map[string]any {
	return map[string]any{
		"description":                       n.Description,
		"share_with_group_lock":             n.ShareWithGroupLock,
		"require_two_factor_authentication": n.RequireTwoFactorAuthentication,
		"two_factor_grace_period":           n.TwoFactorGracePeriod,
		"project_creation_level":            n.ProjectCreationLevel,
		"subgroup_creation_level":           n.SubgroupCreationLevel,
		"auto_devops_enabled":               n.AutoDevopsEnabled,
		"mentions_disabled":                 n.MentionsDisabled,
		"emails_disabled":                   n.EmailsDisabled,
		"lfs_enabled":                       n.LfsEnabled,
		"default_branch_protection":         n.DefaultBranchProtection,
		"request_access_enabled":            n.RequestAccessEnabled,
		"shared_runners_setting":            n.SharedRunnersSetting,
		"prevent_sharing_outside_hierarchy": n.PreventSharingOutsideHierarchy,
	}
}

// each converts records to rows.
func each[T, R any](u *unpacker, batch []T, row func(T) R) []R {
	u.done.Add(int64(len(batch)))
	rows := make([]R, len(batch))
	for i, record := range batch {
		rows[i] = row(record)
	}
	return rows
}

func (u *unpacker) labels(ctx context.Context, batch []Label) error {
	return u.store.Labels.AddAll(ctx, each(u, batch, func(l Label) model.Label { return l.row(&u.now.ID) }))
}

func (u *unpacker) milestones(ctx context.Context, batch []Milestone) error {
	return u.store.Milestones.AddAll(ctx, u.now.ID, each(u, batch, func(m Milestone) model.Milestone {
		return model.Milestone{
			GroupID: &u.now.ID, IID: m.IID, Title: m.Title, Description: m.Description, State: m.State,
			StartDate: m.StartDate.Time(), DueDate: m.DueDate.Time(),
		}
	}))
}

func (u *unpacker) badges(ctx context.Context, batch []Badge) error {
	return u.store.Badges.AddAll(ctx, each(u, batch, func(b Badge) model.Badge {
		return model.Badge{GroupID: &u.now.ID, Name: b.Name, LinkURL: b.LinkURL, ImageURL: b.ImageURL}
	}))
}

func (u *unpacker) boards(ctx context.Context, batch []Board) error {
	rows := each(u, batch, func(b Board) model.BoardRow { return b.row(&u.now.ID) })
	return u.store.Boards.AddAll(ctx, store.OwnedByGroup(u.now), rows)
}

// wiki creates the wiki of a group.
func (u *unpacker) wiki(ctx context.Context, from io.Reader) error {
	u.done.Add(1)
	intact, err := u.wikis.UnpackGroupWiki(ctx, u.now.ID, from, maxBytes)
	if err == nil && !intact {
		err = bad("the wiki of a group is damaged")
	}
	return err
}

// members adds the members whose address in the archive is a confirmed address of a user here. The user who imports
// owns the group and may therefore grant any role.
func (u *unpacker) members(ctx context.Context, batch []Member) error {
	u.done.Add(int64(len(batch)))
	var addresses []string
	for _, m := range batch {
		if m.User.PublicEmail != nil {
			addresses = append(addresses, *m.User.PublicEmail)
		}
	}
	owners, err := u.store.Users.ByAddress(ctx, addresses)
	if err != nil {
		return err
	}
	rows, taken := make([]model.Member, 0, len(batch)), map[int64]bool{}
	for _, m := range batch {
		var id int64
		if m.User.PublicEmail != nil {
			id = owners[strings.ToLower(*m.User.PublicEmail)]
		}
		switch {
		case id == 0, m.ExpiresAt != nil && !m.ExpiresAt.Time().After(u.today):
			u.skipped++
		case !taken[id]: // two addresses can belong to one user
			taken[id] = true
			rows = append(rows, model.Member{
				SourceType: model.SourceGroup, SourceID: u.now.ID, UserID: id, AccessLevel: m.AccessLevel,
				ExpiresAt: m.ExpiresAt.Time(), CreatedByID: &u.user.ID,
			})
		}
	}
	added, err := u.store.Members.AddAll(ctx, u.now.ID, rows)
	if err != nil || len(added) == 0 {
		return err
	}
	return u.auditMembers(ctx, added)
}

// auditMembers writes the audit events of new members.
func (u *unpacker) auditMembers(ctx context.Context, added []model.Member) error {
	ids := make([]int64, len(added))
	for i, m := range added {
		ids[i] = m.UserID
	}
	users, err := u.store.Users.ByID(ctx, ids)
	if err != nil {
		return err
	}
	changes := make([]events.Change, len(added))
	for i, m := range added {
		changes[i] = events.Change{
			Type: "member_created", Entity: events.Group(u.now),
			Target:  events.Target{Type: "User", ID: m.UserID, Details: users[m.UserID].Username},
			Message: "Added member by import", Add: m.AccessLevel.String(), Author: u.author(),
		}
	}
	return events.Audit(ctx, u.store, changes...)
}
