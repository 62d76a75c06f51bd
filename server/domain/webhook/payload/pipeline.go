package payload

import (
	"encoding/json"
	"strings"
	"time"

	"svc/store/git"
	"svc/store/model"
)

// PipelineInput is what the body of a pipeline is made of.
type PipelineInput struct {
	Project      model.Project
	Pipeline     model.Pipeline
	User         *model.User // who started it; nil if deleted
	MergeRequest *PipelineMergeRequestInput
	Jobs         []model.JobRow           // without retried jobs and bridges, in the order of the stages
	Variables    []model.PipelineVariable // only those that were given to this pipeline
	Tiers        map[string]string        // of the environments of its jobs, by name
	Source       *SourcePipelineInput     // nil without a parent
	Now          time.Time                // ends the durations of jobs that still run
}

// PipelineMergeRequestInput is the merge request that a pipeline is for.
type PipelineMergeRequestInput struct {
	MergeRequest   model.MergeRequest
	Target         model.Project // that it belongs to
	DetailedStatus string
}

// SourcePipelineInput is the job that has started a pipeline.
type SourcePipelineInput struct {
	Project    model.Project
	PipelineID int64
	JobID      int64
}

// Pipeline is the body of a pipeline.
type Pipeline struct {
	ObjectKind       string                `json:"object_kind"`
	ObjectAttributes PipelineAttributes    `json:"object_attributes"`
	MergeRequest     *PipelineMergeRequest `json:"merge_request"`
	User             *User                 `json:"user"`
	Project          ProjectBasic          `json:"project"`
	Commit           *Commit               `json:"commit"`
	Builds           []PipelineBuild       `json:"builds"`
	SourcePipeline   *SourcePipeline       `json:"source_pipeline,omitempty"`
}

// PipelineAttributes are the attributes of a pipeline.
type PipelineAttributes struct {
	ID             int64      `json:"id"`
	IID            int64      `json:"iid"`
	Name           *string    `json:"name"`
	Ref            string     `json:"ref"`
	Tag            bool       `json:"tag"`
	SHA            string     `json:"sha"`
	BeforeSHA      string     `json:"before_sha"`
	Source         string     `json:"source"`
	Status         string     `json:"status"`
	DetailedStatus string     `json:"detailed_status"`
	Stages         []string   `json:"stages"`
	CreatedAt      string     `json:"created_at"`
	FinishedAt     *string    `json:"finished_at"`
	Duration       *int64     `json:"duration"`
	QueuedDuration *int64     `json:"queued_duration"`
	ProtectedRef   bool       `json:"protected_ref"`
	DefaultBranch  bool       `json:"default_branch"`
	Variables      []Variable `json:"variables"`
	URL            string     `json:"url"`
}

// Variable is a variable that was given to a pipeline.
type Variable struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// PipelineMergeRequest is the merge request that a pipeline is for.
type PipelineMergeRequest struct {
	ID                  int64  `json:"id"`
	IID                 int64  `json:"iid"`
	Title               string `json:"title"`
	SourceBranch        string `json:"source_branch"`
	SourceProjectID     *int64 `json:"source_project_id"`
	TargetBranch        string `json:"target_branch"`
	TargetProjectID     int64  `json:"target_project_id"`
	State               string `json:"state"`
	MergeStatus         string `json:"merge_status"`
	DetailedMergeStatus string `json:"detailed_merge_status"`
	URL                 string `json:"url"`
}

// PipelineBuild is a job in the body of its pipeline.
type PipelineBuild struct {
	ID             int64         `json:"id"`
	Stage          string        `json:"stage"`
	Name           string        `json:"name"`
	Status         string        `json:"status"`
	CreatedAt      string        `json:"created_at"`
	StartedAt      *string       `json:"started_at"`
	FinishedAt     *string       `json:"finished_at"`
	Duration       *float64      `json:"duration"`
	QueuedDuration *float64      `json:"queued_duration"`
	FailureReason  *string       `json:"failure_reason"`
	When           string        `json:"when"`
	Manual         bool          `json:"manual"`
	AllowFailure   bool          `json:"allow_failure"`
	User           *User         `json:"user"`
	Runner         *Runner       `json:"runner"`
	ArtifactsFile  ArtifactsFile `json:"artifacts_file"`
	Environment    *Environment  `json:"environment"`
}

// Runner is the runner of a job.
type Runner struct {
	ID          int64    `json:"id"`
	Description string   `json:"description"`
	RunnerType  string   `json:"runner_type"`
	Active      bool     `json:"active"`
	IsShared    bool     `json:"is_shared"`
	Tags        []string `json:"tags"`
}

// ArtifactsFile is the archive that a job has uploaded; its members are null if there is none.
type ArtifactsFile struct {
	Filename *string `json:"filename"`
	Size     *int64  `json:"size"`
}

// Environment is what a job does with an environment.
type Environment struct {
	Name           string  `json:"name"`
	Action         string  `json:"action"`
	DeploymentTier *string `json:"deployment_tier"`
}

// SourcePipeline is the job that has started a pipeline.
type SourcePipeline struct {
	Project    SourceProject `json:"project"`
	PipelineID int64         `json:"pipeline_id"`
	JobID      int64         `json:"job_id"`
}

// SourceProject is the project of the job that has started a pipeline.
type SourceProject struct {
	ID                int64  `json:"id"`
	WebURL            string `json:"web_url"`
	PathWithNamespace string `json:"path_with_namespace"`
}

// Pipeline builds the body of a pipeline.
func (i Instance) Pipeline(in PipelineInput) Pipeline {
	return Pipeline{
		ObjectKind: "pipeline", ObjectAttributes: i.pipelineAttributes(in), MergeRequest: i.pipelineMergeRequest(in.MergeRequest),
		User: i.userOrNull(in.User), Project: i.projectBasic(in.Project), Commit: i.commitOrNull(in.Project, storedCommit(in.Pipeline)),
		Builds:         each(in.Jobs, func(j model.JobRow) PipelineBuild { return i.build(j, in.Tiers, in.Now) }),
		SourcePipeline: i.sourcePipeline(in.Source),
	}
}

func (i Instance) pipelineAttributes(in PipelineInput) PipelineAttributes {
	p := in.Pipeline
	a := PipelineAttributes{
		ID: p.ID, IID: p.IID, Name: p.Name, Ref: p.Ref, Tag: p.Tag, SHA: p.SHA, BeforeSHA: beforeSHA(p), Source: p.Source, Status: p.Status,
		DetailedStatus: statusLabel(p.Status, in.Jobs), Stages: texts(p.Stages), CreatedAt: stamp(p.CreatedAt),
		FinishedAt: written(p.FinishedAt, stamp), Duration: p.Duration, ProtectedRef: p.Protected,
		DefaultBranch: !p.Tag && p.Ref == in.Project.DefaultBranch, URL: i.page(in.Project, "pipelines", p.ID),
		Variables: each(in.Variables, func(v model.PipelineVariable) Variable { return Variable{v.Key, v.Value} }),
	}
	if in.MergeRequest != nil {
		a.Ref, a.DefaultBranch = in.MergeRequest.MergeRequest.SourceBranch, false
	}
	if p.StartedAt != nil {
		a.QueuedDuration = new(max(int64(p.StartedAt.Sub(p.CreatedAt).Seconds()), 0))
	}
	return a
}

// beforeSHA returns the commit before the push that started a pipeline; zeros if there is none.
func beforeSHA(p model.Pipeline) string {
	if p.BeforeSHA == "" {
		return git.Zero
	}
	return p.BeforeSHA
}

// statusLabel returns the status of a pipeline in words. A successful pipeline in which jobs with allow_failure failed
// has warnings.
func statusLabel(status string, jobs []model.JobRow) string {
	switch status {
	case "success":
		for _, j := range jobs {
			if j.Job.AllowFailure && (j.Job.Status == "failed" || j.Job.Status == "canceled") {
				return "passed with warnings"
			}
		}
		return "passed"
	case "manual":
		return "waiting for manual action"
	case "scheduled":
		return "waiting for delayed job"
	}
	return strings.ReplaceAll(status, "_", " ")
}

// storedCommit returns the commit that is stored with a pipeline, or nil.
func storedCommit(p model.Pipeline) *git.Commit { return readCommit(p.CommitData) }

// readCommit reads a commit that is stored as JSON, or returns nil if there is none.
func readCommit(data string) *git.Commit {
	var c git.Commit
	if json.Unmarshal([]byte(data), &c) != nil || c.ID == "" {
		return nil
	}
	return &c
}

// texts reads a list that is stored as JSON.
func texts(stored string) []string {
	list := []string{}
	_ = json.Unmarshal([]byte(stored), &list) // the service wrote it, so it can be read
	return list
}

func (i Instance) pipelineMergeRequest(in *PipelineMergeRequestInput) *PipelineMergeRequest {
	if in == nil {
		return nil
	}
	m := in.MergeRequest
	return &PipelineMergeRequest{
		ID: m.ID, IID: m.IID, Title: m.Title, SourceBranch: m.SourceBranch, SourceProjectID: m.SourceProjectID,
		TargetBranch: m.TargetBranch, TargetProjectID: m.ProjectID, State: m.State, MergeStatus: m.MergeStatus,
		DetailedMergeStatus: in.DetailedStatus, URL: i.mergeRequestURL(in.Target, m),
	}
}

func (i Instance) sourcePipeline(in *SourcePipelineInput) *SourcePipeline {
	if in == nil {
		return nil
	}
	project := SourceProject{ID: in.Project.ID, WebURL: i.web(in.Project), PathWithNamespace: in.Project.FullPath}
	return &SourcePipeline{Project: project, PipelineID: in.PipelineID, JobID: in.JobID}
}

func (i Instance) build(row model.JobRow, tiers map[string]string, now time.Time) PipelineBuild {
	j := row.Job
	shown := PipelineBuild{
		ID: j.ID, Stage: j.Stage, Name: j.Name, Status: j.Status, CreatedAt: stamp(j.CreatedAt), StartedAt: written(j.StartedAt, stamp),
		FinishedAt: written(j.FinishedAt, stamp), Duration: between(j.StartedAt, j.FinishedAt, now), QueuedDuration: queued(j, now),
		When: j.RunWhen, Manual: j.RunWhen == "manual", AllowFailure: j.AllowFailure, User: i.userOrNull(row.User),
		Runner: runner(row.Runner), Environment: environment(j, tiers),
	}
	if j.Status == "failed" {
		shown.FailureReason = j.FailureReason
	}
	for _, file := range row.Artifacts {
		if file.FileType == model.ArchiveArtifact {
			shown.ArtifactsFile = ArtifactsFile{&file.Filename, &file.Size}
		}
	}
	return shown
}

// between returns the seconds between two times; without an end, the seconds until now.
func between(from, to *time.Time, now time.Time) *float64 {
	if from == nil {
		return nil
	}
	if to != nil {
		now = *to
	}
	return new(max(now.Sub(*from).Seconds(), 0))
}

// queued returns the seconds that a job has waited for a runner.
func queued(j model.Job, now time.Time) *float64 {
	if j.StartedAt == nil && j.FinishedAt != nil {
		return between(j.QueuedAt, j.FinishedAt, now)
	}
	return between(j.QueuedAt, j.StartedAt, now)
}

func runner(r *model.Runner) *Runner {
	if r == nil {
		return nil
	}
	shown := &Runner{
		ID: r.ID, RunnerType: r.RunnerType, Active: !r.Paused, IsShared: r.RunnerType == model.InstanceRunner, Tags: texts(r.Tags),
	}
	if r.Description != nil {
		shown.Description = *r.Description
	}
	return shown
}

// environment returns what a job does with its environment, or nil. tiers are the tiers of environments, by name.
func environment(j model.Job, tiers map[string]string) *Environment {
	if j.Environment == nil {
		return nil
	}
	shown := &Environment{Name: *j.Environment, Action: "start"}
	if j.EnvironmentAction != nil {
		shown.Action = *j.EnvironmentAction
	}
	if tier := tiers[*j.Environment]; tier != "" {
		shown.DeploymentTier = &tier
	}
	return shown
}
