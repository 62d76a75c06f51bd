package cipages

import (
	"fmt"
	"strings"

	"svc/server/domain/ci/status"
	"svc/store/model"
)

// failureTexts explains the failures that people meet most often.
var failureTexts = map[status.Reason]string{
	status.UnknownFailure:              "the reason is not known.",
	status.ScriptFailure:               "its script ended with an error.",
	status.APIFailure:                  "the runner could not reach the service.",
	status.StuckOrTimeoutFailure:       "it waited too long for a runner.",
	status.RunnerSystemFailure:         "the machine of the runner had a problem.",
	status.MissingDependencyFailure:    "the artifacts of an earlier job are missing.",
	status.RunnerUnsupported:           "the runner is too old for this job.",
	status.StaleSchedule:               "it was delayed for too long.",
	status.JobExecutionTimeout:         "it took longer than its time limit.",
	status.ArchivedFailure:             "it is too old to run.",
	status.SchedulerFailure:            "the service could not give it to a runner.",
	status.FailedOutdatedDeploymentJob: "a newer deployment had started before it.",
	status.ForwardDeploymentFailure:    "a newer deployment had started before it.",
	status.UserBlocked:                 "the person who started it is blocked.",
	status.ProjectDeleted:              "its project was deleted.",
	status.NoMatchingRunner:            "no runner fits it.",
	status.TraceSizeExceeded:           "its log became too long.",
	status.BuildsDisabled:              "CI is turned off in this project.",
	status.ImagePullFailure:            "the runner could not download its image.",
	status.ConfigurationError:          "its configuration has a mistake.",
}

// failureText says why a job failed, or is empty.
func failureText(job model.Job) string {
	if job.FailureReason == nil || *job.FailureReason == "" {
		return ""
	}
	text := failureTexts[status.Reason(*job.FailureReason)]
	if text == "" {
		text = strings.ReplaceAll(*job.FailureReason, "_", " ") + "."
	}
	if job.ExitCode != nil && *job.ExitCode != 0 {
		text = fmt.Sprintf("%s The exit code is %d.", text, *job.ExitCode)
	}
	return text
}
