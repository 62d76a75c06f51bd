package store

import "svc/store/model"

// jobColumns are all columns of a job. jobFields returns the destinations in the same order.
const jobColumns = "j.id, j.project_id, j.pipeline_id, j.user_id, j.bridge, j.name, j.stage, j.stage_index, j.status, j.run_when, " +
	"j.allow_failure, j.needs, j.ref, j.tag, j.protected, j.tags, j.interruptible, j.resource_group, j.environment, " +
	"j.environment_action, j.environment_url, " +
	"j.start_in, j.timeout, j.retried, j.attempt, j.runner_id, j.runner_manager_id, j.digest, j.failure_reason, " +
	"j.exit_code, j.coverage, j.debug, j.downstream_id, j.log_size, j.log_sum, j.artifacts_expire_at, j.created_at, " +
	"j.updated_at, j.queued_at, j.scheduled_at, j.started_at, j.contacted_at, j.deadline_at, j.finished_at, " +
	"j.erased_at"

func jobFields(j *model.Job) []any {
	return []any{
		&j.ID, &j.ProjectID, &j.PipelineID, &j.UserID, &j.Bridge, &j.Name, &j.Stage, &j.StageIndex, &j.Status,
		&j.RunWhen, &j.AllowFailure, &j.Needs, &j.Ref, &j.Tag, &j.Protected, &j.Tags, &j.Interruptible,
		&j.ResourceGroup, &j.Environment, &j.EnvironmentAction, &j.EnvironmentURL, &j.StartIn, &j.Timeout, &j.Retried,
		&j.Attempt, &j.RunnerID,
		&j.RunnerManagerID, &j.Digest, &j.FailureReason, &j.ExitCode, &j.Coverage, &j.Debug, &j.DownstreamID,
		&j.LogSize, &j.LogSum, &j.ArtifactsExpireAt, &j.CreatedAt, &j.UpdatedAt, &j.QueuedAt, &j.ScheduledAt,
		&j.StartedAt, &j.ContactedAt, &j.DeadlineAt, &j.FinishedAt, &j.ErasedAt,
	}
}

// shownJobColumns are the columns of a job in lists. shownJobFields returns the destinations in the same order.
const shownJobColumns = "j.id, j.project_id, j.pipeline_id, j.user_id, j.bridge, j.name, j.stage, j.status, " +
	"j.allow_failure, j.ref, j.tag, j.tags, j.runner_id, " +
	"j.runner_manager_id, j.failure_reason, j.coverage, j.downstream_id, j.log_size, j.artifacts_expire_at, " +
	"j.created_at, j.queued_at, j.started_at, j.finished_at, j.erased_at"

func shownJobFields(j *model.Job) []any {
	return append(make([]any, 0, 40),
		&j.ID, &j.ProjectID, &j.PipelineID, &j.UserID, &j.Bridge, &j.Name, &j.Stage, &j.Status, &j.AllowFailure, &j.Ref, &j.Tag,
		&j.Tags, &j.RunnerID,
		&j.RunnerManagerID, &j.FailureReason, &j.Coverage, &j.DownstreamID, &j.LogSize, &j.ArtifactsExpireAt, &j.CreatedAt,
		&j.QueuedAt, &j.StartedAt, &j.FinishedAt, &j.ErasedAt)
}

// pipelineColumns are the columns of the pipeline of a job in lists, with its commit. pipelineFields returns the
// destinations in the same order.
const pipelineColumns = "p.id, p.iid, p.project_id, p.user_id, p.ref, p.sha, p.status, p.source, p.commit_data, p.created_at, p.updated_at"

func pipelineFields(p *model.Pipeline) []any {
	return []any{&p.ID, &p.IID, &p.ProjectID, &p.UserID, &p.Ref, &p.SHA, &p.Status, &p.Source, &p.CommitData, &p.CreatedAt, &p.UpdatedAt}
}

// wholePipelineColumns are all columns of a pipeline. wholePipelineFields returns the destinations in the same order.
const wholePipelineColumns = "p.id, p.project_id, p.iid, p.user_id, p.ref, p.tag, p.protected, p.sha, p.before_sha, " +
	"p.commit_data, p.source, p.status, p.name, p.yaml_errors, " +
	"p.failure_reason, p.stages, p.on_new_commit, p.on_job_failure, p.origin, p.schedule_id, p.upstream_job_id, " +
	"p.child, p.depth, p.duration, p.created_at, p.updated_at, p.started_at, p.finished_at, p.merge_request_id, p.deploy_freeze"

func wholePipelineFields(p *model.Pipeline) []any {
	return []any{
		&p.ID, &p.ProjectID, &p.IID, &p.UserID, &p.Ref, &p.Tag, &p.Protected, &p.SHA, &p.BeforeSHA, &p.CommitData, &p.Source,
		&p.Status, &p.Name, &p.YamlErrors,
		&p.FailureReason, &p.Stages, &p.OnNewCommit, &p.OnJobFailure, &p.Origin, &p.ScheduleID, &p.UpstreamJobID, &p.Child,
		&p.Depth, &p.Duration, &p.CreatedAt,
		&p.UpdatedAt, &p.StartedAt, &p.FinishedAt, &p.MergeRequestID, &p.DeployFreeze,
	}
}
