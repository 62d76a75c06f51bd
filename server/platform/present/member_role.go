package present

import (
	"slices"

	"svc/gen"
	"svc/store/model"
)

// MemberRole presents a custom role.
func MemberRole(r model.MemberRole) gen.MemberRole {
	grants := r.Grants()
	has := func(name string) bool { return slices.Contains(grants, name) }
	return gen.MemberRole{
		ID: r.ID, Name: r.Name, Description: r.Description, GroupID: r.GroupID, BaseAccessLevel: int64(r.BaseAccessLevel),
		AdminCicdVariables:         has("admin_cicd_variables"),
		AdminGroupMember:           has("admin_group_member"),
		AdminIntegrations:          has("admin_integrations"),
		AdminProtectedEnvironments: has("admin_protected_environments"),
		AdminWebHook:               has("admin_web_hook"),
		ArchiveProject:             has("archive_project"),
		ManageMergeRequestSettings: has("manage_merge_request_settings"),
		ReadCode:                   has("read_code"),
		RemoveGroup:                has("remove_group"),
		RemoveProject:              has("remove_project"),
	}
}
