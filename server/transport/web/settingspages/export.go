package settingspages

import (
	"fmt"
	"time"

	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// exportView is what the page shows of the export of a project.
type exportView struct {
	State    string // how far it is; empty if there is no export, or if it is finished
	Reason   string // why it could not be written
	Download string // the address of the archive; empty if there is none
	Until    time.Time
	Import   string // the address of the page of the import; empty if the project was not imported
	Button   page.Button
}

// exportOf returns what the page shows of the export of a project, or nil for callers who may not export it.
func (p *Pages) exportOf(v *page.Visit) (*exportView, error) {
	if !v.May(access.ExportProject) {
		return nil, nil
	}
	row := v.Project.Project
	shown := &exportView{Button: page.Button{Action: at(v, advanced+"/export"), Label: "Export project", Class: "quiet"}}
	if row.ImportStatus != model.ImportNone && v.May(access.ReadProjectImport) {
		shown.Import = at(v, "import")
	}
	e, err := p.Exports.Current(v.Request().Context(), row.ID)
	if store.IsNotFound(err) {
		return shown, nil
	}
	switch e.State {
	case model.ExportScheduled, model.ExportStarted:
		shown.State = "The file is being written. Load this page again in a while."
	case model.ExportFailed:
		shown.State = "The file could not be written."
		if e.Error != nil {
			shown.Reason = *e.Error
		}
	case model.ExportFinished:
		shown.Download, shown.Until = fmt.Sprintf("/api/v4/projects/%d/export/download", row.ID), e.ExpiresAt
	}
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
