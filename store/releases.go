package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Releases holds the releases of projects.
type Releases struct{ *base }

const release = "Release"

// releaseParts selects a release, its author, and whether there is more to read: most releases have no milestones, and
// most projects have no rules for tags.
const releaseParts = "releases.*, writer.id AS writer_id, writer.username AS writer_username, writer.name AS writer_name, " +
	"writer.state AS writer_state, writer.locked_at AS writer_locked_at, writer.avatar AS writer_avatar, " +
	"EXISTS (SELECT 1 FROM release_milestones m WHERE m.release_id = releases.id) AS has_milestones, " +
	"EXISTS (SELECT 1 FROM protected_tags t WHERE t.project_id = releases.project_id) AS protected"

// foundRelease is a release as it is read, before its links and milestones are added.
type foundRelease struct {
	Release       model.Release      `gorm:"embedded"`
	Writer        model.ProjectOwner `gorm:"embedded;embeddedPrefix:writer_"`
	HasMilestones bool
	Protected     bool
}

// TableName returns the table that most columns come from.
func (foundRelease) TableName() string { return "releases" }

func (s Releases) shown(ctx context.Context) *gorm.DB {
	return s.db.Read(ctx).Select(releaseParts).Joins("LEFT JOIN users writer ON writer.id = releases.author_id")
}

// ReleaseFilter narrows and orders a list of releases.
type ReleaseFilter struct {
	UpdatedAfter  *time.Time
	UpdatedBefore *time.Time
	ByCreation    bool // order by the time of creation, not of release
	Asc           bool
}

// List returns one page of the releases of a project, with everything that they show.
func (s Releases) List(ctx context.Context, projectID int64, f ReleaseFilter, p Page) ([]model.ReleaseRow, Total, error) {
	q := s.shown(ctx).Where("releases.project_id = ?", projectID)
	if f.UpdatedAfter != nil {
		q = q.Where("releases.updated_at >= ?", utc(f.UpdatedAfter))
	}
	if f.UpdatedBefore != nil {
		q = q.Where("releases.updated_at <= ?", utc(f.UpdatedBefore))
	}
	column, direction := "releases.released_at", " DESC"
	if f.ByCreation {
		column = "releases.created_at"
	}
	if f.Asc {
		direction = ""
	}
	return s.page(ctx, q.Order(column+direction).Order("releases.id"+direction), p)
}

// ListByGroup returns one page of the releases of all projects in a group and below it whose releases the reader can
// see. The newest are first, or last.
func (s Releases) ListByGroup(ctx context.Context, groupID int64, asc bool, r *Reader, p Page) ([]model.ReleaseRow, Total, error) {
	projects, args := IssuableScope{GroupID: &groupID, Reader: r}.projects(issuable{level: "releases_access_level"}, s.today())
	direction := " DESC"
	if asc {
		direction = ""
	}
	q := s.shown(ctx).Where("releases.project_id IN ("+projects+")", args...).
		Order("releases.released_at" + direction).Order("releases.id" + direction)
	return s.page(ctx, q, p)
}

// page reads one page of releases and adds their parts.
func (s Releases) page(ctx context.Context, q *gorm.DB, p Page) ([]model.ReleaseRow, Total, error) {
	found, total, err := query.List[foundRelease](q, p)
	if err != nil {
		return nil, total, err
	}
	rows, err := s.withParts(ctx, found)
	return rows, total, err
}

// Get returns the release of a tag, with everything that it shows.
func (s Releases) Get(ctx context.Context, projectID int64, tag string) (model.ReleaseRow, error) {
	return s.one(ctx, s.shown(ctx).Where("releases.project_id = ? AND releases.tag = ?", projectID, tag))
}

// Find returns the release with an ID.
func (s Releases) Find(ctx context.Context, id int64) (model.ReleaseRow, error) {
	return s.one(ctx, s.shown(ctx).Where("releases.id = ?", id))
}

// Latest returns the release of a project with the latest release time, which may be in the future.
func (s Releases) Latest(ctx context.Context, projectID int64) (model.Release, error) {
	q := s.db.Read(ctx).Where("project_id = ?", projectID).Order("released_at DESC, id DESC")
	return query.Take[model.Release](q, release)
}

func (s Releases) one(ctx context.Context, q *gorm.DB) (model.ReleaseRow, error) {
	found, err := query.Take[foundRelease](q, release)
	if err != nil {
		return model.ReleaseRow{}, err
	}
	rows, err := s.withParts(ctx, []foundRelease{found})
	if err != nil {
		return model.ReleaseRow{}, err
	}
	return rows[0], nil
}

// withParts adds the links and milestones of releases, with one query each; without milestones, that query is left out.
func (s Releases) withParts(ctx context.Context, found []foundRelease) ([]model.ReleaseRow, error) {
	var ids, planned []int64
	for _, f := range found {
		ids = append(ids, f.Release.ID)
		if f.HasMilestones {
			planned = append(planned, f.Release.ID)
		}
	}
	links, err := s.linksOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	milestones, err := s.milestonesOf(ctx, planned)
	if err != nil {
		return nil, err
	}
	rows := make([]model.ReleaseRow, len(found))
	for i, f := range found {
		rows[i] = model.ReleaseRow{
			Release: f.Release, Author: userOf(f.Writer), Links: links[f.Release.ID], Milestones: milestones[f.Release.ID],
			Protected: f.Protected,
		}
	}
	return rows, nil
}

// userOf returns a joined user; nil if there is none.
func userOf(w model.ProjectOwner) *model.User {
	if w.ID == nil || w.Username == nil || w.Name == nil || w.State == nil {
		return nil
	}
	return &model.User{
		ID: *w.ID, Username: *w.Username, Name: *w.Name, State: *w.State, LockedAt: w.LockedAt, Avatar: w.Avatar,
	}
}

func (s Releases) linksOf(ctx context.Context, ids []int64) (map[int64][]model.ReleaseLink, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	q := s.db.Read(ctx).Where("release_id IN ?", ids).Order("id DESC")
	rows, err := query.Find[model.ReleaseLink](q, len(ids))
	return groupBy(rows, func(l model.ReleaseLink) int64 { return l.ReleaseID }), query.Translate(err)
}

func (s Releases) milestonesOf(ctx context.Context, ids []int64) (map[int64][]model.ReleaseMilestoneRow, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	const issues = "(SELECT count(*) FROM issues WHERE issues.milestone_id = milestones.id"
	q := Milestones(s).shown(ctx).
		Select("milestones.*, "+milestonePlace+", x.release_id, "+issues+") AS issues, "+
			issues+" AND issues.state = 'closed') AS closed_issues").
		Joins("JOIN release_milestones x ON x.milestone_id = milestones.id").Where("x.release_id IN ?", ids).
		Order("milestones.due_date IS NULL, milestones.due_date, milestones.id DESC")
	rows, err := query.Find[model.ReleaseMilestoneRow](q, len(ids))
	return groupBy(rows, func(m model.ReleaseMilestoneRow) int64 { return m.ReleaseID }), query.Translate(err)
}

// ByTags returns the releases of these tags of a project, keyed by tag.
func (s Releases) ByTags(ctx context.Context, projectID int64, tags []string) (map[string]model.Release, error) {
	found := make(map[string]model.Release, len(tags))
	if len(tags) == 0 {
		return found, nil
	}
	q := s.db.Read(ctx).Where("project_id = ? AND tag IN ?", projectID, tags)
	rows, err := query.Find[model.Release](q, len(tags))
	for _, row := range rows {
		found[row.Tag] = row
	}
	return found, query.Translate(err)
}
