package repositories

import (
	"context"
	"errors"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/git"
)

// ListProjectRepositoryTree lists the files and folders of a repository.
// GET /projects/{id}/repository/tree
func (r *Repositories) ListProjectRepositoryTree(
	ctx context.Context, req gen.ListProjectRepositoryTreeRequestObject,
) (gen.ListProjectRepositoryTreeResponseObject, error) {
	_, repo, err := r.read(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	commit, err := repo.Resolve(ctx, wire.Value(req.Params.Ref))
	if err != nil {
		return nil, orNotFound(err, "Tree")
	}
	path, ok := git.CleanPath(wire.Value(req.Params.Path))
	if !ok {
		return nil, orNotFound(git.ErrNotFound, badPath)
	}
	want := git.ListOptions{Path: path, Recursive: wire.Value(req.Params.Recursive)}
	var rows git.ListPage
	var headers pagination.Headers
	if req.Params.Pagination != nil && *req.Params.Pagination == gen.PaginationKeyset {
		want.Keyset, want.Token = true, wire.Value(req.Params.PageToken)
		rows, headers, err = listByToken(ctx, repo, commit, want, req.Params.PerPage)
	} else {
		rows, headers, err = r.listByOffset(ctx, repo, commit, want, req.Params.Page, req.Params.PerPage)
	}
	switch {
	case errors.Is(err, git.ErrBadToken):
		return nil, apierr.BadParameter("page_token is invalid")
	case errors.Is(err, git.ErrTooLarge):
		return nil, apierr.Unprocessable("The tree is too large to list")
	case err != nil:
		return nil, orNotFound(err, badPath)
	}
	return gen.ListProjectRepositoryTree200JSONResponse{
		Body: present.All(rows.Entries, present.TreeEntry), Headers: gen.ListProjectRepositoryTree200ResponseHeaders(headers),
	}, nil
}

const badPath = "invalid revision or path"

func listByToken(
	ctx context.Context, repo git.Repo, commit string, want git.ListOptions, size *int64,
) (git.ListPage, pagination.Headers, error) {
	token := pagination.NewTokenPage(ctx, size)
	want.Limit = token.Limit
	rows, err := repo.List(ctx, commit, want)
	return rows, token.Headers(rows.More, rows.Token), err
}

func (r *Repositories) listByOffset(
	ctx context.Context, repo git.Repo, commit string, want git.ListOptions, number, size *int64,
) (git.ListPage, pagination.Headers, error) {
	window, err := r.pages.Offset(ctx, pagination.Kind{Name: "Tree", Keyset: true}, number, size)
	if err != nil {
		return git.ListPage{}, pagination.Headers{}, err
	}
	want.Offset, want.Limit = window.Offset, window.Limit
	rows, err := repo.List(ctx, commit, want)
	total := store.Total{Count: int64(rows.Total), Known: rows.Counted && rows.Total <= store.CountCap, More: rows.More}
	return rows, window.Headers(total), err
}
