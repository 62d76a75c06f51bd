package members

import (
	"svc/gen"
	"svc/openapi/wire"
)

// permissionsOf returns the permissions that a request sets, and those that it sets although they are not supported.
func permissionsOf(b gen.MemberRoleCreate) (wanted, refused []string) {
	for name, given := range map[string]*bool{
		"admin_cicd_variables":          b.AdminCicdVariables,
		"admin_group_member":            b.AdminGroupMember,
		"admin_integrations":            b.AdminIntegrations,
		"admin_protected_environments":  b.AdminProtectedEnvironments,
		"admin_web_hook":                b.AdminWebHook,
		"archive_project":               b.ArchiveProject,
		"manage_merge_request_settings": b.ManageMergeRequestSettings,
		"read_code":                     b.ReadCode,
		"remove_group":                  b.RemoveGroup,
		"remove_project":                b.RemoveProject,
	} {
		if wire.Value(given) {
			wanted = append(wanted, name)
		}
	}
	for name, given := range map[string]*bool{
		"admin_compliance_framework":   b.AdminComplianceFramework,
		"admin_merge_request":          b.AdminMergeRequest,
		"admin_protected_branch":       b.AdminProtectedBranch,
		"admin_push_rules":             b.AdminPushRules,
		"admin_runners":                b.AdminRunners,
		"admin_security_labels":        b.AdminSecurityLabels,
		"admin_terraform_state":        b.AdminTerraformState,
		"admin_vulnerability":          b.AdminVulnerability,
		"manage_deploy_tokens":         b.ManageDeployTokens,
		"manage_group_access_tokens":   b.ManageGroupAccessTokens,
		"manage_project_access_tokens": b.ManageProjectAccessTokens,
		"manage_security_policy_link":  b.ManageSecurityPolicyLink,
		"read_admin_cicd":              b.ReadAdminCicd,
		"read_crm_contact":             b.ReadCrmContact,
		"read_dependency":              b.ReadDependency,
		"read_runners":                 b.ReadRunners,
		"read_vulnerability":           b.ReadVulnerability,
	} {
		if wire.Value(given) {
			refused = append(refused, name)
		}
	}
	return wanted, refused
}
