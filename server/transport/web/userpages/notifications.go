package userpages

import (
	"encoding/json"
	"slices"
	"strings"

	"svc/openapi/wire"
	"svc/server/domain/notification"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// levels are the levels that people choose from, with what they mean.
var levels = []page.Option{
	{Value: model.LevelParticipating, Label: "Participate: threads that I take part in"},
	{Value: model.LevelWatch, Label: "Watch: everything in my projects"},
	{Value: model.LevelMention, Label: "Mention: only if somebody mentions me"},
	{Value: model.LevelCustom, Label: "Custom: the events that I choose below"},
	{Value: model.LevelDisabled, Label: "Disabled: nothing"},
}

// custom are the events of the level custom.
var custom = []page.Option{
	{Value: "new_note", Label: "New comments"},
	{Value: "new_issue", Label: "New issues"},
	{Value: "reopen_issue", Label: "Issues that are reopened"},
	{Value: "close_issue", Label: "Issues that are closed"},
	{Value: "reassign_issue", Label: "Issues whose assignees change"},
	{Value: "issue_due", Label: "Issues that are due tomorrow"},
	{Value: "new_merge_request", Label: "New merge requests"},
	{Value: "push_to_merge_request", Label: "Pushes to merge requests"},
	{Value: "reopen_merge_request", Label: "Merge requests that are reopened"},
	{Value: "close_merge_request", Label: "Merge requests that are closed"},
	{Value: "reassign_merge_request", Label: "Merge requests whose assignees change"},
	{Value: "merge_merge_request", Label: "Merge requests that are merged"},
	{Value: "failed_pipeline", Label: "My pipelines that fail"},
	{Value: "fixed_pipeline", Label: "My pipelines that succeed after a failure"},
	{Value: "success_pipeline", Label: "My pipelines that succeed"},
	{Value: "moved_project", Label: "Projects that are moved"},
}

// notifications shows the settings that apply everywhere.
// GET /-/profile/notifications
func (p *Pages) notifications(v *page.Visit) error { return p.showNotifications(v, nil) }

func (p *Pages) showNotifications(v *page.Visit, refused error) error {
	ctx, me := v.Request().Context(), v.Actor.User.ID
	row, err := p.Store.Notifications.Get(ctx, me, store.NotificationScope{})
	if err != nil {
		return err
	}
	u, err := p.Store.Users.Get(ctx, me)
	if err != nil {
		return err
	}
	further, _, err := p.Store.Emails.ListByUser(ctx, me, store.Page{Limit: 100})
	if err != nil {
		return err
	}
	form := notificationForm(row, u, further)
	status, err := v.Fill(refused, &form)
	if err != nil {
		return err
	}
	view := page.FormPage{
		Intro: []string{"Groups and projects can have settings of their own, which apply there instead of these."}, Form: form,
	}
	return v.Show(page.View{Name: "form_page", Status: status, Title: "Notifications", Data: view})
}

// notificationForm returns the form with the current settings.
func notificationForm(row model.NotificationSetting, u model.User, further []model.Email) page.Form {
	addresses := []page.Option{{Label: u.Email + " (primary)"}}
	for _, e := range further {
		if e.ConfirmedAt != nil && !strings.EqualFold(e.Email, u.Email) {
			addresses = append(addresses, page.Option{
				Value: e.Email, Label: e.Email, Chosen: strings.EqualFold(e.Email, wire.Value(row.NotificationEmail)),
			})
		}
	}
	address := page.Field{Name: "notification_email", Label: "Address", Type: "select", Options: addresses}
	return page.Form{Action: notificationsPath, Submit: "Save", Fields: append([]page.Field{address}, levelFields(row, levels)...)}
}

// levelFields are the fields for the level and for the events of the level custom.
func levelFields(row model.NotificationSetting, offered []page.Option) []page.Field {
	chosen := map[string]bool{"failed_pipeline": true, "fixed_pipeline": true, "moved_project": true}
	_ = json.Unmarshal([]byte(row.Events), &chosen) // the defaults stay if the text is damaged
	level := page.Field{Name: "level", Label: "Level", Type: "select"}
	for _, o := range offered {
		o.Chosen = o.Value == row.Level
		level.Options = append(level.Options, o)
	}
	events := page.Field{Name: "events", Label: "Events of the level custom", Type: "checkboxes"}
	for _, o := range custom {
		o.Chosen = chosen[o.Value]
		events.Options = append(events.Options, o)
	}
	return []page.Field{level, events}
}

// flagsOf reads the events of the level custom.
func flagsOf(v *page.Visit) map[string]bool {
	flags := map[string]bool{}
	for _, o := range custom {
		flags[o.Value] = slices.Contains(v.Values("events"), o.Value)
	}
	return flags
}

// changeNotifications changes the settings that apply everywhere.
// POST /-/profile/notifications
func (p *Pages) changeNotifications(v *page.Visit) error {
	level, address := v.Value("level"), v.Value("notification_email")
	_, err := p.Notifications.Apply(v.Request().Context(), v.Actor.User.ID, store.NotificationScope{}, notification.Change{
		Level: &level, Flags: flagsOf(v), SetEmail: true, Email: &address,
	})
	if err != nil {
		return p.showNotifications(v, err)
	}
	return v.Done(notificationsPath, "Your settings were saved.")
}
