package access

import (
	"context"
	"maps"
	"slices"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// permissions lists what each permission of a custom role allows, by place.
var permissions = map[string]map[Place][]Ability{
	"admin_cicd_variables": {Project: {ReadProjectVariable, AdminProjectVariable}, Group: {AdminGroupVariable}},
	"admin_group_member":   {Group: {AdminGroupMember}},
	"admin_integrations":   {Project: {AdminIntegration}, Group: {AdminGroupIntegration}},
	"admin_protected_environments": {
		Project: {ReadProtectedEnvironment, AdminProtectedEnvironment}, Group: {AdminGroupProtectedEnvironment},
	},
	"admin_web_hook":                {Project: {AdminHook}, Group: {AdminGroupHook}},
	"archive_project":               {Project: {ArchiveProject}},
	"manage_merge_request_settings": {Project: {AdminApprovalRule}},
	"read_code":                     {Project: {ReadCode}},
	"remove_group":                  {Group: {RemoveGroup}},
	"remove_project":                {Project: {RemoveProject}},
}

// Permissions returns the names of the permissions that custom roles can have, sorted.
func Permissions() []string { return slices.Sorted(maps.Keys(permissions)) }

// grants reports whether one of some custom roles allows an ability.
func grants(roles []model.MemberRole, place Place, ability Ability) bool {
	for _, role := range roles {
		for _, name := range role.Grants() {
			if slices.Contains(permissions[name][place], ability) {
				return true
			}
		}
	}
	return false
}

// grantable reports whether a permission of a custom role could allow an ability. It saves the query for all others.
func grantable(place Place, ability Ability) bool {
	for _, allowed := range permissions {
		if slices.Contains(allowed[place], ability) {
			return true
		}
	}
	return false
}

// grantedInProject returns nil if a custom role of the caller allows an ability in a project that their role refuses with err.
// Features that are disabled and archived projects stay refused.
func (a *Access) grantedInProject(ctx context.Context, row model.ProjectRow, ability Ability, err error) error {
	actor := reqctx.Of(ctx).Actor
	if actor == nil || row.Role() < model.Guest || !grantable(Project, ability) {
		return err
	}
	roles, failed := a.store.MemberRoles.HeldIn(ctx, row.Project.NamespaceID, row.Project.ID, actor.User.ID)
	if failed != nil {
		return failed
	}
	if !grants(roles, Project, ability) {
		return err
	}
	need, raised := Abilities[Project][ability], row
	raised.Inherited = max(raised.Inherited, model.Reporter)
	if !need.Feature.readable(raised) || row.Project.Archived && !need.Archived {
		return apierr.Forbidden()
	}
	return nil
}

// grantedInGroup is grantedInProject for a group.
func (a *Access) grantedInGroup(ctx context.Context, groupID int64, role model.Access, ability Ability, err error) error {
	actor := reqctx.Of(ctx).Actor
	if actor == nil || role < model.Minimal || !grantable(Group, ability) {
		return err
	}
	roles, failed := a.store.MemberRoles.HeldIn(ctx, groupID, 0, actor.User.ID)
	if failed != nil {
		return failed
	}
	if !grants(roles, Group, ability) {
		return err
	}
	return nil
}
