package userpages

import (
	"svc/server/platform/access"
	"svc/server/platform/naming"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// profileView is the content of the page of a user.
type profileView struct {
	User     model.User
	Avatar   *string
	Blocked  bool
	Details  bool // the caller sees what the user says about themselves
	Active   bool // the caller sees the activity
	Own      bool
	Projects []model.ProjectRow
	More     bool // there are further projects
	Calendar calendar
	Events   []eventLine
	Pager    page.Pager
}

// profile shows a user. A private profile has only the name and the projects, except for the user and administrators.
// Details are for signed-in callers, as in the API.
// GET /{username}
func (p *Pages) profile(v *page.Visit) error {
	ctx, u := v.Request().Context(), *v.Person
	own := v.Actor != nil && (v.Actor.User.ID == u.ID || v.Actor.User.Admin)
	view := profileView{
		User: u, Avatar: naming.AvatarURL("", "user", u.ID, u.Avatar), Blocked: access.IsClosed(u.State),
		Active: own || !u.PrivateProfile, Own: v.Actor != nil && v.Actor.User.ID == u.ID,
	}
	view.Details = view.Active && v.Actor != nil
	if u.NamespaceID != nil {
		const most = 10
		rows, total, err := p.Store.Projects.List(ctx, store.ProjectFilter{NamespaceID: u.NamespaceID},
			store.ProjectOrder{Column: "last_activity_at", Desc: true}, access.Reader(ctx), store.Page{Limit: most})
		if err != nil {
			return err
		}
		view.Projects, view.More = rows, total.More
	}
	if view.Active {
		if err := p.addActivity(v, &view); err != nil {
			return err
		}
	}
	return v.Show(page.View{Templates: p.templates, Name: "profile", Title: u.Name, Data: view})
}

// addActivity adds the calendar of the last year and the newest events that the caller can see.
func (p *Pages) addActivity(v *page.Visit, view *profileView) error {
	ctx, at := v.Request().Context(), v.Pager()
	seen, err := p.Store.Events.ViewOfAuthor(ctx, view.User.ID, access.Reader(ctx))
	if err != nil {
		return err
	}
	filter := store.EventFilter{AuthorID: view.User.ID, View: seen}
	year := filter
	today := v.Now()
	from := firstDay(today)
	year.From = &from
	days, err := p.Store.Events.CountByDay(ctx, year)
	if err != nil {
		return err
	}
	view.Calendar = newCalendar(today, days)
	rows, total, err := p.Store.Events.List(ctx, filter, at.Page)
	if err != nil {
		return err
	}
	view.Pager = at.Of(total.More)
	view.Events, err = p.describe(ctx, rows)
	return err
}
