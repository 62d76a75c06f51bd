package integrations

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/webhook"
	"svc/store/model"
)

// presentBasic presents an integration without its settings.
func presentBasic(i webhook.Integration) gen.IntegrationBasic {
	e := i.Row.Events
	return gen.IntegrationBasic{
		ID: i.Row.ID, Title: i.Title, Slug: i.Slug, CreatedAt: wire.NewTime(i.Row.CreatedAt), UpdatedAt: wire.NewTime(i.Row.UpdatedAt),
		Active: !i.Row.Inactive, Inherited: i.Inherited,
		PushEvents: e.Has(model.HookPush), TagPushEvents: e.Has(model.HookTagPush), IssuesEvents: e.Has(model.HookIssues),
		ConfidentialIssuesEvents: e.Has(model.HookConfidentialIssues), MergeRequestsEvents: e.Has(model.HookMergeRequests),
		NoteEvents: e.Has(model.HookNotes), ConfidentialNoteEvents: e.Has(model.HookConfidentialNotes),
		PipelineEvents: e.Has(model.HookPipelines), WikiPageEvents: e.Has(model.HookWikiPages),
		DeploymentEvents: e.Has(model.HookDeployments),
	}
}

// present presents an integration with its settings, except secrets.
func present(i webhook.Integration) gen.Integration {
	b := presentBasic(i)
	return gen.Integration{
		ID: b.ID, Title: b.Title, Slug: b.Slug, CreatedAt: b.CreatedAt, UpdatedAt: b.UpdatedAt, Active: b.Active, Inherited: b.Inherited,
		PushEvents: b.PushEvents, TagPushEvents: b.TagPushEvents, IssuesEvents: b.IssuesEvents,
		ConfidentialIssuesEvents: b.ConfidentialIssuesEvents, MergeRequestsEvents: b.MergeRequestsEvents, NoteEvents: b.NoteEvents,
		ConfidentialNoteEvents: b.ConfidentialNoteEvents, PipelineEvents: b.PipelineEvents, WikiPageEvents: b.WikiPageEvents,
		DeploymentEvents: b.DeploymentEvents, Properties: i.Settings.Values,
	}
}
