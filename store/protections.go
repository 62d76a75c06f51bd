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
	statement := "SELECT project_id, " + branchRuleColumns + " FROM protected_branches r WHERE project_id = ? ORDER BY name"
	return s.branches(ctx, statement, projectID)
}

// branchRuleColumns are the columns that the branch rules of projects and of groups have in common.
const branchRuleColumns = "r.id, r.name, r.push_access_level, r.merge_access_level, r.unprotect_access_level, " +
	"r.allow_force_push, r.created_at, r.updated_at"

// BranchesWithInherited returns the branch rules of a project and those of the groups above it, each ordered by name.
func (s Protections) BranchesWithInherited(ctx context.Context, p model.Project) (own, inherited []model.ProtectedBranch, err error) {
	statement := "SELECT project_id, " + branchRuleColumns + " FROM protected_branches r WHERE project_id = ? UNION ALL " +
		"SELECT 0, " + branchRuleColumns + " FROM group_protected_branches r JOIN namespace_ancestors a ON a.ancestor_id = r.group_id " +
		"WHERE a.descendant_id = ? ORDER BY name, id"
	rules, err := s.branches(ctx, statement, p.ID, p.NamespaceID)
	for _, r := range rules {
		if r.ProjectID == 0 {
			inherited = append(inherited, r)
		} else {
			own = append(own, r)
		}
	}
	return own, inherited, err
}

// branches reads branch rules. The statement returns the project of each, or 0, and branchRuleColumns.
func (b *base) branches(ctx context.Context, statement string, args ...any) (rules []model.ProtectedBranch, err error) {
	err = b.db.Rows(ctx, statement, args, func(row query.Scanner) error {
		var r model.ProtectedBranch
		err := row.Scan(&r.ProjectID, &r.ID, &r.Name, &r.PushAccessLevel, &r.MergeAccessLevel, &r.UnprotectAccessLevel,
			&r.AllowForcePush, &r.CreatedAt, &r.UpdatedAt)
		rules = append(rules, r)
		return err
	})
	return rules, query.Translate(err)
}

// Tags returns the protected tag rules of a project, ordered by name.
func (s Protections) Tags(ctx context.Context, projectID int64) ([]model.ProtectedTag, error) {
	rest := condition{"protected_tags WHERE project_id = ? ORDER BY name", []any{projectID}}
	return readRows(ctx, s.base, protectedTagColumns, rest, 0, protectedTagFields)
}

const protectedTagColumns = "id, project_id, name, create_access_level, created_at, updated_at"

func protectedTagFields(t *model.ProtectedTag) []any {
	return []any{&t.ID, &t.ProjectID, &t.Name, &t.CreateAccessLevel, &t.CreatedAt, &t.UpdatedAt}
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
	branch  model.ProtectedBranch
	hasKeys bool
}

// keyedBranchColumns are what a list shows of the rules.
const keyedBranchColumns = "id, project_id, name, push_access_level, merge_access_level, unprotect_access_level, allow_force_push, " +
	"EXISTS (SELECT 1 FROM protected_branch_deploy_keys x WHERE x.protected_branch_id = protected_branches.id)"

func keyedBranchFields(row *keyedBranch) []any {
	b := &row.branch
	return []any{
		&b.ID, &b.ProjectID, &b.Name, &b.PushAccessLevel, &b.MergeAccessLevel, &b.UnprotectAccessLevel, &b.AllowForcePush, &row.hasKeys,
	}
}

// ListBranches returns one page of the protected branch rules with their deploy keys, ordered by name. search is a part of
// the name. It does not read when they were created and changed.
func (s Protections) ListBranches(ctx context.Context, projectID int64, search string, p Page) ([]model.ProtectedBranchRow, Total, error) {
	from := condition{"protected_branches WHERE project_id = ?", []any{projectID}}
	if search != "" {
		from.text += ` AND lower(name) LIKE lower(?) ESCAPE '\'`
		from.args = append(from.args, "%"+likeEscaper.Replace(search)+"%")
	}
	list := shortList[keyedBranch]{columns: keyedBranchColumns, from: from, order: "name", fields: keyedBranchFields}
	rows, total, err := list.page(ctx, s.base, p)
	if err != nil {
		return nil, total, err
	}
	out, keyed := make([]model.ProtectedBranchRow, len(rows)), []int64(nil)
	for i, row := range rows {
		out[i].Branch = row.branch
		if row.hasKeys {
			keyed = append(keyed, row.branch.ID)
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
	return shortList[model.ProtectedTag]{
		columns: protectedTagColumns, from: condition{"protected_tags WHERE project_id = ?", []any{projectID}}, order: "name",
		fields: protectedTagFields,
	}.page(ctx, s.base, p)
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
