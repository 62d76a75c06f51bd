package settingspages

import (
	"svc/server/domain/group"
	"svc/server/platform/naming"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// groupRules are the rules of a group that are one column each.
var groupRules = []setting{
	{column: "project_creation_level", label: "May make projects", options: []page.Option{
		{Value: "noone", Label: "Nobody"},
		{Value: "maintainer", Label: "Maintainers"},
		{Value: "developer", Label: "Developers and maintainers"},
	}},
	{column: "subgroup_creation_level", label: "May make subgroups", options: []page.Option{
		{Value: "owner", Label: "Owners"},
		{Value: "maintainer", Label: "Owners and maintainers"},
	}},
	{column: "request_access_enabled", label: "People may request access"},
	{column: "share_with_group_lock", label: "Projects here cannot be shared with other groups"},
	{column: "prevent_sharing_outside_hierarchy", label: "Nothing here can be shared with groups outside of this group"},
	{column: "require_two_factor_authentication", label: "Members must use two-factor authentication"},
	{column: "lfs_enabled", label: "Large files (LFS)"},
	{column: "emails_disabled", label: "Send no mail about this group"},
}

// rulesNow returns the present values of the rules.
func rulesNow(g model.Namespace) map[string]string {
	return map[string]string{
		"project_creation_level":            g.ProjectCreationLevel,
		"subgroup_creation_level":           g.SubgroupCreationLevel,
		"request_access_enabled":            checked(g.RequestAccessEnabled),
		"share_with_group_lock":             checked(g.ShareWithGroupLock),
		"prevent_sharing_outside_hierarchy": checked(g.PreventSharingOutsideHierarchy),
		"require_two_factor_authentication": checked(g.RequireTwoFactorAuthentication),
		"lfs_enabled":                       checked(g.LfsEnabled),
		"emails_disabled":                   checked(g.EmailsDisabled),
	}
}

// group shows the general settings of a group.
// GET /groups/{group}/-/edit
func (p *Pages) group(v *page.Visit) error { return p.showGroup(v, nil) }

func (p *Pages) showGroup(v *page.Visit, refused error) error {
	g := v.Group.Namespace
	view := generalView{
		Noun: "group", Change: true, Avatar: naming.AvatarURL("", "group", g.ID, g.Avatar), Picture: pictureForm(v),
		Remove: at(v, general+"/avatar"),
		Form: page.Form{Action: at(v, general), Submit: "Save", Fields: append([]page.Field{
			{Name: "name", Label: "Name", Type: "text", Value: g.Name, Required: true},
			{Name: "description", Label: "Description", Type: "textarea", Value: g.Description, Rows: 3},
			page.VisibilityField(g.Visibility),
		}, fields(groupRules, rulesNow(g))...)},
	}
	return p.show(v, general, "general", "Settings", &view, refused, &view.Form, &view.Picture)
}

// changeGroup changes the name, description, visibility and rules of a group.
// POST /groups/{group}/-/edit
func (p *Pages) changeGroup(v *page.Visit) error {
	name, description := v.Value("name"), v.Text("description")
	visibility, err := v.Visibility()
	if err != nil {
		return p.showGroup(v, err)
	}
	set, err := columns(v, groupRules)
	if err == nil {
		err = p.Groups.Apply(v.Request().Context(), v.Group.Namespace, group.Change{
			Name: &name, Description: &description, Visibility: &visibility, Settings: set,
		})
	}
	if err != nil {
		return p.showGroup(v, err)
	}
	return v.Done(at(v, general), "The group was saved.")
}
