package access

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Project returns a project, given by id or full path, if the caller has the ability in it. A project that the caller
// cannot see is a 404; a missing ability is a 403. A former path of the project redirects to its id.
func (a *Access) Project(ctx context.Context, ref string, ability Ability) (model.ProjectRow, error) {
	need, known := Abilities[Project][ability]
	if !known {
		return model.ProjectRow{}, apierr.Forbidden()
	}
	row, err := a.findProject(ctx, ref, ability)
	if err != nil {
		return model.ProjectRow{}, err
	}
	if err := need.checkProject(ctx, row); err != nil {
		if err = a.grantedInProject(ctx, row, ability, err); err != nil {
			return model.ProjectRow{}, err
		}
	}
	return row, nil
}

// InProject checks one more ability in a project that the caller can see, without reading it again.
func InProject(ctx context.Context, row model.ProjectRow, ability Ability) error {
	need, known := Abilities[Project][ability]
	if !known {
		return apierr.Forbidden()
	}
	return need.checkProject(ctx, row)
}

// checkProject refuses callers who may not do something in a project that they can see.
func (n Need) checkProject(ctx context.Context, row model.ProjectRow) error {
	role := row.Role()
	if row.Admin {
		role = model.Access(Administrator)
	}
	if err := n.check(ctx, role); err != nil {
		return err
	}
	if !n.Feature.readable(row) || row.Project.Archived && !n.Archived {
		return apierr.Forbidden()
	}
	return nil
}

// readable reports whether the user for whom the project row was read can read a feature.
func (f Feature) readable(row model.ProjectRow) bool {
	switch f {
	case Code:
		return row.ReadsCode()
	case Jobs:
		return row.ReadsJobs()
	case Issues:
		return row.ReadsIssues()
	case MergeRequests:
		return row.ReadsMergeRequests()
	case IssuesOrMergeRequests: // labels and milestones are for both
		return row.ReadsIssues() || row.ReadsMergeRequests()
	case Snippets:
		return row.ReadsSnippets()
	case Wiki:
		return row.ReadsWiki()
	case Pages:
		return row.ReadsPages()
	case Releases:
		return row.ReadsReleases()
	case ReleasesAndCode:
		return row.ReadsReleases() && row.ReadsCode()
	case Packages:
		return row.ReadsPackages()
	case Infrastructure:
		return row.ReadsInfrastructure()
	case FeatureFlags:
		return row.ReadsFeatureFlags()
	}
	return f == "" // an unknown feature is refused
}

func (a *Access) findProject(ctx context.Context, ref string, ability Ability) (model.ProjectRow, error) {
	reader := Reader(ctx)
	id, err := strconv.ParseInt(ref, 10, 64)
	byPath := err != nil
	if !byPath && id <= 0 {
		return model.ProjectRow{}, apierr.NotFound("Project")
	}
	row, err := a.store.Projects.GetAhead(ctx, reqctx.Of(ctx).Ahead, id, ref, reader)
	moved := false
	if store.IsNotFound(err) && byPath {
		row, err = a.store.Projects.GetByOldPath(ctx, ref, reader)
		moved = true
	}
	switch {
	case store.IsNotFound(err) || (err == nil && !seesFor(ability, row, reader)):
		return model.ProjectRow{}, apierr.NotFound("Project")
	case err != nil:
		return row, err
	}
	reaches, err := a.jobReaches(ctx, row.Project)
	if err == nil && !reaches {
		row, reaches = asOutsider(ctx, row, reader, ability)
	}
	switch {
	case err != nil:
		return model.ProjectRow{}, err
	case !reaches:
		return model.ProjectRow{}, apierr.NotFound("Project")
	case moved:
		return model.ProjectRow{}, redirectToID(ctx, row.Project.ID)
	}
	return row, nil
}

// seesFor reports whether a reader can see a project in order to use an ability. The packages of a private project may be
// public; then everybody can read them, and nothing else of the project.
func seesFor(ability Ability, row model.ProjectRow, r *store.Reader) bool {
	return SeesProject(row, r) || ability == ReadPackage && row.Project.PackageRegistryAccessLevel == model.FeaturePublic
}

// SeesProject reports whether a reader can see a project at all.
func SeesProject(row model.ProjectRow, r *store.Reader) bool {
	switch {
	case row.Project.Visibility == model.Public:
		return true
	case r == nil:
		return false
	case row.Project.Visibility == model.Internal && !r.External:
		return true
	}
	return row.Role() >= model.Guest
}

// redirectToID redirects a request that reads by a former path to the project's id. It refuses a request that writes,
// because the client may have meant the project that had the path before.
func redirectToID(ctx context.Context, id int64) error {
	info := reqctx.Of(ctx)
	if info.Method != http.MethodGet && info.Method != http.MethodHead {
		return apierr.MovedProject()
	}
	path := info.URL.EscapedPath()
	at := strings.Index(path, "/projects/") + len("/projects/")
	if at < len("/projects/") {
		return apierr.Moved("") // not a URL of the API
	}
	rest := ""
	if end := strings.IndexByte(path[at:], '/'); end >= 0 {
		rest = path[at+end:]
	}
	to := info.BaseURL + path[:at] + strconv.FormatInt(id, 10) + rest
	if info.URL.RawQuery != "" {
		to += "?" + info.URL.RawQuery
	}
	return apierr.Moved(to)
}

// NewPath returns the current path of a project by a former path, if the caller can see the project.
func (a *Access) NewPath(ctx context.Context, old string) (string, error) {
	reader := Reader(ctx)
	row, err := a.store.Projects.GetByOldPath(ctx, old, reader)
	if store.IsNotFound(err) || (err == nil && !SeesProject(row, reader)) {
		return "", apierr.NotFound("Project")
	}
	if err != nil {
		return "", err
	}
	reaches, err := a.jobReaches(ctx, row.Project)
	if err == nil && !reaches {
		err = apierr.NotFound("Project")
	}
	return row.Project.FullPath, err
}
