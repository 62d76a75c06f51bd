package memberpages

import (
	"svc/server/domain/group"
	"svc/server/domain/project"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// shareForm is the form that shares a project or group with a group.
func shareForm(in source) page.Form {
	return page.Form{Action: in.Base + "/share", Submit: "Share", Fields: []page.Field{
		{
			Name: "group", Label: "Group", Type: "text", Required: true, Hint: "The full path of the group, such as tools/saws",
			Autocomplete: "off",
		},
		page.RoleField("group_access", "Highest role of its members here", model.Developer, in.Role),
		{Name: "share_until", Label: "Shared until", Type: "date", Hint: "Leave empty for a share that does not end"},
	}}
}

// share gives the members of a group a role.
// POST …_members/share
func (p *Pages) share(v *page.Visit) error {
	in := sourceOf(v)
	if err := p.shareWith(v, in); err != nil {
		return p.show(v, err)
	}
	return v.Done(in.Base, "The "+in.Noun+" was shared.")
}

func (p *Pages) shareWith(v *page.Visit, in source) error {
	ctx := v.Request().Context()
	role, err := v.Role("group_access")
	if err != nil {
		return err
	}
	until, err := v.Day("share_until")
	if err != nil {
		return err
	}
	other, _, err := p.Access.GroupAt(ctx, v.Value("group"), access.ReadGroup)
	if page.IsRefusal(err) {
		return page.Broken(map[string][]string{"group": {"was not found"}})
	}
	if err != nil {
		return err
	}
	if in.Project != nil {
		_, err = p.Projects.Share(ctx, *v.Project, project.NewShare{GroupID: other.ID, AccessLevel: role, ExpiresAt: until})
	} else {
		err = p.Groups.Share(ctx, v.Group.Namespace, group.NewShare{GroupID: other.ID, AccessLevel: role, ExpiresAt: until})
	}
	return err
}

// unshare ends the sharing with a group.
// POST …_members/share/{group_id}/remove
func (p *Pages) unshare(v *page.Visit) error {
	in, ctx := sourceOf(v), v.Request().Context()
	id, err := v.Number("group_id")
	if err != nil {
		return err
	}
	if in.Project != nil {
		err = p.Projects.Unshare(ctx, *v.Project, id, nil)
	} else {
		err = p.Groups.Unshare(ctx, v.Group.Namespace, id, nil)
	}
	if err != nil {
		return apierr.OrNotFound(err)
	}
	return v.Done(in.Base, "The sharing was ended.")
}
