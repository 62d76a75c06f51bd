package projects

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/project"
	"svc/server/domain/project/export"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/model"
)

// maxFailedRelations is how many records that could not be imported are shown.
const maxFailedRelations = 100

// GetProjectImport returns the progress of the import of a project.
// GET /projects/{id}/import
func (p *Projects) GetProjectImport(
	ctx context.Context, req gen.GetProjectImportRequestObject,
) (gen.GetProjectImportResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProjectImport)
	if err != nil {
		return nil, err
	}
	failures, err := p.store.ProjectFileImports.Failures(ctx, row.Project.ID, maxFailedRelations)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectImport200JSONResponse(present.ProjectImport(row.Project, failures)), nil
}

// ImportProject creates a project from an export archive.
// POST /projects/import
func (p *Projects) ImportProject(
	ctx context.Context, req gen.ImportProjectRequestObject,
) (gen.ImportProjectResponseObject, error) {
	actor, err := access.Allow(ctx, access.CreateProject)
	if err != nil {
		return nil, err
	}
	if err := p.exports.CheckSource(); err != nil {
		return nil, err
	}
	user, err := p.store.Users.Get(ctx, actor.User.ID)
	if err != nil {
		return nil, err
	}
	form := &importForm{overrides: map[string]string{}}
	var made model.Project
	if err = p.readImport(ctx, user, req.Body, form); err == nil {
		made, err = p.importFile(ctx, user, form)
	}
	if err != nil {
		if form.file != nil {
			p.exports.Discard(ctx, *form.file)
		}
		return nil, err
	}
	return gen.ImportProject201JSONResponse(present.ProjectImport(made, nil)), nil
}

// importFile creates the project of a form and schedules the import.
func (p *Projects) importFile(ctx context.Context, user model.User, form *importForm) (made model.Project, err error) {
	r, err := p.importRequest(ctx, user, form)
	if err != nil {
		return made, err
	}
	return p.exports.Import(ctx, p.projects, r, *form.file)
}

// ImportRemoteProject creates a project from an export archive at a URL.
// POST /projects/remote-import
func (p *Projects) ImportRemoteProject(
	ctx context.Context, req gen.ImportRemoteProjectRequestObject,
) (gen.ImportRemoteProjectResponseObject, error) {
	actor, err := access.Allow(ctx, access.CreateProject)
	if err != nil {
		return nil, err
	}
	if err := p.exports.CheckSource(); err != nil {
		return nil, err
	}
	form := &importForm{
		path: &req.Body.Path, name: req.Body.Name, namespace: req.Body.Namespace, overwrite: wire.Value(req.Body.Overwrite),
		overrides: map[string]string{},
	}
	if req.Body.OverrideParams != nil {
		text, err := json.Marshal(req.Body.OverrideParams)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &form.overrides); err != nil {
			return nil, err
		}
	}
	user, err := p.store.Users.Get(ctx, actor.User.ID)
	if err != nil {
		return nil, err
	}
	r, err := p.importRequest(ctx, user, form)
	if err != nil {
		return nil, err
	}
	made, err := p.exports.ImportFrom(ctx, p.projects, r, req.Body.URL)
	if err != nil {
		return nil, err
	}
	return gen.ImportRemoteProject201JSONResponse(present.ProjectImport(made, nil)), nil
}

// importRequest returns what a form describes, after its validation.
func (p *Projects) importRequest(ctx context.Context, user model.User, form *importForm) (r export.Request, err error) {
	if r.Place, err = p.projects.MayCreateIn(ctx, user, wire.Value(form.namespace)); err != nil {
		return r, err
	}
	r.Path, r.Name, r.Overwrite = *form.path, *form.path, form.overwrite
	if form.name != nil && *form.name != "" {
		r.Name = *form.name
	}
	r.Overrides, err = overrides(form.overrides)
	return r, err
}

// overridden are the access levels that override_params can set.
var overridden = []string{
	"issues_access_level", "repository_access_level", "merge_requests_access_level", "forking_access_level", "wiki_access_level",
	"builds_access_level", "snippets_access_level", "analytics_access_level", "releases_access_level", "environments_access_level",
	"feature_flags_access_level", "infrastructure_access_level", "monitor_access_level",
}

// maxOverrideDescription is the longest description of a project, in characters.
const maxOverrideDescription = 2000

// overrides returns the settings that replace those of an archive.
func overrides(given map[string]string) (c project.Change, err error) {
	c.Settings = map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value := given[name]
		switch {
		case name == "description" && len([]rune(value)) <= maxOverrideDescription:
			c.Settings[name] = value
		case name == "visibility" && slices.Contains([]string{"private", "internal", "public"}, value):
			level := map[string]model.Visibility{"internal": model.Internal, "public": model.Public}[value]
			c.Visibility = &level
		case slices.Contains(overridden, name) && slices.Contains([]string{"disabled", "private", "enabled"}, value):
			c.Settings[name] = model.FeatureAccess(value)
		default:
			return c, apierr.BadParameter("override_params[" + strings.ToValidUTF8(name[:min(len(name), 60)], "?") + "] is invalid")
		}
	}
	return c, nil
}
