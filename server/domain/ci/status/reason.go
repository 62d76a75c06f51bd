package status

import "slices"

// Reason is why a job failed, as the API shows it.
type Reason string

// The failure reasons.
const (
	UnknownFailure                     Reason = "unknown_failure"
	ScriptFailure                      Reason = "script_failure"
	APIFailure                         Reason = "api_failure"
	StuckOrTimeoutFailure              Reason = "stuck_or_timeout_failure"
	RunnerSystemFailure                Reason = "runner_system_failure"
	MissingDependencyFailure           Reason = "missing_dependency_failure"
	RunnerUnsupported                  Reason = "runner_unsupported"
	StaleSchedule                      Reason = "stale_schedule"
	JobExecutionTimeout                Reason = "job_execution_timeout"
	ArchivedFailure                    Reason = "archived_failure"
	UnmetPrerequisites                 Reason = "unmet_prerequisites"
	SchedulerFailure                   Reason = "scheduler_failure"
	DataIntegrityFailure               Reason = "data_integrity_failure"
	ForwardDeploymentFailure           Reason = "forward_deployment_failure"
	FailedOutdatedDeploymentJob        Reason = "failed_outdated_deployment_job"
	UserBlocked                        Reason = "user_blocked"
	ProjectDeleted                     Reason = "project_deleted"
	CIQuotaExceeded                    Reason = "ci_quota_exceeded"
	PipelineLoopDetected               Reason = "pipeline_loop_detected"
	NoMatchingRunner                   Reason = "no_matching_runner"
	TraceSizeExceeded                  Reason = "trace_size_exceeded"
	BuildsDisabled                     Reason = "builds_disabled"
	EnvironmentCreationFailure         Reason = "environment_creation_failure"
	DeploymentRejected                 Reason = "deployment_rejected"
	ProtectedEnvironmentFailure        Reason = "protected_environment_failure"
	IPRestrictionFailure               Reason = "ip_restriction_failure"
	InsufficientBridgePermissions      Reason = "insufficient_bridge_permissions"
	DownstreamBridgeProjectNotFound    Reason = "downstream_bridge_project_not_found"
	InvalidBridgeTrigger               Reason = "invalid_bridge_trigger"
	UpstreamBridgeProjectNotFound      Reason = "upstream_bridge_project_not_found"
	InsufficientUpstreamPermissions    Reason = "insufficient_upstream_permissions"
	BridgePipelineIsChildPipeline      Reason = "bridge_pipeline_is_child_pipeline"
	DownstreamPipelineCreationFailed   Reason = "downstream_pipeline_creation_failed"
	ReachedMaxDescendantPipelinesDepth Reason = "reached_max_descendant_pipelines_depth"
	ReachedMaxPipelineHierarchySize    Reason = "reached_max_pipeline_hierarchy_size"
	SecretsProviderNotFound            Reason = "secrets_provider_not_found"
	ImagePullFailure                   Reason = "image_pull_failure"
	ConfigurationError                 Reason = "configuration_error"
)

// RunnerReasons are the reasons that a runner may report. The payload of a job lists them for the runner.
var RunnerReasons = []Reason{
	UnknownFailure, ScriptFailure, RunnerSystemFailure, JobExecutionTimeout, ImagePullFailure, ConfigurationError,
}

// ReportedReason returns the reason to store when a runner reports a failure: the reported one if runners may report
// it, otherwise UnknownFailure.
func ReportedReason(told string) Reason {
	if reason := Reason(told); slices.Contains(RunnerReasons, reason) {
		return reason
	}
	return UnknownFailure
}
