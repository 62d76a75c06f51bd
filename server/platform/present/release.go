package present

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/git"
	"svc/store/model"
)

// ReleaseView holds what the presentation of releases depends on beside the rows.
type ReleaseView struct {
	Project   model.ProjectRow
	Commits   map[string]git.Commit // by id; a commit may be missing
	MayChange func(model.Release) bool
	Now       time.Time
	HTML      map[int64]string // the notes as HTML, by release; nil if they are not shown
}

// ReleaseSimple presents the members of a release that every form has.
func (p Presenter) ReleaseSimple(r model.Release, v ReleaseView) gen.Release {
	shown := gen.Release{
		Name: r.Title(), Description: r.Description, CreatedAt: wire.NewTime(r.CreatedAt),
		ReleasedAt: wire.NewTime(r.ReleasedAt), UpcomingRelease: r.ReleasedAt.Truncate(time.Second).After(v.Now.Truncate(time.Second)),
	}
	if v.Project.ReadsCode() {
		shown.TagName = &r.Tag
	} else {
		shown.Name = "Release-" + strconv.FormatInt(r.ID, 10)
	}
	return shown
}

// Release presents a release of a project. Readers who cannot read the code do not see the tag and what belongs to it.
func (p Presenter) Release(row model.ReleaseRow, v ReleaseView) gen.Release {
	r, project := row.Release, v.Project.Project
	shown := p.ReleaseSimple(r, v)
	if v.HTML != nil {
		shown.DescriptionHTML = ptr(v.HTML[r.ID])
	}
	if row.Author != nil {
		shown.Author = ptr(p.UserBasic(*row.Author))
	}
	if len(row.Milestones) > 0 && (v.Project.ReadsIssues() || v.Project.ReadsMergeRequests()) {
		shown.Milestones = ptr(All(row.Milestones, p.releaseMilestone(v.Now)))
	}
	shown.Assets = &gen.ReleaseAssets{
		Count: int64(len(row.Links)),
		Links: All(row.Links, func(l model.ReleaseLink) gen.ReleaseLink { return p.ReleaseLink(project, r.Tag, l) }),
	}
	shown.UnderscoreLinks = ptr(p.releasePages(project, r, v.MayChange(r)))
	if v.Project.ReadsCode() {
		p.releaseCode(&shown, r, v)
	}
	return shown
}

// releaseCode adds what only readers of the code see of a release.
func (p Presenter) releaseCode(shown *gen.Release, r model.Release, v ReleaseView) {
	project := v.Project.Project
	if commit, ok := v.Commits[r.SHA]; ok {
		shown.Commit = ptr(p.Commit(project, commit))
	}
	if r.SHA != "" {
		shown.CommitPath = ptr("/" + project.FullPath + "/-/commit/" + r.SHA)
	}
	shown.TagPath = ptr("/" + project.FullPath + "/-/tags/" + escapeRef(r.Tag))
	shown.Evidences = &[]gen.ReleaseEvidence{}
	sources := p.releaseSources(project, r.Tag)
	shown.Assets.Sources = &sources
	shown.Assets.Count += int64(len(sources))
}

// releaseSources presents the archives of the repository at a tag.
func (p Presenter) releaseSources(project model.Project, tag string) []gen.ReleaseSource {
	file := project.Path + "-" + strings.ReplaceAll(tag, "/", "-")
	at := p.Base + "/" + project.FullPath + "/-/archive/" + escapeRef(tag) + "/" + url.PathEscape(file)
	formats := []gen.ReleaseSourceFormat{"zip", "tar.gz", "tar.bz2", "tar"}
	return All(formats, func(f gen.ReleaseSourceFormat) gen.ReleaseSource {
		return gen.ReleaseSource{Format: f, URL: at + "." + string(f)}
	})
}

// ReleaseURL returns the URL of the page of a release.
func (p Presenter) ReleaseURL(project model.Project, tag string) string {
	return p.Base + "/" + project.FullPath + "/-/releases/" + url.PathEscape(tag)
}

func (p Presenter) releasePages(project model.Project, r model.Release, mayChange bool) gen.ReleasePages {
	self := p.ReleaseURL(project, r.Tag)
	list := func(kind, state string) string {
		return p.Base + "/" + project.FullPath + "/-/" + kind + "?release_tag=" + url.QueryEscape(r.Tag) + "&scope=all&state=" + state
	}
	shown := gen.ReleasePages{
		Self: self, OpenedIssuesURL: list("issues", "opened"), ClosedIssuesURL: list("issues", "closed"),
		OpenedMergeRequestsURL: list("merge_requests", "opened"), MergedMergeRequestsURL: list("merge_requests", "merged"),
		ClosedMergeRequestsURL: list("merge_requests", "closed"),
	}
	if mayChange {
		shown.EditURL = ptr(self + "/edit")
	}
	return shown
}

// ReleaseLink presents a link of the release of a tag.
func (p Presenter) ReleaseLink(project model.Project, tag string, l model.ReleaseLink) gen.ReleaseLink {
	shown := gen.ReleaseLink{
		ID: l.ID, Name: l.Name, URL: l.URL, DirectAssetURL: l.URL, LinkType: gen.ReleaseLinkType(l.LinkType),
		External: !strings.HasPrefix(l.URL, p.Base+"/"+project.FullPath+"/"),
	}
	if l.FilePath != nil {
		shown.DirectAssetURL = p.ReleaseURL(project, tag) + "/downloads" + *l.FilePath
	}
	return shown
}

func (p Presenter) releaseMilestone(now time.Time) func(model.ReleaseMilestoneRow) gen.ReleaseMilestone {
	show := p.Milestone(now)
	return func(row model.ReleaseMilestoneRow) gen.ReleaseMilestone {
		m := show(row.MilestoneRow)
		return gen.ReleaseMilestone{
			ID: m.ID, Iid: m.Iid, ProjectID: m.ProjectID, GroupID: m.GroupID, Title: m.Title, Description: m.Description,
			State: m.State, CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt, DueDate: m.DueDate, StartDate: m.StartDate,
			Expired: m.Expired, WebURL: m.WebURL,
			IssueStats: gen.ReleaseIssueStats{Total: row.Issues, Closed: row.ClosedIssues},
		}
	}
}
