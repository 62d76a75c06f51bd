package api

import (
	"fmt"

	"svc/tests/harness"
)

// unaudited lists, by reason, the operations that write but make no administrative change, and so record no audit
// event. Every other writing operation must record an audit event in some test of this package.
var unaudited = map[string][]string{
	"it changes nothing": {
		"testHook", "testGroupHook", "testProjectHook", "resendGroupHookEvent", "resendProjectHookEvent",
		"lintCi", "lintProjectCi", "createMarkdown", "introspectOauthToken", "postOauthUserinfo", "deleteOauthAuthorize", "verifyRunner",
		"registerFeatureFlagsUnleashClient", "sendFeatureFlagsUnleashClientMetrics",
	},
	"it is the work of a runner": {
		"requestJob", "uploadJobArtifacts", "appendJobTrace", "updateJob", "unregisterRunnerManager",
	},
	"it is the use of CI, not its administration; the jobs themselves tell who did it": {
		"cancelProjectJob", "eraseProjectJob", "playProjectJob", "retryProjectJob",
		"createProjectPipeline", "deleteProjectPipeline", "cancelProjectPipeline", "retryProjectPipeline", "updateProjectPipelineMetadata",
		"triggerProjectPipeline", "triggerProjectPipelineForRef",
		"lockProjectTerraformState",
		"deleteProjectArtifacts", "deleteProjectJobArtifacts", "keepProjectJobArtifacts",
		"createProjectEnvironment", "updateProjectEnvironment", "deleteProjectEnvironment", "stopProjectEnvironment",
		"stopProjectEnvironmentsStale",
		"updateProjectResourceGroup",
		"createProjectPipelineSchedule", "updateProjectPipelineSchedule", "deleteProjectPipelineSchedule", "playProjectPipelineSchedule",
		"createProjectPipelineScheduleVariable", "updateProjectPipelineScheduleVariable", "deleteProjectPipelineScheduleVariable",
	},
	"it is a push, or a remark on one: the activity shows it": {
		"createProjectRepositoryBranch", "deleteProjectRepositoryBranch", "deleteProjectRepositoryMergedBranches",
		"createProjectRepositoryTag", "deleteProjectRepositoryTag", "createProjectRepositoryChangelog",
		"createProjectRepositoryCommit", "cherryPickProjectRepositoryCommit", "revertProjectRepositoryCommit",
		"updateProjectRepositorySubmodule",
		"createProjectRepositoryFile", "updateProjectRepositoryFile", "deleteProjectRepositoryFile",
		"createProjectRepositoryCommitComment", "createProjectStatus",
	},
	"it is an attachment of a text, which tells of it": {"createProjectUpload", "createGroupUpload"},
	"it is a person's own liking": {
		"starProject", "unstarProject", "followUser", "unfollowUser", "updateCurrentUserAvatar", "updateCurrentUserPreferences",
		"updateCurrentUserStatus", "patchCurrentUserStatus",
		"createProjectIssueTodo", "createProjectMergeRequestTodo", "markTodoAsDone", "markAllTodosAsDone",
		"subscribeGroupLabel", "subscribeProjectIssue", "subscribeProjectLabel",
		"subscribeProjectMergeRequest", "unsubscribeGroupLabel", "unsubscribeProjectIssue", "unsubscribeProjectLabel",
		"unsubscribeProjectMergeRequest",
		"updateGroupNotificationSettings", "updateNotificationSettings", "updateProjectNotificationSettings",
	},
	"it is the daily work on issues and merge requests: the activity, or the notes beside them, tell of it": {
		"addProjectIssueSpentTime", "addProjectMergeRequestSpentTime", "resetProjectMergeRequestSpentTime",
		"resetProjectMergeRequestTimeEstimate",
		"setProjectMergeRequestTimeEstimate", "approveProjectMergeRequest", "resetProjectMergeRequestApprovals",
		"createProjectMergeRequestStatusCheckResponse", "retryProjectMergeRequestStatusCheck",
		"cancelProjectMergeRequestAutoMerge", "cloneProjectIssue",
		"createGroupEpicAwardEmoji", "createGroupEpicDiscussion", "createGroupEpicDiscussionNote",
		"createGroupEpicNote", "deleteGroupEpicAwardEmoji", "deleteGroupEpicDiscussionNote",
		"deleteGroupEpicNote", "updateGroupEpicDiscussionNote", "updateGroupEpicNote",
		"createGroupEpicRelatedEpic", "deleteGroupEpicRelatedEpic",
		"createGroupEpic", "createGroupEpicEpic", "createGroupEpicIssue", "assignGroupEpicEpic", "updateGroupEpic", "updateGroupEpicEpic",
		"updateGroupEpicIssue", "deleteGroupEpicIssue", "unassignGroupEpicEpic",
		"createGroupBoard", "createGroupBoardList", "createGroupLabel", "createGroupMilestone", "createProjectBoard",
		"createProjectBoardList",
		"createProjectIssue", "createProjectIssueAwardEmoji", "createProjectIssueDiscussion",
		"createProjectIssueDiscussionNote", "createProjectIssueLink",
		"createProjectIssueNote", "createProjectIssueNoteAwardEmoji", "createProjectLabel", "createProjectMergeRequest",
		"createProjectMergeRequestAwardEmoji", "createProjectMergeRequestDiscussion", "createProjectMergeRequestDiscussionNote",
		"createProjectMergeRequestNote", "createProjectMergeRequestNoteAwardEmoji",
		"createProjectMergeRequestPipeline", "createProjectMilestone",
		"createProjectRepositoryCommitDiscussion", "createProjectRepositoryCommitDiscussionNote", "deleteGroupBoard",
		"deleteGroupBoardList",
		"deleteGroupLabel", "deleteGroupLabels", "deleteGroupMilestone", "deleteProjectBoard",
		"deleteProjectBoardList", "deleteProjectIssueAwardEmoji",
		"deleteProjectIssueDiscussionNote", "deleteProjectIssueLink", "deleteProjectIssueNote",
		"deleteProjectIssueNoteAwardEmoji", "deleteProjectLabel",
		"deleteProjectLabels", "deleteProjectMergeRequestAwardEmoji", "deleteProjectMergeRequestDiscussionNote",
		"deleteProjectMergeRequestNote",
		"deleteProjectMergeRequestNoteAwardEmoji", "deleteProjectMilestone",
		"deleteProjectRepositoryCommitDiscussionNote", "moveProjectIssue",
		"promoteProjectMilestone", "resetProjectIssueSpentTime", "resetProjectIssueTimeEstimate", "setProjectIssueTimeEstimate",
		"unapproveProjectMergeRequest", "updateGroupBoard", "updateGroupBoardList", "updateGroupLabel",
		"updateGroupLabels", "updateGroupMilestone",
		"updateProjectBoard", "updateProjectBoardList", "updateProjectIssue", "updateProjectIssueDiscussionNote", "updateProjectIssueNote",
		"reorderProjectIssue", "updateProjectLabel", "promoteProjectLabel", "updateProjectLabels", "updateProjectMergeRequest",
		"updateProjectMergeRequestDiscussion", "updateProjectMergeRequestDiscussionNote", "mergeProjectMergeRequest",
		"updateProjectMergeRequestNote", "rebaseProjectMergeRequest", "updateProjectMilestone",
		"updateProjectRepositoryCommitDiscussionNote",
		"createProjectMergeRequestDraftNote", "updateProjectMergeRequestDraftNote", "deleteProjectMergeRequestDraftNote",
		"publishProjectMergeRequestDraftNote", "publishProjectMergeRequestDraftNotes", "applySuggestion", "applySuggestions",
	},
	"it is a comment on a snippet, or a reaction to one; the activity shows it": {
		"createProjectSnippetAwardEmoji", "createProjectSnippetDiscussion", "createProjectSnippetDiscussionNote",
		"createProjectSnippetNote", "createProjectSnippetNoteAwardEmoji", "deleteProjectSnippetAwardEmoji",
		"deleteProjectSnippetDiscussionNote", "deleteProjectSnippetNote", "deleteProjectSnippetNoteAwardEmoji",
		"updateProjectSnippetDiscussionNote", "updateProjectSnippetNote",
	},
	"it is the daily work on alerts; the notes of the incident tell of it": {"testProjectAlertIntegration", "updateProjectAlert"},
	"it is the work of programs that fail, or on their errors": {
		"sendErrorTrackingEnvelope", "sendErrorTrackingEvent", "updateProjectErrorTrackingError",
	},
}

// missingAudit returns 1 and prints a message for a writing operation that neither records an audit event nor is listed in
// unaudited.
func missingAudit(r harness.Route) int {
	if !harness.Writes(r.Method) || harness.RecordedAudit(r.Op.OperationID) {
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
