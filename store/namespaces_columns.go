package store

import "svc/store/model"

// namespaceColumns and namespaceFields belong together: the columns of a query on namespaces, and the fields that they are
// scanned into.
const namespaceColumns = "id, kind, name, path, parent_id, full_path, full_name, description, visibility, share_with_group_lock, " +
	"require_two_factor_authentication, two_factor_grace_period, two_factor_required_at, " +
	"project_creation_level, subgroup_creation_level, auto_devops_enabled, mentions_disabled, " +
	"emails_disabled, lfs_enabled, default_branch_protection, request_access_enabled, shared_runners_setting, " +
	"prevent_sharing_outside_hierarchy, maven_duplicates_allowed, maven_duplicate_exception_regex, " +
	"generic_duplicates_allowed, generic_duplicate_exception_regex, avatar, marked_for_deletion_at, " +
	"created_at, updated_at"

func namespaceFields(n *model.Namespace) []any {
	return []any{
		&n.ID, &n.Kind, &n.Name, &n.Path, &n.ParentID, &n.FullPath, &n.FullName, &n.Description, &n.Visibility,
		&n.ShareWithGroupLock, &n.RequireTwoFactorAuthentication, &n.TwoFactorGracePeriod, &n.TwoFactorRequiredAt,
		&n.ProjectCreationLevel, &n.SubgroupCreationLevel, &n.AutoDevopsEnabled, &n.MentionsDisabled, &n.EmailsDisabled,
		&n.LfsEnabled, &n.DefaultBranchProtection, &n.RequestAccessEnabled, &n.SharedRunnersSetting,
		&n.PreventSharingOutsideHierarchy, &n.MavenDuplicatesAllowed, &n.MavenDuplicateExceptionRegex,
		&n.GenericDuplicatesAllowed, &n.GenericDuplicateExceptionRegex, &n.Avatar, &n.MarkedForDeletionAt, &n.CreatedAt,
		&n.UpdatedAt,
	}
}
