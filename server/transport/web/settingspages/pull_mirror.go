package settingspages

import (
	"strings"

	"svc/server/domain/repository/remote"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// pullFormView is the content of the page that sets the repository that a project pulls from.
type pullFormView struct{ Form page.Form }

// editPull shows the form for the repository that a project pulls from.
// GET /{project}/-/settings/mirrors/pull
func (p *Pages) editPull(v *page.Visit) error { return p.showPull(v, nil) }

func (p *Pages) showPull(v *page.Visit, refused error) error {
	now, err := p.Store.PullMirrors.Of(v.Request().Context(), v.Project.Project.ID)
	if err != nil && !store.IsNotFound(err) {
		return err
	}
	view := pullFormView{pullForm(at(v, pullMirror), now)}
	return p.show(v, mirrors, "pull_mirror", "Pull from a repository", &view, refused, &view.Form)
}

// pullForm is the form for the repository that a project pulls from; now is the present one, or empty.
func pullForm(action string, now model.PullMirror) page.Form {
	address := page.Field{
		Name: "url", Label: "Address", Type: "text", Required: now.ID == 0, Mode: "url", Autocomplete: "off", Hint: addressHint,
	}
	password := page.Field{Name: "password", Label: "Password or token", Type: "password", Autocomplete: "new-password"}
	if now.ID != 0 {
		address.Hint = "Leave this empty to keep " + now.URL
		password.Hint = "Leave this empty to keep the present one."
	}
	var regex string
	if now.MirrorBranchRegex != nil {
		regex = *now.MirrorBranchRegex
	}
	return page.Form{Action: action, Submit: "Save", Fields: []page.Field{
		{Name: "enabled", Label: "Pull every 30 minutes", Type: "checkbox", Checked: now.Enabled || now.ID == 0},
		address,
		{Name: "user", Label: "User", Type: "text", Autocomplete: "off"},
		password,
		{
			Name: "only_mirror_protected_branches", Label: "Only branches that are protected here", Type: "checkbox",
			Checked: now.OnlyMirrorProtectedBranches,
		},
		{
			Name: "mirror_branch_regex", Label: "Only branches that fit", Type: "text", Value: regex, Autocomplete: "off",
			Hint: "A regular expression, such as ^release/. Empty for all branches.",
		},
		{
			Name: "mirror_overwrites_diverged_branches", Label: "Overwrite branches that have other commits here", Type: "checkbox",
			Checked: now.MirrorOverwritesDivergedBranches,
		},
		{Name: "mirror_trigger_builds", Label: "Run pipelines for pulled commits", Type: "checkbox", Checked: now.MirrorTriggerBuilds},
	}}
}

// setPull sets the repository that a project pulls from.
// POST /{project}/-/settings/mirrors/pull
func (p *Pages) setPull(v *page.Visit) error {
	box := func(name string) *bool {
		on := v.Value(name) != ""
		return &on
	}
	text := func(name string) *string {
		if given := strings.TrimSpace(v.Value(name)); given != "" {
			return &given
		}
		return nil
	}
	_, err := p.Remotes.SetPull(v.Request().Context(), v.Project.Project, remote.PullChange{
		URL: text("url"), User: text("user"), Password: text("password"), Enabled: box("enabled"),
		TriggerBuilds: box("mirror_trigger_builds"), OnlyProtected: box("only_mirror_protected_branches"),
		Overwrites: box("mirror_overwrites_diverged_branches"), Regex: filled(v, "mirror_branch_regex"),
	})
	if err != nil {
		return p.showPull(v, err)
	}
	return v.Done(at(v, mirrors), "The mirror was saved.")
}

// startPull pulls now.
// POST /{project}/-/settings/mirrors/pull/start
func (p *Pages) startPull(v *page.Visit) error {
	if _, err := p.Remotes.StartPull(v.Request().Context(), v.Project.Project); err != nil {
		return err
	}
	return v.Done(at(v, mirrors), "The project is being updated.")
}
