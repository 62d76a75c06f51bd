package store

import (
	"context"
	"strings"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// AddLabels adds labels to a project, with the ranks of some of them by name. Labels that exist already stay.
func (s ProjectContents) AddLabels(ctx context.Context, projectID int64, rows []model.Label, ranks map[string]int64) error {
	ignore := clause.OnConflict{DoNothing: true}
	if err := s.db.Write(ctx).Clauses(ignore).CreateInBatches(rows, someRows).Error; err != nil {
		return query.Translate(err)
	}
	if len(ranks) == 0 {
		return nil
	}
	ids, err := s.LabelIDs(ctx, projectID)
	if err != nil {
		return err
	}
	var priorities []model.LabelPriority
	for name, rank := range ranks {
		priorities = append(priorities, model.LabelPriority{ProjectID: projectID, LabelID: ids[name], Priority: rank})
	}
	return query.Translate(s.db.Write(ctx).Clauses(ignore).CreateInBatches(priorities, someRows).Error)
}

// LabelIDs returns the ids of the labels of a project by name.
func (s ProjectContents) LabelIDs(ctx context.Context, projectID int64) (map[string]int64, error) {
	rows, err := query.Find[model.Label](s.db.Write(ctx).Select("id, name").Where("project_id = ?", projectID), 0)
	ids := make(map[string]int64, len(rows))
	for _, l := range rows {
		ids[l.Name] = l.ID
	}
	return ids, query.Translate(err)
}

// MilestoneIDs returns the ids of the milestones of a project by title.
func (s ProjectContents) MilestoneIDs(ctx context.Context, projectID int64) (map[string]int64, error) {
	rows, err := query.Find[model.Milestone](s.db.Write(ctx).Select("id, title").Where("project_id = ?", projectID), 0)
	ids := make(map[string]int64, len(rows))
	for _, m := range rows {
		ids[m.Title] = m.ID
	}
	return ids, query.Translate(err)
}

// Numbers returns the ids of issues or merge requests of a project by their numbers.
func (s ProjectContents) Numbers(ctx context.Context, kind string, projectID int64, iids []int64) (map[int64]int64, error) {
	var rows []model.IssueKey
	q := s.db.Write(ctx).Table(tableOf(kind)).Select("id, iid").Where("project_id = ? AND iid IN ?", projectID, iids)
	err := q.Scan(&rows).Error
	ids := make(map[int64]int64, len(rows))
	for _, row := range rows {
		ids[row.IID] = row.ID
	}
	return ids, query.Translate(err)
}

// AddMilestones adds milestones to a project, which have their numbers already.
func (s ProjectContents) AddMilestones(ctx context.Context, projectID int64, rows []model.Milestone) error {
	if err := addAll(ctx, s.base, rows); err != nil {
		return err
	}
	last := int64(0)
	for _, m := range rows {
		last = max(last, m.IID)
	}
	return s.raiseCounter(ctx, projectID, counterMilestones, last)
}

// Reserve makes sure that new issues and merge requests of a project get higher numbers than the given ones.
func (s ProjectContents) Reserve(ctx context.Context, projectID, issues, mergeRequests int64) error {
	if err := s.raiseCounter(ctx, projectID, counterIssues, issues); err != nil {
		return err
	}
	return s.raiseCounter(ctx, projectID, counterMergeRequests, mergeRequests)
}

func (s ProjectContents) raiseCounter(ctx context.Context, projectID int64, name string, last int64) error {
	if last == 0 {
		return nil
	}
	return query.Translate(s.db.Write(ctx).Exec(`INSERT INTO project_counters (project_id, name, last) VALUES (?, ?, ?)
		ON CONFLICT (project_id, name) DO UPDATE SET last = excluded.last WHERE project_counters.last < excluded.last`,
		projectID, name, last).Error)
}

// AddIssues adds issues with their numbers, and sets their ids. parts returns their labels and assignees, once the ids
// are known.
func (s ProjectContents) AddIssues(
	ctx context.Context, rows []model.Issue, parts func() ([]model.IssueLabel, []model.IssueAssignee),
) error {
	for i := range rows {
		at := rows[i].IID * positionStep
		rows[i].RelativePosition = &at
	}
	if err := addAll(ctx, s.base, rows); err != nil {
		return err
	}
	labels, assignees := parts()
	if err := addAll(ctx, s.base, labels); err != nil {
		return err
	}
	return addAll(ctx, s.base, assignees)
}

// AddMergeRequests adds merge requests with their numbers, and sets their ids. parts returns their parts and versions,
// once the ids are known.
func (s ProjectContents) AddMergeRequests(
	ctx context.Context, rows []model.MergeRequest, parts func() (MergeRequestParts, []model.MergeRequestVersion),
) error {
	if err := addAll(ctx, s.base, rows); err != nil {
		return err
	}
	p, versions := parts()
	if err := addAll(ctx, s.base, versions); err != nil {
		return err
	}
	if err := addAll(ctx, s.base, p.Labels); err != nil {
		return err
	}
	if err := addAll(ctx, s.base, p.Assignees); err != nil {
		return err
	}
	if err := addAll(ctx, s.base, p.Reviewers); err != nil {
		return err
	}
	return addAll(ctx, s.base, p.Commits)
}

// AddNotes adds notes to issues and merge requests. Recount counts them.
func (s ProjectContents) AddNotes(ctx context.Context, rows []model.Note) error {
	return addAll(ctx, s.base, rows)
}

// AddProtections adds rules for branches and tags. Rules that exist already stay.
func (s ProjectContents) AddProtections(ctx context.Context, branches []model.ProtectedBranch, tags []model.ProtectedTag) error {
	ignore := clause.OnConflict{DoNothing: true}
	if len(branches) > 0 {
		if err := s.db.Write(ctx).Clauses(ignore).CreateInBatches(branches, someRows).Error; err != nil {
			return query.Translate(err)
		}
	}
	if len(tags) == 0 {
		return nil
	}
	return query.Translate(s.db.Write(ctx).Clauses(ignore).CreateInBatches(tags, someRows).Error)
}

// AddMembers adds members to a project, and returns those that are new. Users who are members already keep their roles.
func (s ProjectContents) AddMembers(ctx context.Context, projectID int64, rows []model.Member) ([]model.Member, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	ids := make([]int64, len(rows))
	for i, m := range rows {
		ids[i] = m.UserID
	}
	var has []int64
	err := s.db.Write(ctx).Model(&model.Member{}).
		Where("source_type = ? AND source_id = ? AND user_id IN ?", model.SourceProject, projectID, ids).Pluck("user_id", &has).Error
	if err != nil {
		return nil, query.Translate(err)
	}
	known := make(map[int64]bool, len(has))
	for _, id := range has {
		known[id] = true
	}
	var fresh []model.Member
	for _, m := range rows {
		if !known[m.UserID] {
			fresh = append(fresh, m)
		}
	}
	return fresh, addAll(ctx, s.base, fresh)
}

// Recount counts the notes of the issues and merge requests of a project, and its open issues.
func (s ProjectContents) Recount(ctx context.Context, projectID int64) error {
	for _, kind := range []string{model.OnIssue, model.OnMergeRequest} {
		table := tableOf(kind)
		err := s.db.Write(ctx).Exec("UPDATE "+table+" SET user_notes_count = (SELECT count(*) FROM notes n WHERE n.noteable_type = ? "+
			"AND n.noteable_id = "+table+".id AND NOT n.system) WHERE project_id = ?", kind, projectID).Error
		if err != nil {
			return query.Translate(err)
		}
	}
	const open = "(SELECT count(*) FROM issues i WHERE i.project_id = projects.id AND i.state = 'opened' AND "
	return query.Translate(s.db.Write(ctx).Exec("UPDATE projects SET open_issues_count = "+open+"NOT i.confidential), "+
		"open_confidential_issues_count = "+open+"i.confidential) WHERE id = ?", projectID).Error)
}

// ByPublicEmail returns the ids of active users by public email address in lower case.
func (s Users) ByPublicEmail(ctx context.Context, addresses []string) (map[string]int64, error) {
	owners := make(map[string]int64, len(addresses))
	if len(addresses) == 0 {
		return owners, nil
	}
	lower := make([]string, len(addresses))
	for i, a := range addresses {
		lower[i] = strings.ToLower(a)
	}
	q := s.db.Write(ctx).Raw("SELECT id, lower(public_email) AS address FROM users WHERE lower(public_email) IN ? AND "+
		"kind = ? AND state = ? ORDER BY id DESC", lower, model.UserHuman, model.UserActive)
	rows, err := query.Find[addressOwner](q, len(addresses))
	for _, row := range rows {
		owners[row.Address] = row.ID
	}
	return owners, query.Translate(err)
}
