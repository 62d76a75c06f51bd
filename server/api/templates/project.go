package templates

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/template"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/git"
	"svc/store/model"
)

// ListProjectTemplate lists the templates that a project can use.
// GET /projects/{id}/templates/{type}
func (t *Templates) ListProjectTemplate(
	ctx context.Context, req gen.ListProjectTemplateRequestObject,
) (gen.ListProjectTemplateResponseObject, error) {
	row, err := t.access.Project(ctx, req.ID, access.ReadProjectTemplate)
	if err != nil {
		return nil, err
	}
	kind, err := template.ReadKind(string(req.Type))
	if err != nil {
		return nil, err
	}
	p := req.Params
	var names []string
	switch kind {
	case template.Licenses:
		names, err = licenseKeys()
	case template.Issues, template.MergeRequests:
		var repo git.Repo
		if row.ReadsCode() {
			if repo, err = t.open(row.Project); err == nil {
				names, err = template.NamesIn(ctx, repo, kind)
			}
		}
	default:
		names = template.Names(kind)
	}
	if err != nil {
		return nil, err
	}
	rows, headers, err := t.list(ctx, names, p.Pagination, p.Page, p.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectTemplate200JSONResponse{
		Body: named(rows, kind), Headers: gen.ListProjectTemplate200ResponseHeaders(headers),
	}, nil
}

// GetProjectTemplate returns a template that a project can use.
// GET /projects/{id}/templates/{type}/{name}
func (t *Templates) GetProjectTemplate(
	ctx context.Context, req gen.GetProjectTemplateRequestObject,
) (gen.GetProjectTemplateResponseObject, error) {
	row, err := t.access.Project(ctx, req.ID, access.ReadProjectTemplate)
	if err != nil {
		return nil, err
	}
	kind, err := template.ReadKind(string(req.Type))
	if err != nil {
		return nil, err
	}
	var found template.Template
	switch kind {
	case template.Licenses:
		shown, err := t.license(ctx, req.Name, wire.Value(req.Params.Fullname), wire.Value(req.Params.Project))
		if err != nil {
			return nil, err
		}
		return gen.GetProjectTemplate200JSONResponse(wire.UnionOf(shown)), nil
	case template.Issues, template.MergeRequests:
		found, err = t.inRepository(ctx, row, kind, req.Name)
	default:
		found, err = template.Get(kind, req.Name)
	}
	if err != nil {
		return nil, err
	}
	return gen.GetProjectTemplate200JSONResponse(wire.UnionOf(gen.Template{Name: found.Name, Content: found.Content})), nil
}

// inRepository returns a template of the repository of a project.
func (t *Templates) inRepository(ctx context.Context, row model.ProjectRow, kind template.Kind, name string) (template.Template, error) {
	if !row.ReadsCode() {
		return template.Template{}, apierr.NotFound("Template")
	}
	repo, err := t.open(row.Project)
	if err != nil {
		return template.Template{}, err
	}
	return template.GetIn(ctx, repo, kind, name)
}

// open opens the repository of a project.
func (t *Templates) open(p model.Project) (git.Repo, error) {
	return t.repos.OpenProject(p.RepositoryStorage, p.ID, p.EmptyRepo)
}

// licenseKeys returns the keys of the licenses.
func licenseKeys() ([]string, error) {
	all, err := template.ListLicenses(nil)
	return present.All(all, func(l template.License) string { return l.Key }), err
}

// named gives licenses their names, which are not their keys.
func named(rows []gen.TemplateListed, kind template.Kind) []gen.TemplateListed {
	all, err := template.ListLicenses(nil)
	if kind != template.Licenses || err != nil {
		return rows
	}
	names := make(map[string]string, len(all))
	for _, l := range all {
		names[l.Key] = l.Name
	}
	for i := range rows {
		rows[i].Name = names[rows[i].Key]
	}
	return rows
}
