package web

import (
	"fmt"
	"net/url"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestMarkedProjectsAndGroupsAreRestored(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	if got := h.Root().JSON("PUT", "/application/settings", `{"deletion_adjourned_period":7}`); got.Status != 200 {
		t.Fatal(got.Body)
	}
	owner := h.NewUserWithPassword()
	g := h.Group()
	h.Join(g, owner.User, model.Owner)
	p := h.Project(g.ID, func(p *model.Project) { p.Path = "roof" })
	b := h.SignedIn(owner.User)
	path := "/" + p.FullPath + "/-/settings/advanced"
	has(t, openPage(t, h, b, path, 10), "it can be restored for 7 days")
	marked := fmt.Sprintf("/%s-deletion_scheduled-%d/-/settings/advanced", p.FullPath, p.ID)
	confirmed := url.Values{"delete_confirmation": {p.FullPath}}
	checkPage(t, b.Submit(path+"/delete", confirmed), 200, marked, "The project is marked for deletion.")
	const tag = `<span class="tag">marked for deletion</span>`
	has(t, openPage(t, h, b, marked, 10), "Restore this project", tag, "Nobody can bring them back.")
	lacks(t, b.Page, marked+"/unarchive")
	checkPage(t, b.Submit(marked+"/restore", nil), 200, path, "The project was restored.")
	lacks(t, b.Page, "Restore this project", "marked for deletion")
	lesser := h.NewUserWithPassword()
	h.JoinProject(p, lesser.User, model.Maintainer)
	checkPage(t, again(h.SignedIn(lesser.User), path+"/restore", url.Values{}), 403, "", "not allowed")

	group := "/groups/" + g.FullPath + "/-/settings/advanced"
	openPage(t, h, b, group, 10)
	marked = fmt.Sprintf("/groups/%s-deletion_scheduled-%d/-/settings/advanced", g.FullPath, g.ID)
	confirmed = url.Values{"delete_confirmation": {g.FullPath}}
	checkPage(t, b.Submit(group+"/delete", confirmed), 200, marked, "The group is marked for deletion.")
	has(t, openPage(t, h, b, marked, 10), "Restore this group", tag)
	lacks(t, b.Page, "Change the path", "Transfer this group", "Export this group")
	checkPage(t, again(b, marked+"/export", url.Values{}), 403, "", "marked for deletion")
	b.Get(marked)
	checkPage(t, b.Submit(marked+"/restore", nil), 200, group, "The group was restored.")
	openPage(t, h, b, group, 10)
	b.Submit(group+"/delete", url.Values{"delete_confirmation": {g.FullPath}})
	b.Get(marked)
	full := fmt.Sprintf("%s-deletion_scheduled-%d", g.FullPath, g.ID)
	checkPage(t, b.Submit(marked+"/delete", url.Values{"delete_confirmation": {full}}), 200, "", "was deleted.")
	hidden(t, b, "/groups/"+full)
}
