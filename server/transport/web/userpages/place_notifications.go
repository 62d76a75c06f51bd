package userpages

import (
	"svc/server/domain/notification"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// placePattern is the page of the notifications of a project or group.
const placePattern = "notifications"

// registerPlaces adds the pages of the notifications of projects and groups.
func (p *Pages) registerPlaces(r *page.Router) {
	r.Project("GET", placePattern, access.ReadProjectNotifications, p.placeNotifications)
	r.Project("POST", placePattern, access.UpdateProjectNotifications, p.changePlaceNotifications)
	r.Group("GET", placePattern, access.ReadGroupNotifications, p.placeNotifications)
	r.Group("POST", placePattern, access.UpdateGroupNotifications, p.changePlaceNotifications)
}

// placeOf returns the project or group of a page, its address and its name.
func placeOf(v *page.Visit) (at store.NotificationScope, address, name string) {
	if v.Project != nil {
		return store.NotificationScope{ProjectID: &v.Project.Project.ID}, "/" + v.Project.Project.FullPath, v.Project.Project.FullName
	}
	return store.NotificationScope{GroupID: &v.Group.ID}, "/groups/" + v.Group.FullPath, v.Group.FullName
}

// placeNotifications shows the settings of the caller for a project or group.
// GET /{project}/-/notifications, GET /groups/{group}/-/notifications
func (p *Pages) placeNotifications(v *page.Visit) error { return p.showPlace(v, nil) }

func (p *Pages) showPlace(v *page.Visit, refused error) error {
	at, address, name := placeOf(v)
	row, err := p.Store.Notifications.Get(v.Request().Context(), v.Actor.User.ID, at)
	if err != nil {
		return err
	}
	above := page.Option{Value: model.LevelGlobal, Label: "Global: as in the group above, or in your settings"}
	view := &page.FormPage{
		Intro: []string{"Which mails you get about " + name + "."},
		Form: page.Form{
			Action: address + "/-/" + placePattern, Submit: "Save", Fields: levelFields(row, append([]page.Option{above}, levels...)),
		},
		Links: []page.Link{{Path: notificationsPath, Label: "Your settings for everything else"}},
	}
	status, err := v.Fill(refused, &view.Form)
	if err != nil {
		return err
	}
	return v.Show(page.View{Name: "form_page", Status: status, Title: "Notifications", Tab: page.TabHome, Data: view})
}

// changePlaceNotifications changes the settings of the caller for a project or group.
// POST /{project}/-/notifications, POST /groups/{group}/-/notifications
func (p *Pages) changePlaceNotifications(v *page.Visit) error {
	at, address, _ := placeOf(v)
	level := v.Value("level")
	_, err := p.Notifications.Apply(v.Request().Context(), v.Actor.User.ID, at, notification.Change{Level: &level, Flags: flagsOf(v)})
	if err != nil {
		return p.showPlace(v, err)
	}
	return v.Done(address+"/-/"+placePattern, "Your settings were saved.")
}
