package events

import "svc/store/model"

// SystemHook is the value of the header X-Gitlab-Event in deliveries to system hooks.
const SystemHook = "System Hook"

// HookKind is a kind of event that hooks can be set up for.
type HookKind struct {
	Event      model.HookEvents
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

// HookKinds lists every kind of event that has a flag, in the order in which hooks show their flags. Vulnerabilities
// do not exist in this service: their flag is stored, and nothing is sent.
var HookKinds = []HookKind{
	{
		Event: model.HookPush, Trigger: "push_hooks", Flag: "push_events", Header: "Push Hook", ObjectKind: "push",
		Project: true, Group: true, System: true, Sent: true, Testable: true,
	},
	{
		Event: model.HookTagPush, Trigger: "tag_push_hooks", Flag: "tag_push_events",
		Header: "Tag Push Hook", ObjectKind: "tag_push",
		Project: true, Group: true, System: true, Sent: true, Testable: true,
	},
	{
		Event: model.HookMergeRequests, Trigger: "merge_request_hooks", Flag: "merge_requests_events",
		Header: "Merge Request Hook", ObjectKind: "merge_request",
		Project: true, Group: true, System: true, Sent: true, Testable: true, Missing: "Ensure the project has merge requests.",
	},
	{
		Event: model.HookRepositoryUpdate, Trigger: "repository_update_hooks", Flag: "repository_update_events",
		Header: SystemHook, System: true, Sent: true,
	},
	{
		Event: model.HookIssues, Trigger: "issue_hooks", Flag: "issues_events", Header: "Issue Hook", ObjectKind: "issue",
		Project: true, Group: true, Sent: true, Testable: true, Missing: noIssues,
	},
	{
		Event: model.HookConfidentialIssues, Trigger: "confidential_issue_hooks", Flag: "confidential_issues_events",
		Header: "Confidential Issue Hook", ObjectKind: "issue",
		Project: true, Group: true, Sent: true, Testable: true, Missing: noIssues,
	},
	{
		Event: model.HookNotes, Trigger: "note_hooks", Flag: "note_events", Header: "Note Hook", ObjectKind: "note",
		Project: true, Group: true, Sent: true, Testable: true, Missing: noNotes,
	},
	{
		Event: model.HookConfidentialNotes, Trigger: "confidential_note_hooks", Flag: "confidential_note_events",
		Header: "Confidential Note Hook", ObjectKind: "note",
		Project: true, Group: true, Sent: true,
	},
	{
		Event: model.HookPipelines, Trigger: "pipeline_hooks", Flag: "pipeline_events",
		Header: "Pipeline Hook", ObjectKind: "pipeline",
		Project: true, Group: true, Sent: true, Testable: true, Missing: "Ensure the project has CI pipelines.",
	},
	{
		Event: model.HookWikiPages, Trigger: "wiki_page_hooks", Flag: "wiki_page_events",
		Header: "Wiki Page Hook", ObjectKind: "wiki_page",
		Project: true, Group: true, Sent: true, Testable: true, Missing: "Ensure the wiki is enabled and has pages.",
	},
	{
		Event: model.HookDeployments, Trigger: "deployment_hooks", Flag: "deployment_events",
		Header: "Deployment Hook", ObjectKind: "deployment",
		Project: true, Group: true, Sent: true,
	},
	{
		Event: model.HookFeatureFlags, Trigger: "feature_flag_hooks", Flag: "feature_flag_events",
		Header: "Feature Flag Hook", ObjectKind: "feature_flag",
		Project: true, Group: true, Sent: true,
	},
	{
		Event: model.HookJobs, Trigger: "job_hooks", Flag: "job_events", Header: "Job Hook", ObjectKind: "build",
		Project: true, Group: true, Sent: true, Testable: true, Missing: "Ensure the project has CI jobs.",
	},
	{
		Event: model.HookReleases, Trigger: "release_hooks", Flag: "releases_events",
		Header: "Release Hook", ObjectKind: "release",
		Project: true, Group: true, Sent: true, Testable: true, Missing: "Ensure the project has releases.",
	},
	{
		Event: model.HookMilestones, Trigger: "milestone_hooks", Flag: "milestone_events",
		Header: "Milestone Hook", ObjectKind: "milestone",
		Project: true, Group: true, Sent: true, Testable: true, Missing: "Ensure the project has milestones.",
	},
	{
		Event: model.HookEmoji, Trigger: "emoji_hooks", Flag: "emoji_events", Header: "Emoji Hook", ObjectKind: "emoji",
		Project: true, Group: true, Sent: true, Testable: true, Missing: noNotes,
	},
	{
		Event: model.HookAccessTokens, Trigger: "resource_access_token_hooks", Flag: "resource_access_token_events",
		Header:     "Resource Access Token Hook",
		ObjectKind: "access_token", Project: true, Group: true, Sent: true, Testable: true,
	},
	{
		Event: model.HookDeployTokens, Trigger: "resource_deploy_token_hooks", Flag: "resource_deploy_token_events",
		Header:     "Resource Deploy Token Hook",
		ObjectKind: "deploy_token", Project: true, Group: true, Sent: true,
	},
	{
		Event: model.HookVulnerabilities, Trigger: "vulnerability_hooks", Flag: "vulnerability_events",
		Header: "Vulnerability Hook", ObjectKind: "vulnerability",
		Project: true, Group: true, Testable: true, Missing: "Ensure the project has vulnerabilities.",
	},
	{
		Event: model.HookSubgroups, Trigger: "subgroup_hooks", Flag: "subgroup_events",
		Header: "Subgroup Hook", Group: true, Sent: true,
	},
	{Event: model.HookMembers, Trigger: "member_hooks", Flag: "member_events", Header: "Member Hook", Group: true, Sent: true},
	{
		Event: model.HookProjects, Trigger: "project_hooks", Flag: "project_events",
		Header: "Project Hook", Group: true, Sent: true, Testable: true,
	},
}

const (
	noIssues = "Ensure the project has issues."
	noNotes  = "Ensure the project has notes."
)

// instanceKind is the kind of the events of the instance, which every system hook gets.
var instanceKind = HookKind{Event: model.HookInstance, Trigger: "system_hooks", Header: SystemHook, System: true, Sent: true}

// HookKindOf returns the kind of an event.
func HookKindOf(event model.HookEvents) HookKind {
	kind, found := findHookKind(func(k HookKind) bool { return k.Event == event })
	if !found {
		return instanceKind
	}
	return kind
}

// HookKindByFlag returns the kind that a flag of a hook asks for.
func HookKindByFlag(flag string) (HookKind, bool) {
	return findHookKind(func(k HookKind) bool { return k.Flag == flag })
}

func findHookKind(matches func(HookKind) bool) (HookKind, bool) {
	for _, k := range HookKinds {
		if matches(k) {
			return k, true
		}
	}
	return HookKind{}, false
}
