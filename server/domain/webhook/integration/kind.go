// Package integration says which integrations exist, which settings each of them has, and what they write: messages for
// chats, and mails. It makes no queries and no requests: package webhook does.
//
//	kind.go       the table of integrations
//	field.go      the settings of an integration, and their rules
//	settings.go   the settings that a project or group has made
//	event.go      what a message reads of the body of a webhook
//	wants.go      which events the settings select
//	message.go    messages about everything except code
//	code.go       messages about pushes, tags, pipelines and deployments
//	style.go      how a chat writes text and links
//	request.go    the request to a chat
//	mail.go       mails
package integration

import (
	"slices"

	"svc/server/platform/apierr"
	"svc/store/model"
)

// Kind is a kind of integration.
type Kind struct {
	Slug     string
	Title    string
	Fields   []Field
	Events   model.HookEvents // that it can tell
	Defaults model.HookEvents // that a new one tells, unless the caller says otherwise
	Mails    bool             // it writes mails, instead of requests

	request func(to receiver, m Message) (Request, error) // nil if it sends no requests
}

// The events that chats can get messages about, and those that a new integration sends. Confidential events are sent only
// if the settings ask for them.
const (
	chatEvents = model.HookPush | model.HookTagPush | model.HookIssues | model.HookConfidentialIssues | model.HookMergeRequests |
		model.HookNotes | model.HookConfidentialNotes | model.HookPipelines | model.HookWikiPages | model.HookDeployments
	chatDefaults = model.HookPush | model.HookTagPush | model.HookIssues | model.HookMergeRequests | model.HookNotes |
		model.HookWikiPages
)

// Kinds lists the integrations that this service has.
var Kinds = []Kind{
	chat("slack", "Slack notifications", slack, slices.Concat(webhook, named, channels(Channel, false), labels)),
	chat("mattermost", "Mattermost notifications", mattermost, slices.Concat(webhook, named, channels(Channel, false), labels)),
	chat("discord", "Discord Notifications", discord, slices.Concat(webhook, channels(Address, true))),
	chat("microsoft-teams", "Microsoft Teams notifications", teams, webhook),
	chat("hangouts-chat", "Google Chat", googleChat, webhook),
	chat("telegram", "Telegram", telegram, []Field{
		{Name: "token", Type: Token, Required: true, Secret: true},
		{Name: "room", Required: true},
		{Name: "thread", Type: Number},
		{Name: "hostname", Type: Address, Default: "https://api.telegram.org"},
	}),
	chat("matrix", "Matrix notifications", matrix, []Field{
		{Name: "token", Type: Token, Required: true, Secret: true},
		{Name: "room", Required: true},
		{Name: "hostname", Type: Address, Default: "https://matrix-client.matrix.org"},
	}),
	chat("webex-teams", "Webex Teams", webex, webhook),
	{
		Slug: "emails-on-push", Title: "Emails on push", Mails: true,
		Events: model.HookPush | model.HookTagPush, Defaults: model.HookPush | model.HookTagPush,
		Fields: []Field{
			recipients,
			{Name: "disable_diffs", Type: Switch, Default: false},
			{Name: "send_from_committer_email", Type: NeverOn, Default: false},
			branches("all"),
		},
	},
	{
		Slug: "pipelines-email", Title: "Pipeline status emails", Mails: true,
		Events: model.HookPipelines, Defaults: model.HookPipelines,
		Fields: []Field{recipients, onlyBroken, {Name: "add_pusher", Type: Switch, Default: false}, branches("default")},
	},
	{
		Slug: "external-wiki", Title: "External wiki",
		Fields: []Field{{Name: "external_wiki_url", Type: Link, Required: true}},
	},
	tracker("custom-issue-tracker", "Custom issue tracker", newIssue),
	tracker("redmine", "Redmine", newIssue),
	tracker("youtrack", "YouTrack"),
	tracker("bugzilla", "Bugzilla", newIssue),
	tracker("ewm", "EWM", newIssue),
	tracker("clickup", "ClickUp"),
}

// chat returns an integration with a chat, which has the given settings and those that all chats have.
func chat(slug, title string, request func(receiver, Message) (Request, error), fields []Field) Kind {
	all := slices.Concat(fields, []Field{onlyBroken, branches("default")})
	return Kind{Slug: slug, Title: title, Fields: all, Events: chatEvents, Defaults: chatDefaults, request: request}
}

// tracker returns an integration with an issue tracker, which is only a link.
func tracker(slug, title string, more ...Field) Kind {
	fields := []Field{{Name: "project_url", Type: Link, Required: true}, {Name: "issues_url", Type: IssueLink, Required: true}}
	return Kind{Slug: slug, Title: title, Fields: append(fields, more...)}
}

// unoffered lists the integrations that GitLab has and this service does not.
var unoffered = []string{
	"apple-app-store", "asana", "assembla", "bamboo", "buildkite", "campfire", "confluence", "datadog", "diffblue-cover", "drone-ci",
	"git-guardian", "github", "gitlab-slack-application", "google-cloud-platform-artifact-registry",
	"google-cloud-platform-workload-identity-federation", "google-play", "harbor", "irker", "jenkins", "jira", "jira-cloud-app",
	"mattermost-slash-commands", "mock-ci", "mock-monitoring", "packagist", "phorge", "pivotaltracker", "prometheus", "pumble",
	"pushover", "slack-slash-commands", "squash-tm", "teamcity", "unify-circuit", "zentao",
}

// Find returns an integration by its slug. It tells integrations that are not offered here from slugs that do not exist.
func Find(slug string) (Kind, error) {
	for _, k := range Kinds {
		if k.Slug == slug {
			return k, nil
		}
	}
	if slices.Contains(unoffered, slug) {
		return Kind{}, notOffered("the integration " + slug)
	}
	return Kind{}, apierr.BadParameter("slug does not have a valid value")
}

// notOffered is the error for something that GitLab has and this service does not.
func notOffered(what string) error {
	return apierr.WithCode(apierr.BadParameter(what+" is not offered here"), apierr.NotOffered)
}
