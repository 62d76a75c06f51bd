package api

import (
	"fmt"

	"svc/tests/harness"
)

// What writes but is no administrative change, and so writes no audit event, by the reason. All other writing operations must
// have grown the audit events in some test of this package.
var unaudited = map[string][]string{
	"it changes nothing": {
		"lintCi", "lintProjectCi", "introspectOauth", "userinfoOauth", "deleteOauthAuthorize", "verifyRunners",
	},
	"it is the work of a runner": {
		"requestJobs", "createJobArtifact", "updateJobTrace", "updateJob", "deleteRunnersManagers",
	},
	"an application gives back its own token; what a person allows or takes back is written down": {"revokeOauth"},
	"it is the use of CI, not its administration; the jobs themselves tell who did it": {
		"cancelProjectJob", "eraseProjectJob", "playProjectJob", "retryProjectJob",
		"createProjectPipeline", "deleteProjectPipeline", "cancelProjectPipeline", "retryProjectPipeline", "updateProjectPipelineMetadata",
		"createProjectTriggerPipeline", "createProjectRefTriggerPipeline",
		"deleteProjectArtifacts", "deleteProjectJobArtifacts", "keepProjectJobArtifacts",
		"createProjectEnvironment", "updateProjectEnvironment", "deleteProjectEnvironment", "stopProjectEnvironment", "updateProjectResourceGroup",
		"createProjectPipelineSchedule", "updateProjectPipelineSchedule", "deleteProjectPipelineSchedule", "playProjectPipelineSchedule",
		"createProjectPipelineScheduleVariable", "updateProjectPipelineScheduleVariable", "deleteProjectPipelineScheduleVariable",
	},
	"it is a push, or said of one: the activity tells of it": {
		"createProjectRepositoryBranch", "deleteProjectRepositoryBranch", "deleteProjectRepositoryMergedBranches",
		"createProjectRepositoryTag", "deleteProjectRepositoryTag", "createProjectRepositoryChangelog",
		"createProjectRepositoryCommit", "cherryPickProjectRepositoryCommit", "revertProjectRepositoryCommit",
		"createProjectRepositoryFile", "updateProjectRepositoryFile", "deleteProjectRepositoryFile",
		"createProjectRepositoryCommitComment", "createProjectStatus",
	},
	"it is a person's own liking": {
		"starProject", "unstarProject", "followUser", "unfollowUser", "updateCurrentUserAvatar", "updateCurrentUserPreferences",
		"updateCurrentUserStatus", "patchCurrentUserStatus",
	},
}

// unwritten tells of a writing operation that neither writes an audit event nor says why not.
func unwritten(r harness.Route) int {
	if !harness.Writes(r.Method) || harness.Recorded(r.Op.OperationID) {
		return 0
	}
	for _, operations := range unaudited {
		for _, operation := range operations {
			if operation == r.Op.OperationID {
				return 0
			}
		}
	}
	fmt.Printf("no test has seen an audit event of %s (%s %s), and it is not said why there is none\n", r.Op.OperationID, r.Method, r.Path)
	return 1
}
