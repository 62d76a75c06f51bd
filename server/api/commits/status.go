package commits

import (
	"context"
	"net/url"
	"unicode/utf8"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

const maxText = 255

// ListProjectRepositoryCommitStatuses lists the statuses that were reported for a commit.
// GET /projects/{id}/repository/commits/{sha}/statuses
func (c *Commits) ListProjectRepositoryCommitStatuses(
	ctx context.Context, req gen.ListProjectRepositoryCommitStatusesRequestObject,
) (gen.ListProjectRepositoryCommitStatusesResponseObject, error) {
	row, _, commit, err := c.find(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	window, err := c.window(ctx, "CommitStatus", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	filter := store.CommitStatusFilter{
		Ref:  wire.Value(req.Params.Ref),
		Name: wire.Value(req.Params.Name),
		All:  wire.Value(req.Params.All),
		Desc: req.Params.Sort != nil && *req.Params.Sort == gen.SortDesc,
	}
	rows, total, err := c.store.CommitStatuses.List(ctx, row.Project.ID, commit.ID, filter, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRepositoryCommitStatuses200JSONResponse{
		Body:    present.All(rows, c.show.CommitStatus),
		Headers: gen.ListProjectRepositoryCommitStatuses200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectStatus sets the status of a commit.
// POST /projects/{id}/statuses/{sha}
func (c *Commits) CreateProjectStatus(
	ctx context.Context, req gen.CreateProjectStatusRequestObject,
) (gen.CreateProjectStatusResponseObject, error) {
	row, repo, commit, err := c.find(ctx, req.ID, req.Sha, access.PushCode)
	if err != nil {
		return nil, err
	}
	status, err := readStatus(*req.Body)
	if err != nil {
		return nil, err
	}
	status.ProjectID, status.CommitID = row.Project.ID, commit.ID
	if status.Ref == "" {
		if status.Ref, err = firstBranch(ctx, repo, commit.ID); err != nil {
			return nil, err
		}
	}
	if status.Author, err = c.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID); err != nil {
		return nil, err
	}
	if err := c.store.CommitStatuses.Save(ctx, &status); err != nil {
		return nil, err
	}
	return gen.CreateProjectStatus201JSONResponse(c.show.CommitStatus(status)), nil
}

// readStatus reads a status from the request and validates it.
func readStatus(b gen.CommitStatusCreate) (model.CommitStatus, error) {
	s := model.CommitStatus{
		Status: string(b.State), Ref: wire.Value(b.Ref), Name: wire.Value(b.Name), TargetURL: b.TargetURL.Ptr(),
		Description: b.Description.Ptr(), Coverage: b.Coverage.Ptr(),
	}
	if s.Name == "" {
		s.Name = wire.Value(b.Context)
	}
	if s.Name == "" {
		s.Name = "default"
	}
	broken := map[string][]string{}
	for field, value := range map[string]string{
		"name": s.Name, "target_url": wire.Value(s.TargetURL), "description": wire.Value(s.Description),
	} {
		if utf8.RuneCountInString(value) > maxText {
			broken[field] = append(broken[field], "is too long (maximum is 255 characters)")
		}
	}
	if s.TargetURL != nil && *s.TargetURL != "" {
		if u, err := url.Parse(*s.TargetURL); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			broken["target_url"] = append(broken["target_url"], "is blocked: Only allowed schemes are http, https")
		}
	}
	if s.Ref != "" && !git.ValidBranch(s.Ref) {
		broken["ref"] = append(broken["ref"], "is invalid")
	}
	if len(broken) > 0 {
		return s, apierr.InvalidFields(broken)
	}
	return s, nil
}

// firstBranch returns the first branch that contains the commit.
func firstBranch(ctx context.Context, repo git.Repo, id string) (string, error) {
	names, err := repo.Containing(ctx, id, "refs/heads/")
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", apierr.NotFound("References for commit")
	}
	return names[0], nil
}
