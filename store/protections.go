package store

import (
	"context"
	"regexp"
	"strings"

	"svc/store/model"
)

// Protections are the rules for branches and tags of projects.
type Protections struct{ *base }

// Branches returns the rules for the branches of a project, in the order of their names.
func (s Protections) Branches(ctx context.Context, projectID int64) ([]model.ProtectedBranch, error) {
	rows, err := find[model.ProtectedBranch](s.read(ctx).Where("project_id = ?", projectID).Order("name"), 0)
	return rows, translate(err)
}

// Tags returns the rules for the tags of a project, in the order of their names.
func (s Protections) Tags(ctx context.Context, projectID int64) ([]model.ProtectedTag, error) {
	rows, err := find[model.ProtectedTag](s.read(ctx).Where("project_id = ?", projectID).Order("name"), 0)
	return rows, translate(err)
}

// ProtectBranch adds a rule; a *ConflictError when there is one of that name.
func (s Protections) ProtectBranch(ctx context.Context, b *model.ProtectedBranch) error {
	return translate(s.write(ctx).Create(b).Error)
}

// Matches tells whether a rule's name, in which * stands for anything, is that of a branch or tag.
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
