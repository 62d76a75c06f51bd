package web

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestPackagesAreListedShownAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(func(g *model.Namespace) { g.Visibility = model.Private })
	owner, reader := h.NewUserWithPassword(), h.NewUserWithPassword()
	h.Join(group, owner.User, model.Owner)
	h.Join(group, reader.User, model.Reporter)
	project := h.Project(group.ID)
	base := "/" + project.FullPath + "/-/packages"
	b := h.SignedIn(owner.User)
	checkPage(t, openPage(t, h, b, base, 6), 200, base, "curl --upload-file")
	for _, version := range []string{"1.0", "1.1"} {
		path := fmt.Sprintf("/projects/%d/packages/generic/tool/%s/a.txt", project.ID, version)
		if got := owner.Send("PUT", path, "hello "+version, "Content-Type", "application/octet-stream"); got.Status != 201 {
			t.Fatal(got.Status, got.Body)
		}
	}
	page := openPage(t, h, b, base+"?search=TOO&type=generic&version=1.1&order=name", 8)
	has(t, page, ">tool</a>", "1.1", `value="TOO"`)
	lacks(t, page, ">1.0<")
	checkPage(t, b.Get(base+"?search=nothing"), 200, "", "No package matches")
	path := addressIn(t, page.Body, base+"/")
	page = openPage(t, h, b, path, 10)
	has(t, page, "a.txt", "packages/generic/tool/1.1/a.txt", ">1.0</a>", path+"/delete")
	file := addressIn(t, page.Body, path+"/files/")
	got := b.Get(file)
	if got.Status != 200 || got.Body != "hello 1.1" || !strings.HasPrefix(got.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("the file is %d %v %q", got.Status, got.Header, got.Body)
	}
	checkPage(t, openPage(t, h, b, "/groups/"+group.FullPath+"/-/packages", 8), 200, "", project.FullPath)

	own := h.SignedIn(reader.User)
	lacks(t, openPage(t, h, own, path, 10), "/delete")
	form, _ := own.Page.Fields("/users/sign_out")
	for _, act := range []string{path + "/delete", file + "/delete"} {
		if page := own.Post(act, form); page.Status != 403 {
			t.Errorf("a reporter who posts %s gets %d", act, page.Status)
		}
	}
	for _, hiddenPath := range []string{base, path, file, "/groups/" + group.FullPath + "/-/packages"} {
		hidden(t, h.SignedIn(h.NewUserWithPassword().User), hiddenPath)
		hidden(t, h.Browser(), hiddenPath)
	}
	b.Get(path)
	checkPage(t, b.Submit(file+"/delete", nil), 200, path, "The file was deleted")
	checkPage(t, b.Submit(path+"/delete", nil), 200, base, "The package was deleted")
	hidden(t, b, path)
	hidden(t, b, base+"/none")
}
