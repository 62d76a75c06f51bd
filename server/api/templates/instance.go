package templates

import (
	"context"

	"svc/gen"
	"svc/server/domain/template"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

// list presents one page of templates whose keys are their names.
func (t *Templates) list(
	ctx context.Context, names []string, paging *gen.Pagination, number, size *int64,
) ([]gen.TemplateListed, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, t.pages, "Template", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total := pagination.PageOf(window, names)
	listed := present.All(rows, func(name string) gen.TemplateListed { return gen.TemplateListed{Key: name, Name: name} })
	return listed, window.Headers(total), nil
}

// ListTemplatesDockerfiles lists the Dockerfiles.
// GET /templates/dockerfiles
func (t *Templates) ListTemplatesDockerfiles(
	ctx context.Context, req gen.ListTemplatesDockerfilesRequestObject,
) (gen.ListTemplatesDockerfilesResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadTemplate); err != nil {
		return nil, err
	}
	p := req.Params
	rows, headers, err := t.list(ctx, template.Names(template.Dockerfiles), p.Pagination, p.Page, p.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListTemplatesDockerfiles200JSONResponse{
		Body: rows, Headers: gen.ListTemplatesDockerfiles200ResponseHeaders(headers),
	}, nil
}

// GetTemplatesDockerfile returns a Dockerfile.
// GET /templates/dockerfiles/{key}
func (t *Templates) GetTemplatesDockerfile(
	ctx context.Context, req gen.GetTemplatesDockerfileRequestObject,
) (gen.GetTemplatesDockerfileResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadTemplate); err != nil {
		return nil, err
	}
	found, err := template.Get(template.Dockerfiles, req.Key)
	if err != nil {
		return nil, err
	}
	return gen.GetTemplatesDockerfile200JSONResponse{Name: found.Name, Content: found.Content}, nil
}

// ListTemplatesGitignores lists the .gitignore files.
// GET /templates/gitignores
func (t *Templates) ListTemplatesGitignores(
	ctx context.Context, req gen.ListTemplatesGitignoresRequestObject,
) (gen.ListTemplatesGitignoresResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadTemplate); err != nil {
		return nil, err
	}
	p := req.Params
	rows, headers, err := t.list(ctx, template.Names(template.Gitignores), p.Pagination, p.Page, p.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListTemplatesGitignores200JSONResponse{
		Body: rows, Headers: gen.ListTemplatesGitignores200ResponseHeaders(headers),
	}, nil
}

// GetTemplatesGitignore returns a .gitignore file.
// GET /templates/gitignores/{key}
func (t *Templates) GetTemplatesGitignore(
	ctx context.Context, req gen.GetTemplatesGitignoreRequestObject,
) (gen.GetTemplatesGitignoreResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadTemplate); err != nil {
		return nil, err
	}
	found, err := template.Get(template.Gitignores, req.Key)
	if err != nil {
		return nil, err
	}
	return gen.GetTemplatesGitignore200JSONResponse{Name: found.Name, Content: found.Content}, nil
}

// ListTemplatesGitlabCiYmls lists the CI/CD configurations.
// GET /templates/gitlab_ci_ymls
func (t *Templates) ListTemplatesGitlabCiYmls(
	ctx context.Context, req gen.ListTemplatesGitlabCiYmlsRequestObject,
) (gen.ListTemplatesGitlabCiYmlsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadTemplate); err != nil {
		return nil, err
	}
	p := req.Params
	rows, headers, err := t.list(ctx, template.Names(template.CI), p.Pagination, p.Page, p.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListTemplatesGitlabCiYmls200JSONResponse{
		Body: rows, Headers: gen.ListTemplatesGitlabCiYmls200ResponseHeaders(headers),
	}, nil
}

// GetTemplatesGitlabCiYml returns a CI/CD configuration.
// GET /templates/gitlab_ci_ymls/{key}
func (t *Templates) GetTemplatesGitlabCiYml(
	ctx context.Context, req gen.GetTemplatesGitlabCiYmlRequestObject,
) (gen.GetTemplatesGitlabCiYmlResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadTemplate); err != nil {
		return nil, err
	}
	found, err := template.Get(template.CI, req.Key)
	if err != nil {
		return nil, err
	}
	return gen.GetTemplatesGitlabCiYml200JSONResponse{Name: found.Name, Content: found.Content}, nil
}
