package web

import (
	"net/http"

	"svc/store"
	"svc/store/model"
)

// homePage is the home page of a signed-in user.
type homePage struct {
	Projects []homeProject
	More     bool
}

type homeProject struct {
	model.ProjectRow
	Clone string
}

// home shows the projects of the current user.
func (w *Web) home(v *Visit) error {
	if v.Actor == nil {
		return v.Redirect("/users/sign_in")
	}
	u := v.Actor.User
	archived := false
	filter := store.ProjectFilter{MinAccess: model.Guest, Archived: &archived}
	rows, total, err := w.store.Projects.List(v.Request().Context(), filter, store.ProjectOrder{Column: "last_activity_at", Desc: true},
		&store.Reader{UserID: u.ID, External: u.External}, store.Page{Limit: 20})
	if err != nil {
		return err
	}
	page := homePage{More: total.More}
	for _, row := range rows {
		page.Projects = append(page.Projects, homeProject{row, w.url + "/" + row.Project.FullPath + ".git"})
	}
	return v.Show(http.StatusOK, "home", "Your projects", page)
}
