package payload

// The triggers of project and group hooks, as the log of deliveries names them.
const (
	TriggerPush                = "push_hooks"
	TriggerTagPush             = "tag_push_hooks"
	TriggerIssue               = "issue_hooks"
	TriggerConfidentialIssue   = "confidential_issue_hooks"
	TriggerNote                = "note_hooks"
	TriggerConfidentialNote    = "confidential_note_hooks"
	TriggerMergeRequest        = "merge_request_hooks"
	TriggerJob                 = "job_hooks"
	TriggerPipeline            = "pipeline_hooks"
	TriggerWikiPage            = "wiki_page_hooks"
	TriggerDeployment          = "deployment_hooks"
	TriggerFeatureFlag         = "feature_flag_hooks"
	TriggerRelease             = "release_hooks"
	TriggerMilestone           = "milestone_hooks"
	TriggerMember              = "member_hooks"
	TriggerSubgroup            = "subgroup_hooks"
	TriggerProject             = "project_hooks"
	TriggerEmoji               = "emoji_hooks"
	TriggerResourceAccessToken = "resource_access_token_hooks"
	TriggerResourceDeployToken = "resource_deploy_token_hooks"
	TriggerVulnerability       = "vulnerability_hooks"
	TriggerRepositoryUpdate    = "repository_update_hooks" // only system hooks
)

// SystemHeader is the value of the header X-Gitlab-Event of every delivery of a system hook.
const SystemHeader = "System Hook"

// Event is a kind of event that hooks can be set up for.
type Event struct {
	Trigger    string // as the log of deliveries names it
	Flag       string // the member of a hook that asks for it, and the trigger of a test
	Header     string // the value of the header X-Gitlab-Event
	ObjectKind string // of the body; empty for bodies that have only an event_name
	Project    bool   // project and group hooks have the flag
	Group      bool   // group hooks have the flag
	System     bool   // system hooks have the flag
	Sent       bool   // this service sends it; otherwise the flag is only stored
	Testable   bool   // a test of the hook can send it
	Missing    string // the error of a test for a project without anything to send; empty if there is always something
}

// Events lists every kind of event, in the order in which hooks show their flags. Feature flags and vulnerabilities do
// not exist in this service: their flags are stored, and nothing is sent.
var Events = []Event{
	{
		Trigger: TriggerPush, Flag: "push_events", Header: "Push Hook", ObjectKind: "push",
		Project: true, Group: true, System: true, Sent: true, Testable: true,
	},
	{
		Trigger: TriggerTagPush, Flag: "tag_push_events", Header: "Tag Push Hook", ObjectKind: "tag_push",
		Project: true, Group: true, System: true, Sent: true, Testable: true,
	},
	{
		Trigger: TriggerMergeRequest, Flag: "merge_requests_events", Header: "Merge Request Hook", ObjectKind: "merge_request",
		Project: true, Group: true, System: true, Sent: true, Testable: true, Missing: "Ensure the project has merge requests.",
	},
	{Trigger: TriggerRepositoryUpdate, Flag: "repository_update_events", Header: SystemHeader, System: true, Sent: true},
	{
		Trigger: TriggerIssue, Flag: "issues_events", Header: "Issue Hook", ObjectKind: "issue",
		Project: true, Group: true, Sent: true, Testable: true, Missing: noIssues,
	},
	{
		Trigger: TriggerConfidentialIssue, Flag: "confidential_issues_events", Header: "Confidential Issue Hook", ObjectKind: "issue",
		Project: true, Group: true, Sent: true, Testable: true, Missing: noIssues,
	},
	{
		Trigger: TriggerNote, Flag: "note_events", Header: "Note Hook", ObjectKind: "note",
		Project: true, Group: true, Sent: true, Testable: true, Missing: noNotes,
	},
	{
		Trigger: TriggerConfidentialNote, Flag: "confidential_note_events", Header: "Confidential Note Hook", ObjectKind: "note",
		Project: true, Group: true, Sent: true,
	},
	{
		Trigger: TriggerPipeline, Flag: "pipeline_events", Header: "Pipeline Hook", ObjectKind: "pipeline",
		Project: true, Group: true, Sent: true, Testable: true, Missing: "Ensure the project has CI pipelines.",
	},
	{
		Trigger: TriggerWikiPage, Flag: "wiki_page_events", Header: "Wiki Page Hook", ObjectKind: "wiki_page",
		Project: true, Group: true, Sent: true, Testable: true, Missing: "Ensure the wiki is enabled and has pages.",
	},
	{
		Trigger: TriggerDeployment, Flag: "deployment_events", Header: "Deployment Hook", ObjectKind: "deployment",
		Project: true, Group: true, Sent: true,
	},
	{
		Trigger: TriggerFeatureFlag, Flag: "feature_flag_events", Header: "Feature Flag Hook", ObjectKind: "feature_flag",
		Project: true, Group: true,
	},
	{
		Trigger: TriggerJob, Flag: "job_events", Header: "Job Hook", ObjectKind: "build",
		Project: true, Group: true, Sent: true, Testable: true, Missing: "Ensure the project has CI jobs.",
	},
	{
		Trigger: TriggerRelease, Flag: "releases_events", Header: "Release Hook", ObjectKind: "release",
		Project: true, Group: true, Sent: true, Testable: true, Missing: "Ensure the project has releases.",
	},
	{
		Trigger: TriggerMilestone, Flag: "milestone_events", Header: "Milestone Hook", ObjectKind: "milestone",
		Project: true, Group: true, Sent: true, Testable: true, Missing: "Ensure the project has milestones.",
	},
	{
		Trigger: TriggerEmoji, Flag: "emoji_events", Header: "Emoji Hook", ObjectKind: "emoji",
		Project: true, Group: true, Sent: true, Testable: true, Missing: noNotes,
	},
	{
		Trigger: TriggerResourceAccessToken, Flag: "resource_access_token_events", Header: "Resource Access Token Hook",
		ObjectKind: "access_token", Project: true, Group: true, Sent: true, Testable: true,
	},
	{
		Trigger: TriggerResourceDeployToken, Flag: "resource_deploy_token_events", Header: "Resource Deploy Token Hook",
		ObjectKind: "deploy_token", Project: true, Group: true, Sent: true,
	},
	{
		Trigger: TriggerVulnerability, Flag: "vulnerability_events", Header: "Vulnerability Hook", ObjectKind: "vulnerability",
		Project: true, Group: true, Testable: true, Missing: "Ensure the project has vulnerabilities.",
	},
	{Trigger: TriggerSubgroup, Flag: "subgroup_events", Header: "Subgroup Hook", Group: true, Sent: true},
	{Trigger: TriggerMember, Flag: "member_events", Header: "Member Hook", Group: true, Sent: true},
	{Trigger: TriggerProject, Flag: "project_events", Header: "Project Hook", Group: true, Sent: true, Testable: true},
}

const (
	noIssues = "Ensure the project has issues."
	noNotes  = "Ensure the project has notes."
)

// EventByTrigger returns the event with a trigger.
func EventByTrigger(trigger string) (Event, bool) {
	return findEvent(func(e Event) bool { return e.Trigger == trigger })
}

// EventByFlag returns the event that a flag of a hook asks for.
func EventByFlag(flag string) (Event, bool) {
	return findEvent(func(e Event) bool { return e.Flag == flag })
}

func findEvent(matches func(Event) bool) (Event, bool) {
	for _, e := range Events {
		if matches(e) {
			return e, true
		}
	}
	return Event{}, false
}

// The events of members and subgroups of groups, and of projects, for group hooks and system hooks. A group hook gets
// EventUserAccessRequestDeniedForGroup where a system hook gets EventUserAccessRequestRevokedForGroup.
const (
	EventUserAddToGroup                   = "user_add_to_group"
	EventUserUpdateForGroup               = "user_update_for_group"
	EventUserRemoveFromGroup              = "user_remove_from_group"
	EventUserAccessRequestToGroup         = "user_access_request_to_group"
	EventUserAccessRequestDeniedForGroup  = "user_access_request_denied_for_group"
	EventUserAccessRequestRevokedForGroup = "user_access_request_revoked_for_group"
	EventSubgroupCreate                   = "subgroup_create"
	EventSubgroupDestroy                  = "subgroup_destroy"
	EventProjectCreate                    = "project_create"
	EventProjectDestroy                   = "project_destroy"
)

// The other events of system hooks.
const (
	EventProjectUpdate                      = "project_update" // anything but the path
	EventProjectRename                      = "project_rename" // the path, in the same namespace
	EventProjectTransfer                    = "project_transfer"
	EventUserCreate                         = "user_create"
	EventUserDestroy                        = "user_destroy"
	EventUserRename                         = "user_rename"
	EventUserFailedLogin                    = "user_failed_login" // only of blocked users
	EventKeyCreate                          = "key_create"
	EventKeyDestroy                         = "key_destroy"
	EventGroupCreate                        = "group_create"
	EventGroupDestroy                       = "group_destroy"
	EventGroupRename                        = "group_rename"
	EventUserAddToTeam                      = "user_add_to_team"
	EventUserUpdateForTeam                  = "user_update_for_team"
	EventUserRemoveFromTeam                 = "user_remove_from_team"
	EventUserAccessRequestToProject         = "user_access_request_to_project"
	EventUserAccessRequestRevokedForProject = "user_access_request_revoked_for_project"
	EventRepositoryUpdate                   = "repository_update"
)

// SystemEvents lists the events that every system hook gets. Pushes, tags, merge requests and repository_update depend
// on flags.
var SystemEvents = []string{
	EventProjectCreate, EventProjectDestroy, EventProjectUpdate, EventProjectRename, EventProjectTransfer,
	EventUserCreate, EventUserDestroy, EventUserRename, EventUserFailedLogin, EventKeyCreate, EventKeyDestroy,
	EventGroupCreate, EventGroupDestroy, EventGroupRename,
	EventUserAddToGroup, EventUserUpdateForGroup, EventUserRemoveFromGroup,
	EventUserAccessRequestToGroup, EventUserAccessRequestRevokedForGroup,
	EventUserAddToTeam, EventUserUpdateForTeam, EventUserRemoveFromTeam,
	EventUserAccessRequestToProject, EventUserAccessRequestRevokedForProject,
}
