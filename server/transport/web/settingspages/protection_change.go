package settingspages

import (
	"slices"
	"strconv"

	"svc/server/domain/repository/protection"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// protectedBranch is the rule that a page changes, with the deploy keys that may push, and those that could.
type protectedBranch struct {
	branchRule
	could []model.DeployKeyRow
}

// findProtectedBranch returns the rule of the address.
func (p *Pages) findProtectedBranch(v *page.Visit) (protectedBranch, error) {
	ctx, id := v.Request().Context(), v.Project.Project.ID
	rule, err := p.Store.Protections.Branch(ctx, id, v.Param("*"))
	if err != nil {
		return protectedBranch{}, apierr.OrNotFound(err)
	}
	keys, err := p.Store.Protections.DeployKeys(ctx, []int64{rule.ID})
	if err != nil {
		return protectedBranch{}, err
	}
	found := protectedBranch{branchRule: branchRule{ProtectedBranch: rule, Keys: keys[rule.ID]}}
	all, _, err := p.Store.DeployKeys.ListByProject(ctx, id, store.Page{Limit: mostRows})
	for _, key := range all {
		if key.CanPush {
			found.could = append(found.could, key)
		}
	}
	return found, err
}

// rowOf returns the row that lets a deploy key push; nil if it may not.
func (b protectedBranch) rowOf(keyID int64) *model.ProtectedBranchDeployKey {
	for i := range b.Keys {
		if b.Keys[i].Key.DeployKeyID == keyID {
			return &b.Keys[i].Key
		}
	}
	return nil
}

// form is the form that changes the rule.
func (b protectedBranch) form(v *page.Visit) page.Form {
	form := page.Form{
		Action: at(v, repository+"/protected_branches/edit/"+page.EscapePath(b.Name)), Submit: "Save", Fields: []page.Field{
			chosenProtector(protectorField("push", "May push"), b.PushAccessLevel),
			chosenProtector(protectorField("merge", "May merge"), b.MergeAccessLevel),
			{Name: "force", Label: "Those who may push may also force-push", Type: "checkbox", Checked: b.AllowForcePush},
		},
	}
	if len(b.could) == 0 {
		return form
	}
	keys := page.Field{Name: "keys", Label: "Deploy keys that may push", Type: "checkboxes"}
	for _, key := range b.could {
		keys.Options = append(keys.Options, page.Option{
			Value: strconv.FormatInt(key.DeployKey.ID, 10), Label: key.DeployKey.Title, Chosen: b.rowOf(key.DeployKey.ID) != nil,
		})
	}
	form.Fields = append(form.Fields, keys)
	return form
}

// chosenProtector returns a choice with a role chosen. A role that the choice does not have, which only the API sets, is added.
func chosenProtector(f page.Field, now model.Access) page.Field {
	value := strconv.FormatInt(int64(now), 10)
	if !slices.ContainsFunc(f.Options, func(o page.Option) bool { return o.Value == value }) {
		f.Options = append(f.Options, page.Option{Value: value, Label: whoMay(now)})
	}
	for i := range f.Options {
		f.Options[i].Chosen = f.Options[i].Value == value
	}
	return f
}

// editProtectedBranch shows the form that changes a rule.
// GET /{project}/-/settings/repository/protected_branches/edit/{name}
func (p *Pages) editProtectedBranch(v *page.Visit) error {
	rule, err := p.findProtectedBranch(v)
	if err != nil {
		return err
	}
	return p.showProtectedBranch(v, rule, nil)
}

func (p *Pages) showProtectedBranch(v *page.Visit, rule protectedBranch, refused error) error {
	form := rule.form(v)
	status, err := v.Fill(refused, &form)
	if err != nil {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "form_page", Status: status, Title: "Protected branch " + rule.Name, Tab: page.TabSettings,
		Crumbs: []page.Link{{Path: at(v, repository), Label: "Repository"}}, Nav: v.SettingsNav(repository),
		Data: page.FormPage{Form: form},
	})
}

// changeProtectedBranch changes a rule.
// POST /{project}/-/settings/repository/protected_branches/edit/{name}
func (p *Pages) changeProtectedBranch(v *page.Visit) error {
	rule, err := p.findProtectedBranch(v)
	if err != nil {
		return err
	}
	change, err := rule.read(v)
	if err == nil {
		_, err = p.Protections.ChangeBranch(v.Request().Context(), *v.Project, rule.ProtectedBranch, change)
	}
	if err != nil {
		return p.showProtectedBranch(v, rule, err)
	}
	return v.Done(at(v, repository), "The protection was changed.")
}

// read reads the form that changes the rule. A role that stays as it is need not be one that forms offer.
func (b protectedBranch) read(v *page.Visit) (protection.BranchChange, error) {
	force := v.Value("force") != ""
	change := protection.BranchChange{ForcePush: &force}
	for _, f := range []struct {
		name string
		now  model.Access
		to   **model.Access
	}{{"push", b.PushAccessLevel, &change.Push}, {"merge", b.MergeAccessLevel, &change.Merge}} {
		if v.Value(f.name) == strconv.FormatInt(int64(f.now), 10) {
			continue
		}
		role, err := protectorOf(v, f.name)
		if err != nil {
			return change, err
		}
		*f.to = &role
	}
	for _, key := range b.could {
		wanted := slices.Contains(v.Values("keys"), strconv.FormatInt(key.DeployKey.ID, 10))
		switch row := b.rowOf(key.DeployKey.ID); {
		case wanted && row == nil:
			change.AllowKeys = append(change.AllowKeys, key.DeployKey.ID)
		case !wanted && row != nil:
			change.ForbidKeys = append(change.ForbidKeys, row.ID)
		}
	}
	return change, nil
}
