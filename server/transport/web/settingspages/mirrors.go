package settingspages

import (
	"strconv"
	"strings"

	"svc/openapi/wire"
	"svc/server/domain/repository/remote"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// mirrorsView is the content of the page of mirrors.
type mirrorsView struct {
	Change bool // the caller may change the mirrors
	Push   []pushLine
	Add    page.Form
	Pull   *pullView // nil if the project pulls from no repository
	Edit   string    // the address of the form for the repository that the project pulls from
}

// pushLine is a repository that the project pushes to.
type pushLine struct {
	model.RemoteMirror
	Branches, State      string
	Sync, Switch, Remove page.Button
}

// pullView is the repository that the project pulls from.
type pullView struct {
	model.PullMirror
	Branches, State string
	Start           page.Button
}

// mirrorStates are the states of an update, for people.
var mirrorStates = map[string]string{
	model.MirrorNone: "not updated yet", model.MirrorToRetry: "failed, will be tried again", model.MirrorStarted: "is being updated",
	model.MirrorFinished: "up to date", model.MirrorFailed: "failed",
}

// branchesText says which branches a mirror has.
func branchesText(protected bool, regex *string) string {
	switch {
	case wire.Value(regex) != "":
		return "branches that fit " + *regex
	case protected:
		return "protected branches"
	}
	return "all branches"
}

// stateText returns the state of a mirror, for people.
func stateText(enabled bool, status string) string {
	if !enabled {
		return "switched off"
	}
	return mirrorStates[status]
}

// mirrors shows the repositories that a project pushes to, and the one that it pulls from.
// GET /{project}/-/settings/mirrors
func (p *Pages) mirrors(v *page.Visit) error { return p.showMirrors(v, nil) }

func (p *Pages) showMirrors(v *page.Visit, refused error) error {
	ctx, base := v.Request().Context(), at(v, mirrors)
	view := mirrorsView{Change: v.May(access.AdminMirror), Add: mirrorForm(base), Edit: at(v, pullMirror)}
	rows, _, err := p.Store.RemoteMirrors.List(ctx, v.Project.Project.ID, store.Page{Limit: mostRows})
	if err != nil {
		return err
	}
	for _, m := range rows {
		one, other := base+"/"+strconv.FormatInt(m.ID, 10), "Switch on"
		if m.Enabled {
			other = "Switch off"
		}
		view.Push = append(view.Push, pushLine{
			RemoteMirror: m, Branches: branchesText(m.OnlyProtectedBranches, m.MirrorBranchRegex),
			State:  stateText(m.Enabled, m.UpdateStatus),
			Sync:   page.Button{Action: one + "/sync", Label: "Update now", Class: "quiet"},
			Switch: page.Button{Action: one + "/switch", Label: other, Class: "quiet"},
			Remove: page.Button{Action: one + "/remove", Label: "Remove", Class: "danger"},
		})
	}
	pull, err := p.Store.PullMirrors.Of(ctx, v.Project.Project.ID)
	if err != nil && !store.IsNotFound(err) {
		return err
	}
	if err == nil {
		view.Pull = &pullView{
			PullMirror: pull, Branches: branchesText(pull.OnlyMirrorProtectedBranches, pull.MirrorBranchRegex),
			State: stateText(pull.Enabled, pull.UpdateStatus),
			Start: page.Button{Action: view.Edit + "/start", Label: "Pull now", Class: "quiet"},
		}
	}
	return p.show(v, mirrors, "mirrors", "Mirrors", &view, refused, &view.Add)
}

// addressHint is the hint of the field with the address of a repository.
const addressHint = "Such as https://git.example.com/acme/web.git. It is stored encrypted, and shown without user and password."

// mirrorForm is the form that adds a repository to push to.
func mirrorForm(action string) page.Form {
	return page.Form{Action: action, Submit: "Add mirror", Fields: []page.Field{
		{Name: "url", Label: "Address", Type: "text", Required: true, Mode: "url", Autocomplete: "off", Hint: addressHint},
		{Name: "user", Label: "User", Type: "text", Autocomplete: "off"},
		{Name: "password", Label: "Password or token", Type: "password", Autocomplete: "new-password"},
		{Name: "only_protected_branches", Label: "Only protected branches", Type: "checkbox"},
		{
			Name: "mirror_branch_regex", Label: "Only branches that fit", Type: "text", Autocomplete: "off",
			Hint: "A regular expression, such as ^release/. Empty for all branches.",
		},
		{
			Name: "keep_divergent_refs", Label: "Keep branches and tags that are different there", Type: "checkbox",
			Hint: "Otherwise they are overwritten, and those that this project does not have are deleted.",
		},
	}}
}

// addMirror adds a repository to push to, and pushes to it.
// POST /{project}/-/settings/mirrors
func (p *Pages) addMirror(v *page.Visit) error {
	enabled, protected, keep := true, v.Value("only_protected_branches") != "", v.Value("keep_divergent_refs") != ""
	to, err := remote.WithCredentials(v.Value("url"), v.Value("user"), v.Value("password"))
	if err == nil {
		_, err = p.Remotes.CreateMirror(v.Request().Context(), v.Project.Project, to, remote.MirrorChange{
			Enabled: &enabled, OnlyProtected: &protected, KeepDivergent: &keep, Regex: filled(v, "mirror_branch_regex"),
		})
	}
	if err != nil {
		return p.showMirrors(v, err)
	}
	return v.Done(at(v, mirrors), "The mirror was added, and is being updated.")
}

// filled returns a field of a form; the empty text removes what was there.
func filled(v *page.Visit, name string) wire.Optional[string] {
	given := strings.TrimSpace(v.Value(name))
	if given == "" {
		return wire.Maybe[string](nil)
	}
	return wire.Maybe(&given)
}

// findMirror returns the mirror of the address.
func (p *Pages) findMirror(v *page.Visit) (model.RemoteMirror, error) {
	id, err := v.Number("id")
	if err != nil {
		return model.RemoteMirror{}, err
	}
	found, err := p.Store.RemoteMirrors.Get(v.Request().Context(), v.Project.Project.ID, id)
	return found, apierr.OrNotFound(err, "")
}

// syncMirror pushes to a repository now.
// POST /{project}/-/settings/mirrors/{id}/sync
func (p *Pages) syncMirror(v *page.Visit) error {
	found, err := p.findMirror(v)
	if err != nil {
		return err
	}
	if err := p.Remotes.SyncMirror(v.Request().Context(), v.Project.Project, found); err != nil {
		return err
	}
	return v.Done(at(v, mirrors), "The mirror is being updated.")
}

// switchMirror switches a mirror on or off.
// POST /{project}/-/settings/mirrors/{id}/switch
func (p *Pages) switchMirror(v *page.Visit) error {
	found, err := p.findMirror(v)
	if err != nil {
		return err
	}
	on, text := !found.Enabled, "The mirror was switched off."
	if on {
		text = "The mirror was switched on, and is being updated."
	}
	if _, err := p.Remotes.UpdateMirror(v.Request().Context(), v.Project.Project, found, remote.MirrorChange{Enabled: &on}); err != nil {
		return err
	}
	return v.Done(at(v, mirrors), text)
}

// removeMirror removes a mirror.
// POST /{project}/-/settings/mirrors/{id}/remove
func (p *Pages) removeMirror(v *page.Visit) error {
	found, err := p.findMirror(v)
	if err != nil {
		return err
	}
	if err := p.Remotes.DeleteMirror(v.Request().Context(), v.Project.Project, found, nil); err != nil {
		return err
	}
	return v.Done(at(v, mirrors), "The mirror was removed. The other repository stays as it is.")
}
