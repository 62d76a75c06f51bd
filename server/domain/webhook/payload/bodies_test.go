package payload

import (
	"time"

	"svc/server/platform/events"
	"svc/store/git"
	"svc/store/model"
)

// sample is a body with the name of its golden file and the type that client-go parses it into.
type sample struct {
	name   string
	header string // X-Gitlab-Event
	parsed string // empty if client-go does not know the event
	body   any
}

// header returns the header of an event.
func header(event model.HookEvents) string { return events.HookKindOf(event).Header }

// samples returns one body or more for every event.
func samples() []sample {
	return append(append(append(codeSamples(), planningSamples()...), ciSamples()...), placeSamples()...)
}

func codeSamples() []sample {
	push := here.Push(PushInput{
		Project: demo, User: ada, Change: git.Command{Ref: "refs/heads/main", Old: oldID, New: newID}, Protected: true,
		Options: []string{"ci.skip", "ci.variable=A=1"}, Commits: []CommitFiles{fixWithFiles}, Total: 1,
	})
	tag := here.Push(PushInput{
		Project: demo, User: bo, Change: git.Command{Ref: "refs/tags/v1.0.0", Old: git.Zero, New: tagID},
		Commits: []CommitFiles{fixWithFiles},
		Total:   1, Tag: &git.Tag{Name: "v1.0.0", Target: tagID, Commit: newID, Annotated: true, Message: "First"},
	})
	page := WikiPageInput{
		Project: demo, User: ada, Title: "How to", Content: "![map](/uploads/3f/map.png) and ![x](//x.example/x.png)", Format: "markdown",
		Message: "Create How to", Slug: "docs/How to", Version: newID, Action: ActionCreate,
	}
	gone := page
	gone.Action, gone.Content, gone.Message = ActionDelete, "", ""
	return []sample{
		{"push", header(model.HookPush), "*gitlab.PushEvent", push},
		{"push_deleted", header(model.HookPush), "*gitlab.PushEvent", here.Push(PushInput{
			Project: demo, User: bo, Change: git.Command{Ref: "refs/heads/old", Old: oldID, New: git.Zero},
		})},
		{"tag_push", header(model.HookTagPush), "*gitlab.TagEvent", tag},
		{"tag_push_deleted", header(model.HookTagPush), "*gitlab.TagEvent", here.Push(PushInput{
			Project: demo, User: bo, Change: git.Command{Ref: "refs/tags/v1.0.0", Old: tagID, New: git.Zero},
		})},
		{"system_push", events.SystemHook, "*gitlab.PushSystemEvent", push},
		{"system_tag_push", events.SystemHook, "*gitlab.TagPushSystemEvent", tag},
		{"repository_update", events.SystemHook, "*gitlab.RepositoryUpdateSystemEvent", here.RepositoryUpdate(RepositoryUpdateInput{
			Project: demo, User: ada, Changes: []git.Command{
				{Ref: "refs/heads/main", Old: oldID, New: newID}, {Ref: "refs/tags/v1.0.0", Old: git.Zero, New: tagID},
			},
		})},
		{"wiki_page", header(model.HookWikiPages), "*gitlab.WikiPageEvent", here.WikiPage(page)},
		{"wiki_page_deleted", header(model.HookWikiPages), "*gitlab.WikiPageEvent", here.WikiPage(gone)},
		{"feature_flag", header(model.HookFeatureFlags), "*gitlab.FeatureFlagEvent", here.FeatureFlag(FeatureFlagInput{
			Project: demo, User: ada, Flag: model.FeatureFlag{ID: 6, Name: "new_door", Description: new("Opens both ways"), Active: true},
		})},
		{"release", header(model.HookReleases), "*gitlab.ReleaseEvent", here.Release(release)},
	}
}

func planningSamples() []sample {
	opened := IssueInput{Project: demo, User: ada, Issue: door, Action: ActionOpen}
	before, closed := door, door
	closed.Issue.State, closed.Issue.ClosedAt, closed.Issue.TotalTimeSpent, closed.Assignees = model.Closed, &later, 5400, nil
	before.Issue.UpdatedAt = birth
	ended := IssueInput{
		Project: demo, User: ada, Issue: closed, Action: ActionClose, TimeChange: 5400,
		Changes: here.IssueChanges(demo, before, closed, 5400),
	}
	updated := MergeRequestInput{
		MergeRequestState: request, User: ada, Action: ActionUpdate, Changes: here.MergeRequestChanges(relabelled(), request, 0),
	}
	pushed := MergeRequestInput{MergeRequestState: request, User: bo, Action: ActionUpdate, OldRev: oldID}
	merged := MergeRequestInput{MergeRequestState: request, User: ada, Action: ActionMerge}
	m := &merged.Row.MergeRequest
	m.State, m.MergeStatus, m.MergeCommitSHA, m.MergeUserID, m.MergedAt = model.Merged, model.MergePossible, &oldID, &ada.ID, &later
	merged.DetailedStatus, merged.Source, merged.Reviewers, m.SourceProjectID = "not_open", nil, nil, nil
	merged.Row.Assignees, merged.Row.Labels = nil, nil
	merged.Changes = here.MergeRequestChanges(request, merged.MergeRequestState, 0)
	reset := pushed
	reset.OldRev, reset.Action, reset.SystemAction = "", ActionUnapproved, "approvals_reset_on_push"
	group := plan
	group.ProjectID, group.GroupID, group.State = nil, &team.ID, model.MilestoneClosed
	return append([]sample{
		{"issue", header(model.HookIssues), "*gitlab.IssueEvent", here.Issue(opened)},
		{"issue_closed", header(model.HookIssues), "*gitlab.IssueEvent", here.Issue(ended)},
		{"confidential_issue", header(model.HookConfidentialIssues), "*gitlab.IssueEvent", here.Issue(IssueInput{
			Project: demo, User: ada, Issue: secret, Action: ActionUpdate,
		})},
		{"merge_request_updated", header(model.HookMergeRequests), "*gitlab.MergeEvent", here.MergeRequest(updated)},
		{"merge_request", header(model.HookMergeRequests), "*gitlab.MergeEvent", here.MergeRequest(pushed)},
		{"merge_request_merged", header(model.HookMergeRequests), "*gitlab.MergeEvent", here.MergeRequest(merged)},
		{"merge_request_reset", header(model.HookMergeRequests), "*gitlab.MergeEvent", here.MergeRequest(reset)},
		{"system_merge_request", events.SystemHook, "*gitlab.MergeEvent", here.MergeRequest(pushed)},
		{"milestone", header(model.HookMilestones), "*gitlab.MilestoneWebhookEvent", here.Milestone(MilestoneInput{
			Project: &demo, Milestone: plan, Action: ActionCreate,
		})},
		{"group_milestone", header(model.HookMilestones), "*gitlab.MilestoneWebhookEvent", here.Milestone(MilestoneInput{
			Group: &team, Milestone: group, Action: ActionClose,
		})},
	}, noteSamples()...)
}

func noteSamples() []sample {
	note := func(n model.Note, on Target) any {
		return here.Note(NoteInput{Project: demo, User: bo, Note: n, Action: ActionCreate, Target: on})
	}
	award := EmojiInput{
		Project: demo, User: ada, Action: ActionAward, Target: Target{Issue: &door},
		Award: model.AwardEmoji{
			ID: 42, AwardableType: model.OnIssue, AwardableID: 301, UserID: 1, Name: "thumbsup", CreatedAt: birth, UpdatedAt: birth,
		},
	}
	onNote := award
	onNote.Action, onNote.Note, onNote.Target = ActionRevoke, new(commentOnLine()), Target{MergeRequest: &request}
	onNote.Award.AwardableType, onNote.Award.AwardableID = model.OnNote, 1245
	onSnippet := award
	onSnippet.Target, onSnippet.Award.AwardableType, onSnippet.Award.AwardableID = Target{Snippet: &snippet}, model.OnSnippet, 53
	return []sample{
		{
			"note_on_issue", header(model.HookNotes), "*gitlab.IssueCommentEvent",
			note(comment(1243, model.OnIssue, new(int64(301)), "I saw it, too"), Target{Issue: &door}),
		},
		{
			"note_on_merge_request", header(model.HookNotes), "*gitlab.MergeCommentEvent",
			note(comment(1244, model.OnMergeRequest, new(int64(93)), "atlantis plan"), Target{MergeRequest: &request}),
		},
		{"note_on_line", header(model.HookNotes), "*gitlab.MergeCommentEvent", note(commentOnLine(), Target{MergeRequest: &request})},
		{"note_on_commit", header(model.HookNotes), "*gitlab.CommitCommentEvent", note(commentOnCommit(), Target{Commit: &fix})},
		{
			"note_on_snippet", header(model.HookNotes), "*gitlab.SnippetCommentEvent",
			note(comment(1248, model.OnSnippet, new(int64(53)), "Hello"), Target{Snippet: &snippet}),
		},
		{
			"confidential_note", header(model.HookConfidentialNotes), "*gitlab.IssueCommentEvent",
			note(internalComment(), Target{Issue: &door}),
		},
		{"emoji", header(model.HookEmoji), "*gitlab.EmojiEvent", here.Emoji(award)},
		{"emoji_on_note", header(model.HookEmoji), "*gitlab.EmojiEvent", here.Emoji(onNote)},
		{"emoji_on_snippet", header(model.HookEmoji), "*gitlab.EmojiEvent", here.Emoji(onSnippet)},
	}
}

func ciSamples() []sample {
	run := PipelineInput{
		Project: demo, Pipeline: pipeline, User: &ada, Jobs: []model.JobRow{unit, deploy}, Tiers: tiers, Now: later,
		Variables: []model.PipelineVariable{{PipelineID: 31, Key: "A", Value: "1"}},
	}
	waiting := PipelineInput{
		Project: demo, User: nil, Now: later, Source: &SourcePipelineInput{Project: fork, PipelineID: 30, JobID: 370},
		Pipeline: model.Pipeline{
			ID: 32, ProjectID: 15, IID: 4, Ref: "refs/merge-requests/16/head", SHA: newID, Source: "merge_request_event", Stages: "[]",
			Status: "waiting_for_resource", CreatedAt: birth, UpdatedAt: birth, Name: new("Check"),
		},
		MergeRequest: &PipelineMergeRequestInput{MergeRequest: request.Row.MergeRequest, Target: demo, DetailedStatus: "ci_still_running"},
	}
	job := JobInput{Project: demo, Job: unit, Pipeline: pipeline, Retries: 1, Author: &ada, Now: later}
	failed := JobInput{
		Project: demo, Job: deploy, Pipeline: pipeline, Tiers: tiers, Now: later,
		Source: &SourcePipelineInput{Project: demo, PipelineID: 30, JobID: 370},
	}
	created := JobInput{
		Project: demo, Pipeline: waiting.Pipeline, Now: later,
		Job: model.JobRow{Job: model.Job{ID: 379, Name: "late", Stage: "test", Status: "created", Ref: "main", CreatedAt: birth}},
	}
	shipped := DeploymentInput{
		Project: demo, User: &ada, ChangedAt: later,
		Deployment: model.DeploymentRow{
			Deployment:  model.Deployment{ID: 15, ProjectID: 15, EnvironmentID: 5, JobID: new(int64(378)), Status: "success"},
			Environment: staging, Job: &deploy,
		},
	}
	return []sample{
		{"pipeline", header(model.HookPipelines), "*gitlab.PipelineEvent", here.Pipeline(run)},
		{"pipeline_of_merge_request", header(model.HookPipelines), "*gitlab.PipelineEvent", here.Pipeline(waiting)},
		{"job", header(model.HookJobs), "*gitlab.JobEvent", here.Job(job)},
		{"job_failed", header(model.HookJobs), "*gitlab.JobEvent", here.Job(failed)},
		{"job_created", header(model.HookJobs), "*gitlab.JobEvent", here.Job(created)},
		{"deployment", header(model.HookDeployments), "*gitlab.DeploymentEvent", here.Deployment(shipped)},
	}
}

func placeSamples() []sample {
	member := GroupMemberInput{
		Event: EventUserAddToGroup, Group: team, User: bo, Access: model.Guest, CreatedAt: birth, UpdatedAt: later,
		ExpiresAt: new(time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)),
	}
	denied := member
	denied.Event, denied.ExpiresAt = EventUserAccessRequestDeniedForGroup, nil
	own := SystemProjectInput{Event: EventProjectRename, Project: fork, Owner: &ada, Owners: []model.User{ada, bo}, OldPath: "bo/old"}
	inGroup := SystemProjectInput{Event: EventProjectCreate, Project: demo, Group: &team, Owners: []model.User{ada}}
	deploy := model.DeployToken{ID: 9, Name: "packages", ExpiresAt: token.ExpiresAt, CreatedAt: birth}
	return []sample{
		{"access_token", header(model.HookAccessTokens), "*gitlab.ProjectResourceAccessTokenEvent", here.AccessToken(AccessTokenInput{
			Project: &demo, Token: token, Interval: IntervalSevenDays,
		})},
		{
			"group_access_token", header(model.HookAccessTokens), "*gitlab.GroupResourceAccessTokenEvent",
			here.AccessToken(AccessTokenInput{Group: &team, Token: token, Interval: IntervalThirtyDays}),
		},
		{"deploy_token", header(model.HookDeployTokens), "", here.DeployToken(DeployTokenInput{
			Project: &demo, Token: deploy, Interval: IntervalSevenDays,
		})},
		{"group_deploy_token", header(model.HookDeployTokens), "", here.DeployToken(DeployTokenInput{Group: &team, Token: deploy})},
		{"member", header(model.HookMembers), "*gitlab.MemberEvent", here.GroupMember(member)},
		{"subgroup", header(model.HookSubgroups), "*gitlab.SubGroupEvent", here.Subgroup(SubgroupInput{
			Event: EventSubgroupCreate, Group: sub, Parent: team,
		})},
		{"project", header(model.HookProjects), "*gitlab.ProjectWebhookEvent", here.GroupProject(inGroup)},
		{"system_project", events.SystemHook, "*gitlab.ProjectSystemEvent", here.SystemProject(inGroup)},
		{"system_project_renamed", events.SystemHook, "*gitlab.ProjectSystemEvent", here.SystemProject(own)},
		{"system_user", events.SystemHook, "*gitlab.UserSystemEvent", here.SystemUser(SystemUserInput{Event: EventUserCreate, User: bo})},
		{
			"system_user_renamed", events.SystemHook, "*gitlab.UserSystemEvent",
			here.SystemUser(SystemUserInput{Event: EventUserRename, User: bo, OldUsername: "robert"}),
		},
		{
			"system_user_failed_login", events.SystemHook, "*gitlab.UserSystemEvent",
			here.SystemUser(SystemUserInput{Event: EventUserFailedLogin, User: bo}),
		},
		{
			"system_key", events.SystemHook, "*gitlab.KeySystemEvent",
			here.SystemKey(SystemKeyInput{Event: EventKeyCreate, Key: key, User: &bo}),
		},
		{
			"system_group", events.SystemHook, "*gitlab.GroupSystemEvent",
			here.SystemGroup(SystemGroupInput{Event: EventGroupCreate, Group: sub}),
		},
		{"system_group_renamed", events.SystemHook, "*gitlab.GroupSystemEvent", here.SystemGroup(SystemGroupInput{
			Event: EventGroupRename, Group: sub, OldPath: "o", OldFullPath: "g/o",
		})},
		{"system_group_member", events.SystemHook, "*gitlab.UserGroupSystemEvent", here.SystemGroupMember(member)},
		{"system_group_request", events.SystemHook, "", here.SystemGroupMember(denied)},
		{"system_project_member", events.SystemHook, "*gitlab.UserTeamSystemEvent", here.SystemProjectMember(ProjectMemberInput{
			Event: EventUserAddToTeam, Project: demo, User: bo, Access: model.Maintainer, CreatedAt: birth, UpdatedAt: birth,
		})},
	}
}
