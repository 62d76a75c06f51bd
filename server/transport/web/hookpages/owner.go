package hookpages

import (
	"strconv"
	"strings"

	"svc/server/domain/webhook"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/transport/web/page"
	"svc/store/model"
)

const (
	hooksPath      = "hooks"
	adminHooksPath = "/admin/hooks"
)

// owner is the project or group whose hooks a page shows, or the instance with its system hooks.
type owner struct {
	webhook.Owner
	id     int64  // of the project or group; 0 for the instance
	path   string // of the list
	group  bool
	system bool
	intro  string
	sample webhook.Sample // for tests, without the kind of events
}

func ofProject(v *page.Visit) owner {
	return owner{
		Owner: webhook.OfProject(v.Project.Project), id: v.Project.Project.ID, path: "/" + v.Project.Project.FullPath + "/-/" + hooksPath,
		sample: webhook.Sample{Project: v.Project}, intro: "A webhook sends what happens in this project to another server.",
	}
}

func ofGroup(v *page.Visit) owner {
	return owner{
		Owner: webhook.OfGroup(v.Group.Namespace), id: v.Group.ID, path: "/groups/" + v.Group.FullPath + "/-/" + hooksPath, group: true,
		sample: webhook.Sample{Group: &v.Group.Namespace},
		intro:  "A webhook sends what happens in this group, its subgroups and their projects to another server.",
	}
}

func ofInstance() owner {
	return owner{
		Owner: webhook.OfInstance(), path: adminHooksPath, system: true,
		intro: "A system hook sends what happens in the whole service to another server: new users, projects, groups, keys and members " +
			"always, and the events that you choose.",
	}
}

// title returns the heading of the list.
func (o owner) title() string {
	if o.system {
		return "System hooks"
	}
	return "Webhooks"
}

// hookPath returns the path of the page of a hook.
func (o owner) hookPath(id int64) string { return o.path + "/" + strconv.FormatInt(id, 10) }

// kinds returns the kinds of events that hooks of the owner can have and that this service sends.
func (o owner) kinds() []events.HookKind {
	var all []events.HookKind
	for _, kind := range events.HookKinds {
		if kind.Sent && (o.system && kind.System || !o.system && kind.Project || kind.Group && o.group) {
			all = append(all, kind)
		}
	}
	return all
}

// kindTexts describes the events whose names say too little.
var kindTexts = map[string]string{ //nolint:gosec // names of events, no secrets
	"note_events": "Comments", "confidential_note_events": "Confidential comments", "emoji_events": "Emoji reactions",
	"resource_access_token_events": "Access tokens that expire soon", "resource_deploy_token_events": "Deploy tokens that expire soon",
	"confidential_issues_events": "Confidential issues",
}

// kindText returns the name of a kind of events for people.
func kindText(flag string) string {
	if text := kindTexts[flag]; text != "" {
		return text
	}
	text := strings.ReplaceAll(strings.TrimSuffix(flag, "_events"), "_", " ")
	return strings.ToUpper(text[:1]) + text[1:]
}

// find returns the hook of the address.
func (p *Pages) find(v *page.Visit, o owner) (model.Hook, error) {
	id, err := v.Number("id")
	if err != nil {
		return model.Hook{}, err
	}
	found, err := p.Store.Hooks.Get(v.Request().Context(), o.HookOwner, id)
	return found, apierr.OrNotFound(err, "")
}

// show shows a page about hooks, among the settings or in the administration, which has a side navigation instead of breadcrumbs.
func (p *Pages) show(v *page.Visit, o owner, view page.View) error {
	view.Templates = p.templates
	if o.system {
		return v.Show(view)
	}
	view.Tab, view.Nav = page.TabSettings, v.SettingsNav(hooksPath)
	if view.Name != "hooks" {
		view.Crumbs = append([]page.Link{{Path: o.path, Label: o.title()}}, view.Crumbs...)
	}
	return v.Show(view)
}
