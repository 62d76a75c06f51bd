package sdk

import (
	"testing"

	"svc/tests/harness"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

// The library calls some integrations under their older path, and others under the new one.
func TestTheGoLibraryManagesIntegrations(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	sdk := connect(t, h, h.Root().Token)
	p := projectWithCommit(t, sdk, "tool")
	webhook := new("https://ci.example.com/hook")
	must[*gitlab.SlackService](t)(sdk.Services.SetSlackService(p.ID, &gitlab.SetSlackServiceOptions{
		WebHook: webhook, Channel: new("#c"), PushChannel: new("#p"), PipelineEvents: new(true), NotifyOnlyBrokenPipelines: new(false),
		BranchesToBeNotified: new("all"), AlertEvents: new(false),
	}))
	slack := must[*gitlab.SlackService](t)(sdk.Services.GetSlackService(p.ID))
	shown := slack.Properties
	if !slack.Active || !slack.PipelineEvents || shown.Channel != "#c" || shown.PushChannel != "#p" ||
		bool(shown.NotifyOnlyBrokenPipelines) || shown.BranchesToBeNotified != "all" || shown.WebHook != "" {
		t.Errorf("%+v %+v", slack.Service, slack.Properties)
	}
	must[*gitlab.DiscordService](t)(sdk.Services.SetDiscordService(p.ID, &gitlab.SetDiscordServiceOptions{WebHook: webhook}))
	must[*gitlab.MatrixService](t)(sdk.Services.SetMatrixService(p.ID, &gitlab.SetMatrixServiceOptions{
		Hostname: new("https://ci.example.com"), Token: new("t"), Room: new("!r:example.com"),
	}))
	mails := must[*gitlab.EmailsOnPushService](t)(sdk.Services.SetEmailsOnPushService(p.ID, &gitlab.SetEmailsOnPushServiceOptions{
		Recipients: new("a@example.com b@example.com"), DisableDiffs: new(true), SendFromCommitterEmail: new(false),
	}))
	if mails.Properties.Recipients != "a@example.com b@example.com" || !mails.Properties.DisableDiffs || !mails.PushEvents {
		t.Errorf("%+v %+v", mails.Service, mails.Properties)
	}
	must[*gitlab.ExternalWikiService](t)(sdk.Services.SetExternalWikiService(p.ID, &gitlab.SetExternalWikiServiceOptions{
		ExternalWikiURL: new("https://wiki.example.com"),
	}))
	if all := must[[]*gitlab.Service](t)(sdk.Services.ListServices(p.ID)); len(all) != 5 || all[0].CreatedAt == nil {
		t.Errorf("%d integrations", len(all))
	}
	if _, err := sdk.Services.DeleteSlackService(p.ID); err != nil {
		t.Error(err)
	}
	if off := must[*gitlab.SlackService](t)(sdk.Services.GetSlackService(p.ID)); off.Active {
		t.Error("it is still active")
	}
	group := h.Group()
	must[*gitlab.GroupMattermostIntegration](t)(sdk.Integrations.SetGroupMattermostIntegration(
		group.ID, &gitlab.GroupMattermostIntegrationOptions{WebHook: webhook, Channel: new("town")},
	))
	chat := must[*gitlab.GroupMattermostIntegration](t)(sdk.Integrations.GetGroupMattermostIntegration(group.ID))
	if !chat.Active || chat.Properties.Channel != "town" {
		t.Errorf("%+v", chat)
	}
	list, _, err := sdk.Integrations.ListActiveGroupIntegrations(group.ID, nil)
	if err != nil || len(list) != 1 || list[0].Slug != "mattermost" {
		t.Errorf("%+v %v", list, err)
	}
}
