package web

import (
	"strconv"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestAProjectHasAPageForThoseWhoSeeIt(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	project := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Path, p.Name = "roof", "The <roof>" })
	path := "/" + project.FullPath
	b := h.SignedIn(owner.User)
	page := openPage(t, h, b, path, 4)
	checkPage(t, page, 200, path, "The <roof>")
	for _, want := range []string{`value="` + h.URL + path + `.git"`, `aria-label="Breadcrumbs"`, `<span class="tag">private</span>`} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	hidden(t, h.SignedIn(h.NewUserWithPassword().User), path)
	hidden(t, h.Browser(), path)
	hidden(t, h.SignedIn(h.NewUserWithPassword().User), "/"+project.FullPath+"x")
	if page := h.Browser().Get(path); !strings.Contains(page.Body, "return_to=%2F"+owner.User.Username+"%2Froof") {
		t.Error("the page does not lead back after signing in")
	}
}

func TestAnOldPathLeadsToTheProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	project := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Path = "old" })
	address := "/projects/" + strconv.FormatInt(project.ID, 10)
	if got := owner.Send("PUT", address, `{"path":"newer"}`, "Content-Type", "application/json"); got.Status != 200 {
		t.Fatal(got.Status, got.Body)
	}
	b := h.SignedIn(owner.User)
	checkPage(t, b.Get("/"+owner.User.Username+"/old"), 200, "/"+owner.User.Username+"/newer", "")
	checkPage(t, b.Get("/"+strings.ToUpper(owner.User.Username)+"/NEWER"), 200, "/"+owner.User.Username+"/newer", "")
	hidden(t, h.SignedIn(h.NewUserWithPassword().User), "/"+owner.User.Username+"/old")
	hidden(t, h.Browser(), "/"+owner.User.Username+"/old")
}

func TestTheHelpPageListsTheShortcuts(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.Browser()
	page := openPage(t, h, b, "/-/help", 0)
	for _, want := range []string{"<kbd>g i</kbd>", "Merge requests", `href="/-/docs/first-steps"`} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if page := b.Get("/-/docs/first-steps"); page.Status != 200 {
		t.Error(page.Status)
	}
}
