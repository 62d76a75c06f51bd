package commits

import (
	"context"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// ListProjectRepositoryCommits lists commits, newest first.
// GET /projects/{id}/repository/commits
func (c *Commits) ListProjectRepositoryCommits(
	ctx context.Context, req gen.ListProjectRepositoryCommitsRequestObject,
) (gen.ListProjectRepositoryCommitsResponseObject, error) {
	row, repo, err := c.open(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, c.pages, "Commit", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	var ids []string
	filter, some, err := logFilter(ctx, repo, req.Params)
	if err == nil && some {
		ids, err = repo.Log(ctx, filter, window.Offset, window.Limit+1)
	}
	if err != nil {
		return nil, err
	}
	more := len(ids) > window.Limit
	shown, err := c.presentCommits(ctx, row.Project, repo, ids[:min(len(ids), window.Limit)], req.Params)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRepositoryCommits200JSONResponse{
		Body:    shown,
		Headers: gen.ListProjectRepositoryCommits200ResponseHeaders(window.Headers(store.Total{More: more})),
	}, nil
}

// logFilter reads the filter from the request. It also reports whether any commit can match: an empty repository has
// none.
func logFilter(ctx context.Context, repo git.Repo, p gen.ListProjectRepositoryCommitsParams) (git.LogFilter, bool, error) {
	f := git.LogFilter{
		Author: wire.Value(p.Author), Since: p.Since.Std(), Until: p.Until.Std(), FirstParent: wire.Value(p.FirstParent),
		Topo: p.Order != nil && *p.Order == gen.CommitOrderTopo,
	}
	if strings.ContainsRune(f.Author, 0) {
		return f, false, apierr.BadParameter("author is invalid")
	}
	path, ok := git.CleanPath(wire.Value(p.Path))
	if !ok {
		return f, false, apierr.BadParameter("path is invalid")
	}
	f.Path = path
	if wire.Value(p.All) {
		return f, true, nil
	}
	if _, tip := repo.Head(); tip == "" && wire.Value(p.RefName) == "" {
		return f, false, nil
	}
	id, err := repo.Resolve(ctx, wire.Value(p.RefName))
	f.From = id
	return f, true, commitNotFound(err)
}

// presentCommits presents commits, with statistics and trailers if the request asks for them.
func (c *Commits) presentCommits(
	ctx context.Context, project model.Project, repo git.Repo, ids []string, p gen.ListProjectRepositoryCommitsParams,
) ([]gen.Commit, error) {
	rows, err := repo.Commits(ctx, ids)
	if err != nil {
		return nil, err
	}
	var stats map[string]git.Stats
	if wire.Value(p.WithStats) {
		if stats, err = repo.CommitStats(ctx, ids); err != nil {
			return nil, err
		}
	}
	out := make([]gen.Commit, len(rows))
	for i, row := range rows {
		out[i] = c.show.Commit(project, row)
		if !wire.Value(p.Trailers) {
			out[i].Trailers, out[i].ExtendedTrailers = map[string]string{}, map[string][]string{}
		}
		if s, ok := stats[row.ID]; ok {
			out[i].Stats = present.CommitStats(&s)
		}
	}
	return out, nil
}
