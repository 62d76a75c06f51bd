package groups

import (
	"context"

	"svc/gen"
	"svc/server/domain/group"
	"svc/server/platform/access"
)

// UpdateGroup changes the given fields of a group.
// PUT /groups/{id}
func (g *Groups) UpdateGroup(
	ctx context.Context, req gen.UpdateGroupRequestObject,
) (gen.UpdateGroupResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.AdminGroup)
	if err != nil {
		return nil, err
	}
	if req.Body != nil {
		if err := g.groups.Apply(ctx, row, changeFrom(*req.Body)); err != nil {
			return nil, err
		}
	}
	shown, err := g.reload(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroup200JSONResponse(shown), nil
}

func changeFrom(b gen.GroupUpdate) group.Change {
	set := map[string]any{}
	setIfGiven(set, "share_with_group_lock", b.ShareWithGroupLock)
	setIfGiven(set, "require_two_factor_authentication", b.RequireTwoFactorAuthentication)
	setIfGiven(set, "two_factor_grace_period", b.TwoFactorGracePeriod)
	setIfGiven(set, "project_creation_level", b.ProjectCreationLevel)
	setIfGiven(set, "subgroup_creation_level", b.SubgroupCreationLevel)
	setIfGiven(set, "auto_devops_enabled", b.AutoDevopsEnabled)
	setIfGiven(set, "emails_disabled", b.EmailsDisabled)
	setIfGiven(set, "mentions_disabled", b.MentionsDisabled)
	setIfGiven(set, "lfs_enabled", b.LfsEnabled)
	setIfGiven(set, "default_branch_protection", b.DefaultBranchProtection)
	setIfGiven(set, "request_access_enabled", b.RequestAccessEnabled)
	setIfGiven(set, "shared_runners_setting", b.SharedRunnersSetting)
	setIfGiven(set, "prevent_sharing_outside_hierarchy", b.PreventSharingGroupsOutsideHierarchy)
	setIfGiven(set, "maven_duplicates_allowed", b.MavenDuplicatesAllowed)
	setIfGiven(set, "generic_duplicates_allowed", b.GenericDuplicatesAllowed)
	return group.Change{
		Name: b.Name, Path: b.Path, Description: b.Description, Visibility: visibilityFrom(b.Visibility), Avatar: b.Avatar,
		Settings: set, Expressions: map[string]*string{
			"maven_duplicate_exception_regex":   b.MavenDuplicateExceptionRegex,
			"generic_duplicate_exception_regex": b.GenericDuplicateExceptionRegex,
		},
	}
}

func setIfGiven[T any](set map[string]any, column string, value *T) {
	if value != nil {
		set[column] = *value
	}
}
