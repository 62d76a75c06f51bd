package changelogs

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/repository/changelog"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// GetProjectRepositoryChangelog generates a section of the changelog without committing it.
// GET /projects/{id}/repository/changelog
func (c *Changelogs) GetProjectRepositoryChangelog(
	ctx context.Context, req gen.GetProjectRepositoryChangelogRequestObject,
) (gen.GetProjectRepositoryChangelogResponseObject, error) {
	row, err := c.access.Project(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	p := req.Params
	asked, err := readParams(p.Version, p.Date, p.ConfigFile, p.ConfigFileRef, p.From, p.To, p.Trailer)
	if err != nil {
		return nil, err
	}
	repo, err := c.pusher.Repo(row.Project)
	if err != nil {
		return nil, err
	}
	notes, err := c.notes(ctx, row, repo, asked)
	if err != nil {
		return nil, apiError(err)
	}
	return gen.GetProjectRepositoryChangelog200JSONResponse{Notes: notes}, nil
}

const noCommit = "You are not allowed to commit a changelog on this branch"

// CreateProjectRepositoryChangelog generates a section of the changelog and commits it.
// POST /projects/{id}/repository/changelog
func (c *Changelogs) CreateProjectRepositoryChangelog(
	ctx context.Context, req gen.CreateProjectRepositoryChangelogRequestObject,
) (gen.CreateProjectRepositoryChangelogResponseObject, error) {
	row, err := c.access.Project(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, explainForbidden(err)
	}
	b := req.Body
	asked, err := readParams(b.Version, b.Date, b.ConfigFile, b.ConfigFileRef, b.From, b.To, b.Trailer)
	if err != nil {
		return nil, err
	}
	target, err := readTarget(row, b)
	if err != nil {
		return nil, err
	}
	if err := c.mayCommit(ctx, row, target.branch); err != nil {
		return nil, err
	}
	repo, err := c.pusher.Repo(row.Project)
	if err != nil {
		return nil, err
	}
	if asked.to == "" {
		asked.to = "refs/heads/" + target.branch
	}
	notes, err := c.notes(ctx, row, repo, asked)
	if err != nil {
		return nil, apiError(err)
	}
	if err := c.commit(ctx, row, repo, target, notes); err != nil {
		return nil, apiError(err)
	}
	return gen.CreateProjectRepositoryChangelog200JSONResponse{}, nil
}

// mayCommit refuses callers who may not push to the branch. It also refuses everybody if the repository is read-only.
func (c *Changelogs) mayCommit(ctx context.Context, row model.ProjectRow, branch string) error {
	may, err := c.pusher.MayPush(ctx, row, branch)
	if err == nil && (!may || row.Project.RepositoryReadOnly) {
		err = apierr.Forbidden(noCommit)
	}
	return err
}

// explainForbidden gives a 403 a message that says what is forbidden. It returns other errors unchanged.
func explainForbidden(err error) error {
	var refused *apierr.Error
	if errors.As(err, &refused) && refused.Status == http.StatusForbidden {
		return apierr.Forbidden(noCommit)
	}
	return err
}

// params holds the parameters that both operations share.
type params struct {
	version    string
	date       time.Time
	configFile string // empty means the default locations
	configRef  string
	from, to   string
	trailer    string
}

func readParams(version string, date, configFile, configRef, from, to, trailer *string) (params, error) {
	a := params{
		version: version, date: time.Now().UTC(), configFile: valueOr(configFile, ""), configRef: valueOr(configRef, ""),
		from: valueOr(from, ""), to: valueOr(to, ""), trailer: valueOr(trailer, "Changelog"),
	}
	if _, ok := changelog.ParseVersion(version); !ok {
		return a, apierr.BadParameter("version is invalid")
	}
	if text := valueOr(date, ""); text != "" {
		var err error
		if a.date, err = wire.ParseTime(text); err != nil {
			return a, apierr.BadParameter("date is invalid")
		}
	}
	var ok bool
	if a.configFile, ok = git.CleanPath(a.configFile); !ok {
		return a, apierr.BadParameter("config_file is invalid")
	}
	return a, nil
}

// valueOr returns a parameter, or the default if the parameter is missing or empty.
func valueOr(value *string, usual string) string {
	if value == nil || *value == "" {
		return usual
	}
	return *value
}

// target says what to commit, and where.
type target struct {
	version, branch, file, message string
}

func readTarget(row model.ProjectRow, b *gen.ChangelogCreate) (target, error) {
	t := target{
		version: b.Version,
		branch:  valueOr(b.Branch, row.Project.DefaultBranch),
		message: valueOr(b.Message, "Add changelog for version "+b.Version),
	}
	var ok bool
	if t.file, ok = git.CleanPath(valueOr(b.File, "CHANGELOG.md")); !ok || t.file == "" {
		return t, apierr.BadParameter("file is invalid")
	}
	if strings.TrimSpace(t.message) == "" {
		return t, apierr.BadParameter("message is invalid")
	}
	return t, nil
}
