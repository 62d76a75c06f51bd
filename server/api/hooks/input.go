package hooks

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/webhook"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// flags holds the flags of a request, by kind of events; nil flags were not sent.
type flags map[model.HookEvents]*bool

// apply puts the flags into a change.
func (f flags) apply(c *webhook.Change) {
	for kind, on := range f {
		switch {
		case on == nil:
		case *on:
			c.On |= kind
		default:
			c.Off |= kind
		}
	}
}

// confidentialNotes returns the flag that can be null, which means no.
func confidentialNotes(given wire.Optional[bool]) *bool {
	if !given.IsSet() {
		return nil
	}
	on := wire.Value(given.Ptr())
	return &on
}

func pairs(given *[]gen.HookPair) *webhook.Pairs {
	if given == nil {
		return nil
	}
	all := make(webhook.Pairs, len(*given))
	for i, one := range *given {
		all[i] = webhook.Pair{Key: one.Key, Value: one.Value}
	}
	return &all
}

// newHook reads a new hook.
func newHook(b gen.HookCreate) webhook.Change {
	c := webhook.Change{
		URL: &b.URL, Name: b.Name, Description: b.Description, EnableSSLVerification: b.EnableSslVerification,
		Token: b.Token, SigningToken: b.SigningToken, BranchFilter: b.PushEventsBranchFilter,
		BranchFilterStrategy: (*string)(b.BranchFilterStrategy), Template: b.CustomWebhookTemplate,
		Headers: pairs(b.CustomHeaders), Variables: pairs(b.URLVariables),
	}
	flags{
		model.HookPush: b.PushEvents, model.HookTagPush: b.TagPushEvents,
		model.HookMergeRequests: b.MergeRequestsEvents, model.HookRepositoryUpdate: b.RepositoryUpdateEvents,
		model.HookIssues: b.IssuesEvents, model.HookConfidentialIssues: b.ConfidentialIssuesEvents,
		model.HookNotes: b.NoteEvents, model.HookConfidentialNotes: confidentialNotes(b.ConfidentialNoteEvents),
		model.HookPipelines: b.PipelineEvents, model.HookWikiPages: b.WikiPageEvents,
		model.HookDeployments: b.DeploymentEvents, model.HookFeatureFlags: b.FeatureFlagEvents,
		model.HookJobs: b.JobEvents, model.HookReleases: b.ReleasesEvents, model.HookMilestones: b.MilestoneEvents,
		model.HookEmoji: b.EmojiEvents, model.HookAccessTokens: b.ResourceAccessTokenEvents,
		model.HookDeployTokens: b.ResourceDeployTokenEvents, model.HookVulnerabilities: b.VulnerabilityEvents,
		model.HookSubgroups: b.SubgroupEvents, model.HookMembers: b.MemberEvents, model.HookProjects: b.ProjectEvents,
	}.apply(&c)
	return c
}

// hookChange reads the changes of a hook.
func hookChange(b gen.HookUpdate) webhook.Change {
	c := webhook.Change{
		URL: b.URL, Name: b.Name, Description: b.Description, EnableSSLVerification: b.EnableSslVerification,
		Token: b.Token, SigningToken: b.SigningToken, BranchFilter: b.PushEventsBranchFilter,
		BranchFilterStrategy: (*string)(b.BranchFilterStrategy), Template: b.CustomWebhookTemplate,
		Headers: pairs(b.CustomHeaders), Variables: pairs(b.URLVariables),
	}
	flags{
		model.HookPush: b.PushEvents, model.HookTagPush: b.TagPushEvents,
		model.HookMergeRequests: b.MergeRequestsEvents, model.HookRepositoryUpdate: b.RepositoryUpdateEvents,
		model.HookIssues: b.IssuesEvents, model.HookConfidentialIssues: b.ConfidentialIssuesEvents,
		model.HookNotes: b.NoteEvents, model.HookConfidentialNotes: confidentialNotes(b.ConfidentialNoteEvents),
		model.HookPipelines: b.PipelineEvents, model.HookWikiPages: b.WikiPageEvents,
		model.HookDeployments: b.DeploymentEvents, model.HookFeatureFlags: b.FeatureFlagEvents,
		model.HookJobs: b.JobEvents, model.HookReleases: b.ReleasesEvents, model.HookMilestones: b.MilestoneEvents,
		model.HookEmoji: b.EmojiEvents, model.HookAccessTokens: b.ResourceAccessTokenEvents,
		model.HookDeployTokens: b.ResourceDeployTokenEvents, model.HookVulnerabilities: b.VulnerabilityEvents,
		model.HookSubgroups: b.SubgroupEvents, model.HookMembers: b.MemberEvents, model.HookProjects: b.ProjectEvents,
	}.apply(&c)
	return c
}

// checkChange refuses a body without any member.
func checkChange(b gen.HookUpdate) error {
	if b == (gen.HookUpdate{}) {
		return apierr.BadParameter("No parameters provided")
	}
	return nil
}
