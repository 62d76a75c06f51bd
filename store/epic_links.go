package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// EpicLinks holds the links between epics.
type EpicLinks struct{ *base }

const epicLink = "Epic Link"

// EpicLinkFilter narrows a list of links.
type EpicLinkFilter struct {
	CreatedAfter, CreatedBefore, UpdatedAfter, UpdatedBefore *time.Time
}

// List returns the epics that are linked to an epic and that the reader sees. It reads at most the given number of links.
func (s EpicLinks) List(ctx context.Context, epicID int64, r *Reader, most int) ([]model.LinkedEpic, error) {
	links, err := query.Find[model.EpicLink](
		s.db.Read(ctx).Where("source_id = ? OR target_id = ?", epicID, epicID).Order("id").Limit(most), 0,
	)
	if err != nil || len(links) == 0 {
		return nil, query.Translate(err)
	}
	ids := make([]int64, len(links))
	for i, l := range links {
		ids[i] = l.SourceID + l.TargetID - epicID // the other one
	}
	rows, err := s.epics(ctx, ids, r)
	if err != nil {
		return nil, err
	}
	var all []model.LinkedEpic
	for i, l := range links {
		if row, seen := rows[ids[i]]; seen {
			all = append(all, model.LinkedEpic{EpicRow: row, Link: l, Kind: l.KindFrom(epicID)})
		}
	}
	return all, nil
}

// epics returns the epics that the reader sees, by their IDs.
func (s EpicLinks) epics(ctx context.Context, ids []int64, r *Reader) (map[int64]model.EpicRow, error) {
	found := make(map[int64]model.EpicRow, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	rows, err := query.Find[model.EpicRow](Epics(s).shown(ctx, r).Where("epics.id IN ?", ids), len(ids))
	if err != nil {
		return nil, query.Translate(err)
	}
	err = Epics(s).complete(ctx, rows, r)
	for _, row := range rows {
		found[row.Epic.ID] = row
	}
	return found, err
}

// InGroup returns one page of the links of the epics of a group and the groups below it, the oldest first. The reader must
// see both epics.
func (s EpicLinks) InGroup(ctx context.Context, groupID int64, f EpicLinkFilter, r *Reader, p Page) ([]model.EpicLinkRow, Total, error) {
	seen := Epics(s).seen(ctx, s.db.Read(ctx).Table("epics").Select("epics.id"), r)
	const here = "(SELECT id FROM epics WHERE group_id IN (SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?))"
	q := s.db.Read(ctx).Where("source_id IN (?) AND target_id IN (?)", seen, seen).
		Where("(source_id IN "+here+" OR target_id IN "+here+")", groupID, groupID)
	for _, c := range []struct {
		text string
		at   *time.Time
	}{
		{"created_at >= ?", f.CreatedAfter},
		{"created_at <= ?", f.CreatedBefore},
		{"updated_at >= ?", f.UpdatedAfter},
		{"updated_at <= ?", f.UpdatedBefore},
	} {
		if c.at != nil {
			q = q.Where(c.text, utc(c.at))
		}
	}
	links, total, err := query.List[model.EpicLink](q.Order("id"), p)
	if err != nil {
		return nil, total, err
	}
	var ids []int64
	for _, l := range links {
		ids = append(ids, l.SourceID, l.TargetID)
	}
	rows, err := s.epics(ctx, ids, r)
	if err != nil {
		return nil, total, err
	}
	all := make([]model.EpicLinkRow, 0, len(links))
	for _, l := range links {
		source, first := rows[l.SourceID]
		target, second := rows[l.TargetID]
		if first && second {
			all = append(all, model.EpicLinkRow{Link: l, Source: source, Target: target})
		}
	}
	return all, total, nil
}

// Get returns a link of an epic.
func (s EpicLinks) Get(ctx context.Context, epicID, id int64) (model.EpicLink, error) {
	return query.Take[model.EpicLink](s.db.Read(ctx).Where("id = ? AND (source_id = ? OR target_id = ?)", id, epicID, epicID), epicLink)
}

// Between returns the link between two epics, in either direction.
func (s EpicLinks) Between(ctx context.Context, a, b int64) (model.EpicLink, error) {
	return query.Take[model.EpicLink](s.db.Write(ctx).
		Where("(source_id = ? AND target_id = ?) OR (source_id = ? AND target_id = ?)", a, b, b, a), epicLink)
}

// Count counts the links of an epic.
func (s EpicLinks) Count(ctx context.Context, epicID int64) (int64, error) {
	var n int64
	err := query.ScanFirst(
		s.db.Write(ctx).Raw("SELECT count(*) FROM epic_links WHERE source_id = ? OR target_id = ?", epicID, epicID), &n,
	)
	return n, query.Translate(err)
}

// Create adds a link.
func (s EpicLinks) Create(ctx context.Context, l *model.EpicLink) error {
	return query.Translate(s.db.Write(ctx).Create(l).Error)
}

// Delete removes a link, unless it was changed after the given time.
func (s EpicLinks) Delete(ctx context.Context, id int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.EpicLink](ctx, s.db, epicLink, unchangedSince, "id = ?", id)
}
