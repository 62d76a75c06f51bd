package cipages

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"svc/server/domain/ci/launch"
	"svc/server/platform/reqctx"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// variableRows is how many empty rows for variables a form has beside those that are filled in, and maxRows how many can be
// filled in.
const (
	variableRows = 3
	maxRows      = 50
)

// newPipelineView is the content of the form that runs a pipeline.
type newPipelineView struct {
	Action, Ref  string
	Rows         []variableRow
	MayVariables bool
	Mistakes     []string
}

// variableRow is a row of the form for a variable.
type variableRow struct {
	Number     int
	Key, Value string
	File       bool
}

// newPipeline shows the form that runs a pipeline. Links can fill it in: ?ref=main&var[KEY]=value&file_var[KEY]=value.
// GET /{project}/-/pipelines/new
func (p *Pages) newPipeline(v *page.Visit) error {
	view := newPipelineView{Ref: v.QueryParam("ref")}
	if view.Ref == "" {
		view.Ref = v.Project.Project.DefaultBranch
	}
	query := v.QueryParams()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		for _, prefix := range []string{"var[", "file_var["} {
			key, ok := strings.CutPrefix(name, prefix)
			if ok && strings.HasSuffix(key, "]") && len(view.Rows) < maxRows {
				view.Rows = append(view.Rows, variableRow{
					Key: strings.TrimSuffix(key, "]"), Value: query.Get(name), File: prefix == "file_var[",
				})
			}
		}
	}
	return p.showNewPipeline(v, view, http.StatusOK)
}

func (p *Pages) showNewPipeline(v *page.Visit, view newPipelineView, status int) error {
	view.Action, view.MayVariables = at(v, "pipelines/new"), launch.MaySetVariables(*v.Project)
	for range variableRows {
		view.Rows = append(view.Rows, variableRow{})
	}
	for i := range view.Rows {
		view.Rows[i].Number = i + 1
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "pipeline_new", Status: status, Title: "Run a pipeline", Tab: page.TabPipelines,
		Nav: nav(v, "pipelines"), Crumbs: []page.Link{{Path: at(v, "pipelines"), Label: "Pipelines"}}, Data: view,
	})
}

// runPipeline runs a pipeline.
// POST /{project}/-/pipelines/new
func (p *Pages) runPipeline(v *page.Visit) error {
	view := newPipelineView{Ref: strings.TrimSpace(v.Value("ref")), Rows: sentRows(v)}
	var given []model.PipelineVariable
	for _, row := range view.Rows {
		kind := model.VariableEnv
		if row.File {
			kind = model.VariableFile
		}
		given = append(given, model.PipelineVariable{Key: row.Key, Value: row.Value, VariableType: kind})
	}
	err := launch.CheckVariables(*v.Project, given)
	var made model.Pipeline
	if err == nil {
		made, err = p.launch(v, view.Ref, given)
	}
	if err != nil {
		form := page.Form{Action: v.Request().URL.Path}
		status, err := v.Fill(err, &form)
		view.Mistakes = form.Mistakes
		if err != nil {
			return err
		}
		return p.showNewPipeline(v, view, status)
	}
	return v.Done(pipelinePath(v.Project.Project, made.ID), fmt.Sprintf("Pipeline #%d was started.", made.ID))
}

// launch starts a pipeline for the visitor.
func (p *Pages) launch(v *page.Visit, ref string, given []model.PipelineVariable) (model.Pipeline, error) {
	ctx := v.Request().Context()
	user, err := p.Store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return model.Pipeline{}, err
	}
	return p.Launcher.LaunchOnRef(ctx, launch.Request{Project: *v.Project, User: user, Source: "web", Variables: given}, ref)
}

// sentRows reads the rows for variables that were filled in.
func sentRows(v *page.Visit) []variableRow {
	var rows []variableRow
	for n := 1; n <= maxRows+variableRows; n++ {
		row := variableRow{
			Key: strings.TrimSpace(v.Value(fmt.Sprintf("key_%d", n))), Value: v.Value(fmt.Sprintf("value_%d", n)),
			File: v.Value(fmt.Sprintf("type_%d", n)) == model.VariableFile,
		}
		if row.Key != "" || row.Value != "" {
			rows = append(rows, row)
		}
	}
	return rows
}
