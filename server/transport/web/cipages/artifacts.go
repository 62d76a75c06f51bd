package cipages

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"svc/server/domain/ci/artifacts"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// artifactsOf returns what the page of a job says about its artifacts, or nil if there are none.
func (p *Pages) artifactsOf(v *page.Visit, row model.JobRow) (*artifactsView, error) {
	if len(row.Artifacts) == 0 || !v.May(access.ReadArtifact) {
		return nil, nil
	}
	view, path := &artifactsView{}, jobPath(v.Project.Project, row.Job.ID)+"/artifacts"
	for _, file := range row.Artifacts {
		if file.FileType != model.ArchiveArtifact && file.FileType != "metadata" {
			view.Reports = append(view.Reports, file)
		}
	}
	if archiveOf(row) != nil {
		archive, err := p.Artifacts.ReadableArchive(v.Request().Context(), *v.Project, row.Job)
		if err != nil && !page.IsRefusal(err) {
			return nil, err
		}
		if err == nil {
			view.Browse, view.Download, view.Size = path+"/browse", path+"/download", archive.Size
		}
	}
	if v.May(access.UpdateJob) && row.Job.ArtifactsExpireAt != nil {
		view.Actions = append(view.Actions, page.Button{Action: path + "/keep", Label: "Keep", Class: "quiet"})
	}
	if v.May(access.AdminArtifact) {
		view.Actions = append(view.Actions, page.Button{
			Action: path + "/delete", Label: "Delete the artifacts", Class: "danger", Confirm: "Delete all files of this job",
		})
	}
	return view, nil
}

// archive returns the job of the address and its artifacts archive, if the visitor may read it.
func (p *Pages) archive(v *page.Visit) (model.Job, model.JobArtifact, error) {
	row, err := p.findJob(v)
	if err != nil {
		return row.Job, model.JobArtifact{}, err
	}
	archive, err := p.Artifacts.ReadableArchive(v.Request().Context(), *v.Project, row.Job)
	return row.Job, archive, page.Hide(err)
}

// folderView is the content of the page of a folder inside an archive.
type folderView struct {
	Job      model.Job
	Crumbs   []page.Link // the folders from the archive down to this one
	Entries  []folderEntry
	Hidden   int    // entries whose names cannot be shown
	Problem  string // why nothing is shown
	Download string
	Size     int64
	Pager    page.Pager
}

// browse shows a folder of the artifacts of a job.
// GET /{project}/-/jobs/{id}/artifacts/browse/{folder}
func (p *Pages) browse(v *page.Visit) error {
	job, archive, err := p.archive(v)
	if err != nil {
		return err
	}
	base := jobPath(v.Project.Project, job.ID) + "/artifacts"
	folder := strings.Trim(v.Param("*"), "/")
	view := folderView{Job: job, Crumbs: folderCrumbs(base, folder), Download: base + "/download", Size: archive.Size}
	opened, err := p.Artifacts.Archive(v.Request().Context(), archive, maxFiles)
	switch {
	case errors.Is(err, artifacts.ErrTooMany):
		view.Problem = "The archive has too many files to list them here. Download it instead."
	case errors.Is(err, artifacts.ErrNoEntry):
		view.Problem = "The file is not a zip archive. Download it instead."
	case err != nil:
		return err
	default:
		entries, hidden := entriesOf(opened.File, folder)
		if folder != "" && len(entries) == 0 && hidden == 0 {
			return page.NotFound()
		}
		pager := v.PagerOf(entriesShown)
		from := min(pager.Page.Offset, len(entries))
		to := min(from+entriesShown, len(entries))
		view.Entries, view.Hidden, view.Pager = linked(entries[from:to], base, folder), hidden, pager.Of(to < len(entries))
	}
	return p.showArtifacts(v, job, "artifacts", "Artifacts", view)
}

// showArtifacts shows a page about the artifacts of a job.
func (p *Pages) showArtifacts(v *page.Visit, job model.Job, name, title string, data any) error {
	project := v.Project.Project
	return v.Show(page.View{
		Templates: p.templates, Name: name, Title: title, Tab: page.TabPipelines, Data: data,
		Crumbs: []page.Link{
			{Path: at(v, "pipelines"), Label: "Pipelines"},
			{Path: pipelinePath(project, job.PipelineID), Label: fmt.Sprintf("#%d", job.PipelineID)},
			{Path: jobPath(project, job.ID), Label: job.Name},
		},
	})
}

// artifactDownload leads to the artifacts archive of a job.
// GET /{project}/-/jobs/{id}/artifacts/download
func (p *Pages) artifactDownload(v *page.Visit) error {
	job, _, err := p.archive(v)
	if err != nil {
		return err
	}
	return v.Redirect(apiPath(v, job.ID) + "/artifacts")
}

// keepArtifacts keeps the artifacts of a job forever.
// POST /{project}/-/jobs/{id}/artifacts/keep
func (p *Pages) keepArtifacts(v *page.Visit) error {
	row, err := p.findJob(v)
	if err != nil {
		return err
	}
	if err := p.mayRun(v, row.Job.Ref, row.Job.Tag); err != nil {
		return err
	}
	kept, err := p.Store.JobArtifacts.ClearExpiry(v.Request().Context(), row.Job.ID)
	if err != nil {
		return err
	}
	if !kept {
		return apierr.Conflict("The job has no artifacts any more.")
	}
	return v.Done(jobPath(v.Project.Project, row.Job.ID), "The artifacts are kept.")
}

// deleteArtifacts deletes the artifacts of a job.
// POST /{project}/-/jobs/{id}/artifacts/delete
func (p *Pages) deleteArtifacts(v *page.Visit) error {
	row, err := p.findJob(v)
	if err != nil {
		return err
	}
	if err := p.Artifacts.Delete(v.Request().Context(), row.Job.ID); err != nil {
		return err
	}
	return v.Done(jobPath(v.Project.Project, row.Job.ID), "The artifacts were deleted.")
}

// folderCrumbs returns the links to the folders above, the archive itself first.
func folderCrumbs(base, folder string) []page.Link {
	crumbs := []page.Link{{Path: base + "/browse", Label: "Artifacts"}}
	if folder == "" {
		return crumbs
	}
	to := base + "/browse"
	for part := range strings.SplitSeq(folder, "/") {
		to += "/" + url.PathEscape(part)
		crumbs = append(crumbs, page.Link{Path: to, Label: part})
	}
	return crumbs
}
