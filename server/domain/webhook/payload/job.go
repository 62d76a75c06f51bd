package payload

import (
	"time"

	"svc/store/model"
)

// JobInput is what the body of a job is made of.
type JobInput struct {
	Project  model.Project
	Job      model.JobRow      // with its user and runner
	Pipeline model.Pipeline    // of the job, with all columns
	Retries  int64             // how many jobs it has replaced
	Author   *model.User       // of the commit, if the service knows the address
	Tiers    map[string]string // of the environment of the job, by name
	Source   *SourcePipelineInput
	Now      time.Time // ends the durations of a job that still runs
}

// Job is the body of a job.
type Job struct {
	ObjectKind          string           `json:"object_kind"`
	Ref                 string           `json:"ref"`
	Tag                 bool             `json:"tag"`
	BeforeSHA           string           `json:"before_sha"`
	SHA                 string           `json:"sha"`
	RetriesCount        int64            `json:"retries_count"`
	BuildID             int64            `json:"build_id"`
	BuildName           string           `json:"build_name"`
	BuildStage          string           `json:"build_stage"`
	BuildStatus         string           `json:"build_status"`
	BuildCreatedAt      string           `json:"build_created_at"`
	BuildStartedAt      *string          `json:"build_started_at"`
	BuildFinishedAt     *string          `json:"build_finished_at"`
	BuildCreatedAtISO   string           `json:"build_created_at_iso"`
	BuildStartedAtISO   *string          `json:"build_started_at_iso"`
	BuildFinishedAtISO  *string          `json:"build_finished_at_iso"`
	BuildDuration       *float64         `json:"build_duration"`
	BuildQueuedDuration *float64         `json:"build_queued_duration"`
	BuildAllowFailure   bool             `json:"build_allow_failure"`
	BuildFailureReason  string           `json:"build_failure_reason"`
	PipelineID          int64            `json:"pipeline_id"`
	Runner              *Runner          `json:"runner"`
	ProjectID           int64            `json:"project_id"`
	ProjectName         string           `json:"project_name"` // with the names of its groups
	User                *User            `json:"user"`
	Commit              JobCommit        `json:"commit"`
	Repository          RepositoryDetail `json:"repository"`
	Project             ProjectBasic     `json:"project"`
	Environment         *Environment     `json:"environment"`
	SourcePipeline      *SourcePipeline  `json:"source_pipeline,omitempty"`
}

// JobCommit is the pipeline of a job with its commit.
type JobCommit struct {
	ID            int64   `json:"id"` // of the pipeline
	Name          *string `json:"name"`
	SHA           string  `json:"sha"`
	Message       string  `json:"message"`
	AuthorName    string  `json:"author_name"`
	AuthorEmail   string  `json:"author_email"`
	AuthorURL     string  `json:"author_url"`
	Status        string  `json:"status"`
	Duration      *int64  `json:"duration"`
	StartedAt     *string `json:"started_at"`
	FinishedAt    *string `json:"finished_at"`
	StartedAtISO  *string `json:"started_at_iso"`
	FinishedAtISO *string `json:"finished_at_iso"`
}

// noFailure is the failure reason of a job that did not fail.
const noFailure = "unknown_failure"

// Job builds the body of a job.
func (i Instance) Job(in JobInput) Job {
	j, p := in.Job.Job, in.Pipeline
	body := Job{
		ObjectKind: "build", Ref: j.Ref, Tag: j.Tag, BeforeSHA: beforeSHA(p), SHA: p.SHA, RetriesCount: in.Retries,
		BuildID: j.ID, BuildName: j.Name, BuildStage: j.Stage, BuildStatus: j.Status,
		BuildCreatedAt: stamp(j.CreatedAt), BuildStartedAt: written(j.StartedAt, stamp), BuildFinishedAt: written(j.FinishedAt, stamp),
		BuildCreatedAtISO: iso(j.CreatedAt), BuildStartedAtISO: written(j.StartedAt, iso), BuildFinishedAtISO: written(j.FinishedAt, iso),
		BuildDuration: between(j.StartedAt, j.FinishedAt, in.Now), BuildQueuedDuration: queued(j, in.Now),
		BuildAllowFailure: j.AllowFailure, BuildFailureReason: noFailure, PipelineID: p.ID, Runner: runner(in.Job.Runner),
		ProjectID: in.Project.ID, ProjectName: in.Project.FullName, User: i.userOrNull(in.Job.User), Commit: i.jobCommit(p, in.Author),
		Repository: i.repositoryDetail(in.Project), Project: i.projectBasic(in.Project), Environment: environment(j, in.Tiers),
		SourcePipeline: i.sourcePipeline(in.Source),
	}
	if j.Status == "failed" && j.FailureReason != nil {
		body.BuildFailureReason = *j.FailureReason
	}
	return body
}

func (i Instance) jobCommit(p model.Pipeline, author *model.User) JobCommit {
	shown := JobCommit{
		ID: p.ID, Name: p.Name, SHA: p.SHA, Status: p.Status, Duration: p.Duration,
		StartedAt: written(p.StartedAt, stamp), FinishedAt: written(p.FinishedAt, stamp),
		StartedAtISO: written(p.StartedAt, iso), FinishedAtISO: written(p.FinishedAt, iso),
	}
	if c := storedCommit(p); c != nil {
		shown.Message, shown.AuthorName, shown.AuthorEmail = c.Message, c.Author.Name, c.Author.Email
		shown.AuthorURL = "mailto:" + c.Author.Email
	}
	if author != nil {
		shown.AuthorURL = i.userURL(*author)
	}
	return shown
}
