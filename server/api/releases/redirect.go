package releases

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
)

// GetProjectReleasesPermalinkLatest redirects to the latest release.
// GET /projects/{id}/releases/permalink/latest
func (r *Releases) GetProjectReleasesPermalinkLatest(
	ctx context.Context, req gen.GetProjectReleasesPermalinkLatestRequestObject,
) (gen.GetProjectReleasesPermalinkLatestResponseObject, error) {
	to, err := r.latest(ctx, req.ID, "")
	return gen.GetProjectReleasesPermalinkLatest302Response{
		Headers: gen.GetProjectReleasesPermalinkLatest302ResponseHeaders{Location: &to},
	}, err
}

// GetProjectReleasesPermalinkLatestSuffix redirects to a path below the latest release.
// GET /projects/{id}/releases/permalink/latest/{suffix}
func (r *Releases) GetProjectReleasesPermalinkLatestSuffix(
	ctx context.Context, req gen.GetProjectReleasesPermalinkLatestSuffixRequestObject,
) (gen.GetProjectReleasesPermalinkLatestSuffixResponseObject, error) {
	to, err := r.latest(ctx, req.ID, "/"+(&url.URL{Path: req.Suffix}).EscapedPath())
	return gen.GetProjectReleasesPermalinkLatestSuffix302Response{
		Headers: gen.GetProjectReleasesPermalinkLatestSuffix302ResponseHeaders{Location: &to},
	}, err
}

// latest returns the path of the latest release, with a suffix and with the parameters of the request.
func (r *Releases) latest(ctx context.Context, ref, suffix string) (string, error) {
	row, err := r.access.Project(ctx, ref, access.ReadRelease)
	if err != nil {
		return "", err
	}
	found, err := r.store.Releases.Latest(ctx, row.Project.ID)
	if err != nil {
		return "", apierr.OrNotFound(err, "")
	}
	base := ""
	if u, err := url.Parse(r.show.Base); err == nil {
		base = u.Path
	}
	to := base + "/api/v4/projects/" + strconv.FormatInt(row.Project.ID, 10) + "/releases/" + url.PathEscape(found.Tag) + suffix
	query := reqctx.Of(ctx).URL.Query()
	query.Del("order_by")
	if len(query) > 0 {
		to += "?" + query.Encode()
	}
	return to, nil
}

// GetProjectReleaseDownload redirects to a file of a release.
// GET /projects/{id}/releases/{tag_name}/downloads/{direct_asset_path}
func (r *Releases) GetProjectReleaseDownload(
	ctx context.Context, req gen.GetProjectReleaseDownloadRequestObject,
) (gen.GetProjectReleaseDownloadResponseObject, error) {
	row, err := r.access.Project(ctx, req.ID, access.ReadRelease)
	if err != nil {
		return nil, err
	}
	path := "/" + strings.TrimPrefix(req.DirectAssetPath, "/")
	link, err := r.store.Releases.LinkByPath(ctx, row.Project.ID, req.TagName, path)
	if err != nil {
		return nil, apierr.OrNotFound(err, "")
	}
	return gen.GetProjectReleaseDownload302Response{
		Headers: gen.GetProjectReleaseDownload302ResponseHeaders{Location: &link.URL},
	}, nil
}
