package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// IssueLinks holds the links between issues.
type IssueLinks struct{ *base }

const issueLink = "Issue Link"

// List returns the issues that are linked to an issue and that the reader sees. It reads at most the given number of
// links.
func (s IssueLinks) List(ctx context.Context, issueID int64, r *Reader, most int) ([]model.LinkedIssue, error) {
	links, err := query.Find[model.IssueLink](
		s.db.Read(ctx).Where("source_id = ? OR target_id = ?", issueID, issueID).Order("id").Limit(most),
		0,
	)
	if err != nil || len(links) == 0 {
		return nil, query.Translate(err)
	}
	ids := make([]int64, len(links))
	for i, l := range links {
		ids[i] = l.SourceID + l.TargetID - issueID // the other one
	}
	rows, err := query.Find[model.IssueRow](IssuableScope{Reader: r}.narrow(Issues(s).shown(ctx, r), onIssues).
		Where("issues.id IN ?", ids), len(ids))
	if err != nil {
		return nil, query.Translate(err)
	}
	if err := Issues(s).complete(ctx, rows, r); err != nil {
		return nil, err
	}
	byID := map[int64]model.IssueRow{}
	for _, row := range rows {
		byID[row.Issue.ID] = row
	}
	var out []model.LinkedIssue
	for i, l := range links {
		if row, seen := byID[ids[i]]; seen {
			out = append(out, model.LinkedIssue{
				IssueRow: row, LinkID: l.ID, LinkType: kindFrom(l, issueID), LinkCreatedAt: l.CreatedAt, LinkUpdatedAt: l.UpdatedAt,
			})
		}
	}
	return out, nil
}

// kindFrom returns the type of a link from the view of one of its issues.
func kindFrom(l model.IssueLink, issueID int64) string {
	if l.LinkType == model.Blocks && l.TargetID == issueID {
		return model.IsBlockedBy
	}
	return l.LinkType
}

// Get returns a link of an issue.
func (s IssueLinks) Get(ctx context.Context, issueID, id int64) (model.IssueLink, error) {
	return query.Take[model.IssueLink](s.db.Read(ctx).Where("id = ? AND (source_id = ? OR target_id = ?)", id, issueID, issueID), issueLink)
}

// Between returns the link between two issues, in either direction.
func (s IssueLinks) Between(ctx context.Context, a, b int64) (model.IssueLink, error) {
	return query.Take[model.IssueLink](s.db.Write(ctx).
		Where("(source_id = ? AND target_id = ?) OR (source_id = ? AND target_id = ?)", a, b, b, a), issueLink)
}

// Count counts the links of an issue.
func (s IssueLinks) Count(ctx context.Context, issueID int64) (int64, error) {
	var n int64
	err := query.ScanFirst(
		s.db.Write(ctx).Raw("SELECT count(*) FROM issue_links WHERE source_id = ? OR target_id = ?", issueID, issueID),
		&n,
	)
	return n, query.Translate(err)
}

// Create adds a link.
func (s IssueLinks) Create(ctx context.Context, l *model.IssueLink) error {
	return query.Translate(s.db.Write(ctx).Create(l).Error)
}

// Delete removes a link, unless it was changed after the given time.
func (s IssueLinks) Delete(ctx context.Context, id int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.IssueLink](ctx, s.db, issueLink, unchangedSince, "id = ?", id)
}
