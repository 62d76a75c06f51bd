package store

import (
	"context"
	"regexp"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// Protections holds the rules for protected branches and tags.
type Protections struct{ *base }

// Branches returns the protected branch rules of a project, ordered by name.
func (s Protections) Branches(ctx context.Context, projectID int64) ([]model.ProtectedBranch, error) {
	rows, err := query.Find[model.ProtectedBranch](s.db.Read(ctx).Where("project_id = ?", projectID).Order("name"), 0)
	return rows, query.Translate(err)
}

// Tags returns the protected tag rules of a project, ordered by name.
func (s Protections) Tags(ctx context.Context, projectID int64) ([]model.ProtectedTag, error) {
	rows, err := query.Find[model.ProtectedTag](s.db.Read(ctx).Where("project_id = ?", projectID).Order("name"), 0)
	return rows, query.Translate(err)
}

// ProtectBranch adds a branch rule. It returns a *ConflictError if there is one with that name.
func (s Protections) ProtectBranch(ctx context.Context, b *model.ProtectedBranch) error {
	return query.Translate(s.db.Write(ctx).Create(b).Error)
}

const (
	protectedBranch = "Protected Branch"
	protectedTag    = "Protected Tag"
)

// keyedBranch is a protected branch rule, and whether deploy keys may push.
type keyedBranch struct {
	Branch  model.ProtectedBranch `gorm:"embedded"`
	HasKeys bool
}

// TableName returns the table that GORM reads the row from.
func (keyedBranch) TableName() string { return "protected_branches" }

// ListBranches returns one page of the protected branch rules with their deploy keys, ordered by name. search is a part of
// the name.
func (s Protections) ListBranches(ctx context.Context, projectID int64, search string, p Page) ([]model.ProtectedBranchRow, Total, error) {
	q := s.db.Read(ctx).Where("project_id = ?", projectID).Order("name").Select("protected_branches.*, EXISTS (SELECT 1 FROM " +
		"protected_branch_deploy_keys x WHERE x.protected_branch_id = protected_branches.id) AS has_keys")
	if search != "" {
		q = q.Where(`lower(name) LIKE lower(?) ESCAPE '\'`, "%"+likeEscaper.Replace(search)+"%")
	}
	rows, total, err := query.List[keyedBranch](q, p)
	if err != nil {
		return nil, total, err
	}
	out, keyed := make([]model.ProtectedBranchRow, len(rows)), []int64(nil)
	for i, row := range rows {
		out[i].Branch = row.Branch
		if row.HasKeys {
			keyed = append(keyed, row.Branch.ID)
		}
	}
	keys, err := s.DeployKeys(ctx, keyed)
	for i := range out {
		out[i].Keys = keys[out[i].Branch.ID]
	}
	return out, total, err
}

// Branch returns the branch rule with this name.
func (s Protections) Branch(ctx context.Context, projectID int64, name string) (model.ProtectedBranch, error) {
	return query.Take[model.ProtectedBranch](s.db.Read(ctx).Where("project_id = ? AND name = ?", projectID, name), protectedBranch)
}

// UpdateBranch changes the given columns of a branch rule and returns the new row.
func (s Protections) UpdateBranch(ctx context.Context, b model.ProtectedBranch, set map[string]any) (model.ProtectedBranch, error) {
	if len(set) > 0 {
		res := s.db.Write(ctx).Model(&model.ProtectedBranch{}).Where("id = ?", b.ID).Updates(set)
		if err := query.Translate(res.Error); err != nil {
			return b, err
		}
	}
	return query.Take[model.ProtectedBranch](s.db.Write(ctx).Where("id = ?", b.ID), protectedBranch)
}

// UnprotectBranch removes a branch rule, unless it was changed after the given time.
func (s Protections) UnprotectBranch(ctx context.Context, b model.ProtectedBranch, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, b, protectedBranch, unchangedSince)
}

// ListTags returns one page of the protected tag rules, ordered by name.
func (s Protections) ListTags(ctx context.Context, projectID int64, p Page) ([]model.ProtectedTag, Total, error) {
	return query.List[model.ProtectedTag](s.db.Read(ctx).Where("project_id = ?", projectID).Order("name"), p)
}

// Tag returns the tag rule with this name.
func (s Protections) Tag(ctx context.Context, projectID int64, name string) (model.ProtectedTag, error) {
	return query.Take[model.ProtectedTag](s.db.Read(ctx).Where("project_id = ? AND name = ?", projectID, name), protectedTag)
}

// ProtectTag adds a tag rule. It returns a *ConflictError if there is one with that name.
func (s Protections) ProtectTag(ctx context.Context, t *model.ProtectedTag) error {
	return query.Translate(s.db.Write(ctx).Create(t).Error)
}

// UnprotectTag removes a tag rule, unless it was changed after the given time.
func (s Protections) UnprotectTag(ctx context.Context, t model.ProtectedTag, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, t, protectedTag, unchangedSince)
}

// Matches reports whether a rule matches the name of a branch or tag. In a rule, * stands for any text.
func Matches(rule, name string) bool {
	if !strings.Contains(rule, "*") {
		return rule == name
	}
	parts := strings.Split(rule, "*")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	pattern, err := regexp.Compile(`\A` + strings.Join(parts, ".*") + `\z`)
	return err == nil && pattern.MatchString(name)
}

// BranchesOf returns the protected branch rules of projects, by project.
func (s Protections) BranchesOf(ctx context.Context, projectIDs []int64) (map[int64][]model.ProtectedBranch, error) {
	rows, err := query.Find[model.ProtectedBranch](s.db.Read(ctx).Where("project_id IN ?", projectIDs).Order("name"), 0)
	return groupBy(rows, func(b model.ProtectedBranch) int64 { return b.ProjectID }), query.Translate(err)
}
