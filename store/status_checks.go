package store

import (
	"context"
	"strconv"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// StatusChecks holds the external status checks of projects and their responses.
type StatusChecks struct{ *base }

const statusCheck = "External Status Check"

// List returns one page of the checks of a project, in the order of creation.
func (s StatusChecks) List(ctx context.Context, projectID int64, p Page) ([]model.ExternalStatusCheck, Total, error) {
	return query.List[model.ExternalStatusCheck](s.db.Read(ctx).Where("project_id = ?", projectID).Order("id"), p)
}

// Of returns the checks of projects, in the order of creation.
func (s StatusChecks) Of(ctx context.Context, projectIDs []int64) ([]model.ExternalStatusCheck, error) {
	rows, err := query.Find[model.ExternalStatusCheck](s.db.Read(ctx).Where("project_id IN ?", projectIDs).Order("id"), 0)
	return rows, query.Translate(err)
}

// Get returns a check of a project.
func (s StatusChecks) Get(ctx context.Context, projectID, id int64) (model.ExternalStatusCheck, error) {
	return query.Take[model.ExternalStatusCheck](s.db.Read(ctx).Where("id = ? AND project_id = ?", id, projectID), statusCheck)
}

// Create adds a check. It returns a *ConflictError if there is one with this name or URL, and a *LimitError if the project
// already has most checks.
func (s StatusChecks) Create(ctx context.Context, row *model.ExternalStatusCheck, most int) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "status checks of project "+strconv.FormatInt(row.ProjectID, 10)); err != nil {
			return err
		}
		var n int64
		count := s.db.Write(ctx).Raw("SELECT count(*) FROM external_status_checks WHERE project_id = ?", row.ProjectID)
		if err := query.ScanFirst(count, &n); err != nil {
			return query.Translate(err)
		}
		if n >= int64(most) {
			return &LimitError{Most: most}
		}
		return query.Translate(s.db.Write(ctx).Create(row).Error)
	})
}

// Save stores a changed check. It returns a *ConflictError if there is another one with this name or URL.
func (s StatusChecks) Save(ctx context.Context, row *model.ExternalStatusCheck) error {
	return query.Translate(s.db.Write(ctx).Save(row).Error)
}

// Delete removes a check, unless it was changed after the given time.
func (s StatusChecks) Delete(ctx context.Context, row model.ExternalStatusCheck, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, row, statusCheck, unchangedSince)
}

// Branches returns the protected branches that checks are limited to, by check, ordered by name.
func (s StatusChecks) Branches(ctx context.Context, checkIDs []int64) (map[int64][]model.ProtectedBranch, error) {
	found := map[int64][]model.ProtectedBranch{}
	if len(checkIDs) == 0 {
		return found, nil
	}
	links, err := query.Find[model.ExternalStatusCheckBranch](s.db.Read(ctx).Where("check_id IN ?", checkIDs), 0)
	if err != nil || len(links) == 0 {
		return found, query.Translate(err)
	}
	ids := make([]int64, len(links))
	for i, link := range links {
		ids[i] = link.ProtectedBranchID
	}
	rows, err := query.Find[model.ProtectedBranch](s.db.Read(ctx).Where("id IN ?", ids).Order("name"), 0)
	for _, row := range rows {
		for _, link := range links {
			if link.ProtectedBranchID == row.ID {
				found[link.CheckID] = append(found[link.CheckID], row)
			}
		}
	}
	return found, query.Translate(err)
}

// SetBranches replaces the protected branches of a check. It returns a *NotFoundError if one of them does not exist.
func (s StatusChecks) SetBranches(ctx context.Context, checkID int64, branchIDs []int64) error {
	if err := s.db.Write(ctx).Where("check_id = ?", checkID).Delete(&model.ExternalStatusCheckBranch{}).Error; err != nil {
		return query.Translate(err)
	}
	if len(branchIDs) == 0 {
		return nil
	}
	rows := make([]model.ExternalStatusCheckBranch, len(branchIDs))
	for i, id := range branchIDs {
		rows[i] = model.ExternalStatusCheckBranch{CheckID: checkID, ProtectedBranchID: id}
	}
	err := s.db.Write(ctx).Create(&rows).Error
	if query.IsGone(err) {
		return &NotFoundError{Resource: statusCheck}
	}
	return query.Translate(err)
}

// Responses returns what checks say about merge requests.
func (s StatusChecks) Responses(ctx context.Context, mergeRequestIDs []int64) ([]model.StatusCheckResponse, error) {
	rows, err := query.Find[model.StatusCheckResponse](s.db.Read(ctx).Where("merge_request_id IN ?", mergeRequestIDs), 0)
	return rows, query.Translate(err)
}

// Put stores what a check says about a merge request, in the place of what it said before. It returns a *NotFoundError if the
// check or the merge request does not exist.
func (s StatusChecks) Put(ctx context.Context, row *model.StatusCheckResponse) error {
	err := s.db.Write(ctx).Clauses(clause.OnConflict{
		Columns: []clause.Column{{Name: "merge_request_id"}, {Name: "check_id"}}, UpdateAll: true,
	}).Create(row).Error
	if query.IsGone(err) {
		return &NotFoundError{Resource: statusCheck}
	}
	return query.Translate(err)
}
