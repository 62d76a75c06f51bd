package present

import (
	"encoding/json"
	"strconv"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/git"
	"svc/store/model"
)

// JobPresenter presents jobs of one project at a time.
type JobPresenter struct {
	Presenter
	Project model.Project
	Now     time.Time
	last    *pipelineCommit
}

// pipelineCommit is the commit of a pipeline. Jobs of a list that follow each other often have the same pipeline.
type pipelineCommit struct {
	pipeline int64
	shown    gen.Commit
}

// OfJobs returns a presenter for the jobs of one list.
func (p Presenter) OfJobs(project model.Project, now time.Time) JobPresenter {
	return JobPresenter{Presenter: p, Project: project, Now: now, last: &pipelineCommit{}}
}

// Job presents a job.
func (s JobPresenter) Job(r model.JobRow) gen.Job {
	j := &r.Job
	shown := gen.Job{
		ID: j.ID, Status: gen.CIStatus(j.Status), Stage: j.Stage, Name: j.Name, Ref: j.Ref, Tag: j.Tag, Coverage: j.Coverage,
		AllowFailure: j.AllowFailure, CreatedAt: wire.NewTime(j.CreatedAt), StartedAt: wire.TimePtr(j.StartedAt),
		FinishedAt: wire.TimePtr(j.FinishedAt),
		ErasedAt:   wire.TimePtr(j.ErasedAt), Duration: s.between(j.StartedAt, j.FinishedAt), QueuedDuration: s.queued(j),
		User: s.user(r.User), Commit: s.commit(r.Pipeline), Pipeline: s.Pipeline(s.Project.FullPath, r.Pipeline), FailureReason: failure(j),
		WebURL:  s.Base + "/" + s.Project.FullPath + "/-/jobs/" + strconv.FormatInt(j.ID, 10),
		Project: gen.JobProject{CiJobTokenScopeEnabled: s.Project.CiJobTokenScopeEnabled}, Artifacts: jobFiles(r),
		ArtifactsExpireAt: wire.TimePtr(j.ArtifactsExpireAt), Archived: s.Project.Archived, TagList: texts(j.Tags),
	}
	for _, a := range r.Artifacts {
		if a.FileType == model.ArchiveArtifact {
			shown.ArtifactsFile = &gen.JobArtifactsFile{Filename: a.Filename, Size: a.Size}
		}
	}
	if r.Runner != nil {
		runner := RunnerBasic(*r.Runner, s.Now)
		shown.Runner = &runner
	}
	if r.Manager != nil {
		manager := RunnerManager(*r.Manager, s.Now)
		shown.RunnerManager = &manager
	}
	return shown
}

// jobFiles presents the files of a job, including its log.
func jobFiles(r model.JobRow) []gen.JobArtifact {
	files := make([]gen.JobArtifact, 0, len(r.Artifacts)+1)
	for _, a := range r.Artifacts {
		files = append(files, gen.JobArtifact{FileType: a.FileType, Size: a.Size, Filename: a.Filename, FileFormat: &a.FileFormat})
	}
	if r.Job.LogSize > 0 {
		raw := "raw"
		files = append(files, gen.JobArtifact{FileType: "trace", Size: r.Job.LogSize, Filename: "job.log", FileFormat: &raw})
	}
	return files
}

// Bridge presents a bridge.
func (s JobPresenter) Bridge(r model.JobRow) gen.Bridge {
	j := &r.Job
	shown := gen.Bridge{
		ID: j.ID, Status: gen.CIStatus(j.Status), Stage: j.Stage, Name: j.Name, Ref: j.Ref, Tag: j.Tag, Coverage: j.Coverage,
		AllowFailure: j.AllowFailure, CreatedAt: wire.NewTime(j.CreatedAt), StartedAt: wire.TimePtr(j.StartedAt),
		FinishedAt: wire.TimePtr(j.FinishedAt),
		ErasedAt:   wire.TimePtr(j.ErasedAt), Duration: s.between(j.StartedAt, j.FinishedAt), QueuedDuration: s.queued(j),
		User: s.user(r.User), Commit: s.commit(r.Pipeline), Pipeline: s.Pipeline(s.Project.FullPath, r.Pipeline), FailureReason: failure(j),
		WebURL:  s.Base + "/" + s.Project.FullPath + "/-/jobs/" + strconv.FormatInt(j.ID, 10),
		Project: gen.JobProject{CiJobTokenScopeEnabled: s.Project.CiJobTokenScopeEnabled},
	}
	if r.Downstream != nil {
		downstream := s.Pipeline(r.DownstreamPath, *r.Downstream)
		shown.DownstreamPipeline = &downstream
	}
	return shown
}

// between returns the seconds between two times; without an end, the seconds until now.
func (s JobPresenter) between(from, to *time.Time) *float64 {
	if from == nil {
		return nil
	}
	end := s.Now
	if to != nil {
		end = *to
	}
	seconds := max(end.Sub(*from).Seconds(), 0)
	return &seconds
}

func (s JobPresenter) queued(j *model.Job) *float64 {
	if j.StartedAt == nil && j.FinishedAt != nil {
		return s.between(j.QueuedAt, j.FinishedAt)
	}
	return s.between(j.QueuedAt, j.StartedAt)
}

func (s JobPresenter) user(u *model.User) *gen.UserPublic {
	if u == nil {
		return nil
	}
	shown := s.UserPublic(*u, !u.PrivateProfile, false, s.Now)
	return &shown
}

// commit presents the commit that is stored with the pipeline.
func (s JobPresenter) commit(p model.Pipeline) gen.Commit {
	if s.last == nil {
		return s.readCommit(p)
	}
	if s.last.pipeline != p.ID || s.last.shown.ID == "" {
		*s.last = pipelineCommit{p.ID, s.readCommit(p)}
	}
	return s.last.shown
}

func (s JobPresenter) readCommit(p model.Pipeline) gen.Commit {
	var c git.Commit
	if json.Unmarshal([]byte(p.CommitData), &c) != nil || c.ID == "" {
		c.ID = p.SHA
	}
	return s.Commit(s.Project, c)
}

// Pipeline presents a pipeline of the project with that path, in the form that other resources contain.
func (p Presenter) Pipeline(path string, row model.Pipeline) gen.PipelineBasic {
	return gen.PipelineBasic{
		ID: row.ID, Iid: row.IID, ProjectID: row.ProjectID, Sha: row.SHA, Ref: row.Ref, Status: gen.CIStatus(row.Status),
		Source: gen.PipelineSource(row.Source), CreatedAt: wire.NewTime(row.CreatedAt), UpdatedAt: wire.NewTime(row.UpdatedAt),
		WebURL: p.Base + "/" + path + "/-/pipelines/" + strconv.FormatInt(row.ID, 10),
	}
}

func failure(j *model.Job) *string {
	if j.Status != "failed" {
		return nil
	}
	return j.FailureReason
}

// texts reads a list that is stored as JSON.
func texts(list string) []string {
	all := []string{}
	if list == "[]" {
		return all
	}
	_ = json.Unmarshal([]byte(list), &all) // the service wrote it, so it can be read
	return all
}
