package sdk

import (
	"net/http"
	"testing"
	"time"

	"svc/tests/harness"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

// projectWithCommit creates a project with one commit on main.
func projectWithCommit(t *testing.T, sdk *gitlab.Client, name string) *gitlab.Project {
	t.Helper()
	p := must[*gitlab.Project](t)(sdk.Projects.CreateProject(&gitlab.CreateProjectOptions{Name: new(name)}))
	must[*gitlab.Commit](t)(sdk.Commits.CreateCommit(p.ID, &gitlab.CreateCommitOptions{
		Branch: new("main"), CommitMessage: new("First"), Actions: []*gitlab.CommitActionOptions{
			{Action: new(gitlab.FileCreate), FilePath: new("README.md"), Content: new("hello")},
		},
	}))
	return p
}

func TestTheGoLibraryManagesReleases(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	sdk := connect(t, h, h.Root().Token)
	p := projectWithCommit(t, sdk, "tool")
	made := must[*gitlab.Release](t)(sdk.Releases.CreateRelease(p.ID, &gitlab.CreateReleaseOptions{
		Name: new("First"), TagName: new("v1.0"), Ref: new("main"), TagMessage: new("tagged"), Description: new("notes"),
		Assets: &gitlab.ReleaseAssetsOptions{Links: []*gitlab.ReleaseAssetLinkOptions{{
			Name: new("linux"), URL: new("https://files.example.com/linux"), DirectAssetPath: new("/bin/linux"),
			LinkType: new(gitlab.PackageLinkType),
		}}},
	}))
	if made.TagName != "v1.0" || made.Commit.ID == "" || made.Author.Username != "root" || made.Assets.Count != 5 ||
		len(made.Assets.Links) != 1 || made.Assets.Links[0].LinkType != gitlab.PackageLinkType || made.ReleasedAt.IsZero() {
		t.Errorf("%+v", made)
	}
	if latest := must[*gitlab.Release](t)(sdk.Releases.GetLatestRelease(p.ID)); latest.TagName != "v1.0" {
		t.Errorf("%+v", latest)
	}
	if rows := must[[]*gitlab.Release](t)(sdk.Releases.ListReleases(p.ID, nil)); len(rows) != 1 {
		t.Errorf("%d releases", len(rows))
	}
	released := time.Date(2099, 1, 2, 3, 4, 5, 0, time.UTC)
	changed := must[*gitlab.Release](t)(sdk.Releases.UpdateRelease(p.ID, "v1.0", &gitlab.UpdateReleaseOptions{ReleasedAt: &released}))
	if changed.Name != "First" || changed.Description != "notes" || !changed.UpcomingRelease {
		t.Errorf("%+v", changed)
	}
	link := must[*gitlab.ReleaseLink](t)(sdk.ReleaseLinks.CreateReleaseLink(p.ID, "v1.0", &gitlab.CreateReleaseLinkOptions{
		Name: new("mac"), URL: new("https://files.example.com/mac"), FilePath: new("/bin/mac"),
	}))
	if link.DirectAssetURL == link.URL || !link.External {
		t.Errorf("%+v", link)
	}
	renamed := must[*gitlab.ReleaseLink](t)(sdk.ReleaseLinks.UpdateReleaseLink(p.ID, "v1.0", link.ID, &gitlab.UpdateReleaseLinkOptions{
		Name: new("macOS"),
	}))
	if got := must[*gitlab.ReleaseLink](t)(sdk.ReleaseLinks.GetReleaseLink(p.ID, "v1.0", link.ID)); got.Name != renamed.Name {
		t.Errorf("%+v", got)
	}
	if rows := must[[]*gitlab.ReleaseLink](t)(sdk.ReleaseLinks.ListReleaseLinks(p.ID, "v1.0", nil)); len(rows) != 2 {
		t.Errorf("%d links", len(rows))
	}
	must[*gitlab.ReleaseLink](t)(sdk.ReleaseLinks.DeleteReleaseLink(p.ID, "v1.0", link.ID))
	if tag := must[*gitlab.Tag](t)(sdk.Tags.GetTag(p.ID, "v1.0")); tag.Release == nil || tag.Release.Description != "notes" {
		t.Errorf("%+v", tag)
	}
	must[*gitlab.Release](t)(sdk.Releases.DeleteRelease(p.ID, "v1.0"))
	if _, res, err := sdk.Releases.GetRelease(p.ID, "v1.0"); err == nil || res.StatusCode != http.StatusNotFound {
		t.Errorf("a deleted release: %v", err)
	}
}
