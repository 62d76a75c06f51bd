package flagpages

import (
	"strconv"

	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// flagsView is the content of the list of flags.
type flagsView struct {
	Parts  []page.Link
	Flags  []flagView
	Pager  page.Pager
	New    string // the address of the form; empty if the caller may not create flags
	Client *clientView
	Reset  *page.Button
}

// flagView is a flag in the list.
type flagView struct {
	model.FeatureFlagRow
	Strategies []strategyView
	Edit       string // the address of the form; empty if the caller may not change flags
	Switch     page.Button
}

// clientView is what programs need.
type clientView struct{ URL, InstanceID string }

// flags lists the flags of a project, and shows what programs need to read them.
// GET /{project}/-/feature_flags
func (p *Pages) flags(v *page.Visit) error {
	ctx, project := v.Request().Context(), v.Project.Project
	view := flagsView{Parts: parts(v, flagsPattern), Pager: v.Pager()}
	rows, total, err := p.Store.FeatureFlags.List(ctx, project.ID, nil, view.Pager.Page)
	if err != nil {
		return err
	}
	view.Pager = view.Pager.Of(total.More)
	mayChange := v.May(access.AdminFeatureFlag)
	if mayChange {
		view.New = address(v, flagsPattern) + "/new"
	}
	for _, row := range rows {
		shown := flagView{FeatureFlagRow: row, Strategies: strategiesOf(row), Switch: switchButton(v, row.FeatureFlag)}
		if mayChange {
			shown.Edit = flagAddress(v, row.Name) + "/edit"
		}
		view.Flags = append(view.Flags, shown)
	}
	if v.May(access.AdminFlagsClient) {
		view.Reset = &page.Button{Action: address(v, clientPattern) + "/reset_token", Label: "Create an instance ID", Class: "quiet"}
	}
	if view.Client, err = p.client(v); err != nil {
		return err
	}
	if view.Client != nil && view.Reset != nil {
		view.Reset.Label, view.Reset.Class = "Replace the instance ID", "danger"
		view.Reset.Confirm = "Programs with the present ID no longer see changes of flags"
	}
	return v.Show(page.View{Templates: p.templates, Name: "flags", Title: "Feature flags", Tab: page.TabFlags, Data: view})
}

// client returns what programs need, or nil if there is no instance ID or the caller may not see it.
func (p *Pages) client(v *page.Visit) (*clientView, error) {
	if !v.May(access.ReadFlagsClient) {
		return nil, nil
	}
	client, err := p.Flags.Client(v.Request().Context(), v.Project.Project.ID)
	if page.IsMissing(err) {
		return nil, nil
	}
	return &clientView{
		URL:        p.URL + "/api/v4/feature_flags/unleash/" + strconv.FormatInt(v.Project.Project.ID, 10),
		InstanceID: client.InstanceID,
	}, err
}

// switchButton is the button that switches a flag.
func switchButton(v *page.Visit, f model.FeatureFlag) page.Button {
	b := page.Button{Action: flagAddress(v, f.Name) + "/state", Label: "Switch on", Hidden: []page.Field{{Name: "active", Value: "1"}}}
	if f.Active {
		b.Label, b.Class, b.Hidden[0].Value = "Switch off", "quiet", ""
	}
	return b
}

// resetClient gives the project a new instance ID.
// POST /{project}/-/feature_flags_client/reset_token
func (p *Pages) resetClient(v *page.Visit) error {
	if _, err := p.Flags.ResetClient(v.Request().Context(), v.Project.Project); err != nil {
		return err
	}
	return v.Done(address(v, flagsPattern), "The project has a new instance ID.")
}
