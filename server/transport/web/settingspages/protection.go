package settingspages

import (
	"strconv"

	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// branchRule is a protected branch with the deploy keys that may push.
type branchRule struct {
	model.ProtectedBranch
	Keys []model.ProtectedBranchKeyRow
}

// Push returns who may push.
func (r branchRule) Push() string { return whoMay(r.PushAccessLevel) }

// Merge returns who may merge.
func (r branchRule) Merge() string { return whoMay(r.MergeAccessLevel) }

// tagRule is a protected tag.
type tagRule struct{ model.ProtectedTag }

// Create returns who may create the tag.
func (r tagRule) Create() string { return whoMay(r.CreateAccessLevel) }

// protectors are the roles that a rule can allow something.
var protectors = []model.Access{model.Maintainer, model.Developer, model.NoAccess}

// whoMay returns the people with at least a role.
func whoMay(role model.Access) string {
	switch role {
	case model.NoAccess:
		return "Nobody"
	case model.Developer:
		return "Developers and maintainers"
	case model.Maintainer:
		return "Maintainers"
	}
	return "Administrators"
}

// protectorField lets a person choose the role that is allowed to do something.
func protectorField(name, label string) page.Field {
	f := page.Field{Name: name, Label: label, Type: "select"}
	for _, role := range protectors {
		f.Options = append(f.Options, page.Option{Value: strconv.FormatInt(int64(role), 10), Label: whoMay(role)})
	}
	return f
}

// branchForm is the form that protects a branch.
func branchForm(v *page.Visit) page.Form {
	return page.Form{Action: at(v, repository+"/protected_branches"), Submit: "Protect", Fields: []page.Field{
		{Name: "branch", Label: "Branch", Type: "text", Required: true, Hint: "A name, or a pattern such as release/*"},
		protectorField("push", "May push"),
		protectorField("merge", "May merge"),
		{Name: "force", Label: "Those who may push may also force-push", Type: "checkbox"},
	}}
}

// tagForm is the form that protects a tag.
func tagForm(v *page.Visit) page.Form {
	return page.Form{Action: at(v, repository+"/protected_tags"), Submit: "Protect", Fields: []page.Field{
		{Name: "tag", Label: "Tag", Type: "text", Required: true, Hint: "A name, or a pattern such as v*"},
		protectorField("create", "May create"),
	}}
}

// protectorOf reads the chosen role.
func protectorOf(v *page.Visit, name string) (model.Access, error) {
	for _, role := range protectors {
		if v.Value(name) == strconv.FormatInt(int64(role), 10) {
			return role, nil
		}
	}
	return model.NoAccess, page.Broken(map[string][]string{name: {"is not in the list"}})
}

// protectBranch protects a branch, or all branches that match a pattern.
// POST /{project}/-/settings/repository/protected_branches
func (p *Pages) protectBranch(v *page.Visit) error {
	rule := model.ProtectedBranch{Name: v.Value("branch"), UnprotectAccessLevel: model.Maintainer, AllowForcePush: v.Value("force") != ""}
	var err error
	if rule.PushAccessLevel, err = protectorOf(v, "push"); err == nil {
		rule.MergeAccessLevel, err = protectorOf(v, "merge")
	}
	if err == nil {
		_, err = p.Protections.ProtectBranch(v.Request().Context(), v.Project.Project, rule, nil)
	}
	if err != nil {
		return p.showRepository(v, err)
	}
	return v.Done(at(v, repository), "The branch is protected.")
}

// unprotectBranch removes the protection of a branch.
// POST /{project}/-/settings/repository/protected_branches/remove
func (p *Pages) unprotectBranch(v *page.Visit) error {
	ctx := v.Request().Context()
	rule, err := p.Store.Protections.Branch(ctx, v.Project.Project.ID, v.Value("name"))
	if err != nil {
		return apierr.OrNotFound(err)
	}
	if err := p.Protections.UnprotectBranch(ctx, *v.Project, rule, nil); err != nil {
		return err
	}
	return v.Done(at(v, repository), "The branch is not protected any more.")
}

// protectTag protects a tag, or all tags that match a pattern.
// POST /{project}/-/settings/repository/protected_tags
func (p *Pages) protectTag(v *page.Visit) error {
	create, err := protectorOf(v, "create")
	if err == nil {
		rule := model.ProtectedTag{Name: v.Value("tag"), CreateAccessLevel: create}
		_, err = p.Protections.ProtectTag(v.Request().Context(), v.Project.Project, rule)
	}
	if err != nil {
		return p.showRepository(v, err)
	}
	return v.Done(at(v, repository), "The tag is protected.")
}

// unprotectTag removes the protection of a tag.
// POST /{project}/-/settings/repository/protected_tags/remove
func (p *Pages) unprotectTag(v *page.Visit) error {
	ctx := v.Request().Context()
	rule, err := p.Store.Protections.Tag(ctx, v.Project.Project.ID, v.Value("name"))
	if err != nil {
		return apierr.OrNotFound(err)
	}
	if err := p.Protections.UnprotectTag(ctx, v.Project.Project, rule, nil); err != nil {
		return err
	}
	return v.Done(at(v, repository), "The tag is not protected any more.")
}
