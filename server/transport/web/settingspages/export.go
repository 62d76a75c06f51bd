package settingspages

import (
	"fmt"
	"time"

	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// exportView is what the page shows of the export of a project or group.
type exportView struct {
	Texts    []string // what the file has, and what it does not have
	State    string   // how far it is; empty if there is no export, or if it is finished
	Reason   string   // why it could not be written
	Download string   // the address of the archive; empty if there is none
	Until    time.Time
	Import   string // the address of the page of the import; empty if the project or group was not imported
	Button   page.Button
}

// newExportView returns what the page shows without an export. The texts say what the file has.
func newExportView(v *page.Visit, noun string, texts ...string) *exportView {
	return &exportView{
		Texts: texts, Button: page.Button{Action: at(v, advanced+"/export"), Label: "Export " + noun, Class: "quiet"},
	}
}

// add adds the state of an export, which is one of model.ExportScheduled to model.ExportFailed.
func (e *exportView) add(state string, reason *string, download string, until time.Time) {
	switch state {
	case model.ExportScheduled, model.ExportStarted:
		e.State = "The file is being written. Load this page again in a while."
	case model.ExportFailed:
		e.State = "The file could not be written."
		if reason != nil {
			e.Reason = *reason
		}
	case model.ExportFinished:
		e.Download, e.Until = download, until
	}
}

// exportOfProject returns what the page shows of the export of a project, or nil for callers who may not export it.
func (p *Pages) exportOfProject(v *page.Visit) (*exportView, error) {
	if !v.May(access.ExportProject) {
		return nil, nil
	}
	row := v.Project.Project
	shown := newExportView(v, "project",
		"A file with the repository, the wiki, issues, merge requests, comments and settings can be imported as a new project, here or "+
			"on another instance. It has no variables, pipelines, packages or secrets.")
	if row.ImportStatus != model.ImportNone && v.May(access.ReadProjectImport) {
		shown.Import = at(v, "import")
	}
	e, err := p.Exports.Current(v.Request().Context(), row.ID)
	if store.IsNotFound(err) {
		return shown, nil
	}
	shown.add(e.State, e.Error, fmt.Sprintf("/api/v4/projects/%d/export/download", row.ID), e.ExpiresAt)
	return shown, err
}

// exportOfGroup returns what the page shows of the export of a group, or nil for callers who may not export it.
func (p *Pages) exportOfGroup(v *page.Visit) (*exportView, error) {
	g, ctx := v.Group.Namespace, v.Request().Context()
	if !v.May(access.ExportGroup) || g.MarkedForDeletionAt != nil {
		return nil, nil
	}
	parts := "labels, milestones, badges, boards, members and wikis"
	if p.GroupExports.OmitsWikis() {
		parts = "labels, milestones, badges, boards and members"
	}
	shown := newExportView(v, "group",
		"A file with the group, its subgroups, and their settings, "+parts+" can be imported as a new group, here or on another instance. "+
			"It has the public email addresses of members.",
		"It has no projects, epics, iterations, pictures, runners, webhooks, variables, tokens or other secrets. Export projects from "+
			"their own settings.")
	if v.May(access.ReadGroupImport) {
		_, err := p.Store.GroupImports.Of(ctx, g.ID)
		if err != nil && !store.IsNotFound(err) {
			return nil, err
		}
		if err == nil {
			shown.Import = at(v, "import")
		}
	}
	e, err := p.GroupExports.Current(ctx, g.ID)
	if store.IsNotFound(err) {
		return shown, nil
	}
	shown.add(e.State, e.Error, fmt.Sprintf("/api/v4/groups/%d/export/download", g.ID), e.ExpiresAt)
	return shown, err
}

// exportProject schedules an export.
// POST /{project}/-/settings/advanced/export
func (p *Pages) exportProject(v *page.Visit) error {
	ctx, row := v.Request().Context(), v.Project.Project
	if err := p.LimitExport(ctx, row.ID); err != nil {
		return err
	}
	if err := p.Exports.Export(ctx, row, nil); err != nil {
		return err
	}
	return v.Done(at(v, advanced), "The project is being exported. This page has the link once the file is written.")
}

// exportGroup schedules an export.
// POST /groups/{group}/-/settings/advanced/export
func (p *Pages) exportGroup(v *page.Visit) error {
	ctx, g := v.Request().Context(), v.Group.Namespace
	if err := p.LimitExport(ctx, g.ID); err != nil {
		return err
	}
	if err := p.Groups.Export(ctx, g); err != nil {
		return err
	}
	return v.Done(at(v, advanced), "The group is being exported. This page has the link once the file is written.")
}
