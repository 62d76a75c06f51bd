package web

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"
	"svc/tests/wait"
)

const groupImportForm = "/-/groups/import"

// brokenGroup returns an archive whose groups are complete, but have two labels with one name, which only the import finds.
func brokenGroup(t *testing.T) string {
	t.Helper()
	label := `{"title":"bug","color":"#ff0000"}` + "\n"
	return packed(t, [][2]string{
		{"VERSION", "1\n"},
		{"tree/groups/_all.ndjson", "7\n"},
		{
			"tree/groups/7.json", `{"id":7,"visibility":"private","project_creation_level":"developer",` +
				`"subgroup_creation_level":"owner","shared_runners_setting":"enabled"}`,
		},
		{"tree/groups/7/labels.ndjson", label + label},
	})
}

// exportedGroup exports a group with a subgroup, a label and a member through the pages, and returns the file.
func exportedGroup(t *testing.T, h *harness.H) string {
	t.Helper()
	owner, member := h.NewUserWithPassword(), h.NewUserWithPassword()
	g := h.Group()
	h.Group(func(n *model.Namespace) { n.Name, n.Path, n.ParentID = "Saws", "saws", &g.ID })
	h.Join(g, owner.User, model.Owner)
	h.Join(g, member.User, model.Developer)
	made(t, owner, fmt.Sprintf("/groups/%d/labels", g.ID), `{"name":"rusty","color":"#ff0000"}`)
	b, path := h.SignedIn(owner.User), "/groups/"+g.FullPath+"/-/settings/advanced"
	b.Get(path)
	b.Submit(path+"/export", nil)
	return downloadExport(t, b, path)
}

func TestOwnersExportGroups(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group()
	owner, maintainer, outsider := h.NewUserWithPassword(), h.NewUserWithPassword(), h.NewUserWithPassword()
	admin := h.NewUserWithPassword(storetest.Admin)
	h.Join(g, owner.User, model.Owner)
	h.Join(g, maintainer.User, model.Maintainer)
	b, path := h.SignedIn(owner.User), "/groups/"+g.FullPath+"/-/settings/advanced"
	hidden(t, b, "/groups/"+g.FullPath+"/-/import") // it was not imported
	has(t, openPage(t, h, b, path, 8), "Export this group", "members and wikis", "It has no projects")
	lacks(t, b.Page, "Download the export", "was imported")
	checkPage(t, b.Submit(path+"/export", nil), 200, path, "The group is being exported.")
	has(t, b.Page, "The file is being written.")
	h.StartWorker()
	downloadExport(t, b, path)
	has(t, b.Get(path), "It is removed <time")

	lesser, stranger := h.SignedIn(maintainer.User), h.SignedIn(outsider.User)
	hidden(t, lesser, path)
	lesser.Get("/groups/" + g.FullPath)
	checkPage(t, again(lesser, path+"/export", url.Values{}), 403, "", "not allowed")
	stranger.Get("/")
	checkPage(t, again(stranger, path+"/export", url.Values{}), 404, "", "")
	root := h.SignedIn(admin.User)
	has(t, root.Get(path), "Export this group", "Download the export")
	checkPage(t, root.Submit(path+"/export", nil), 200, path, "The group is being exported.")
	downloadExport(t, root, path)
	checkExportsLimited(t, b, path)
}

func TestExportsOfGroupsInTheTierFreeHaveNoWikis(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.Tier = "free" })
	g, owner := h.Group(), h.NewUserWithPassword()
	h.Join(g, owner.User, model.Owner)
	page := h.SignedIn(owner.User).Get("/groups/" + g.FullPath + "/-/settings/advanced")
	has(t, page, "boards and members can be imported")
	lacks(t, page, "members and wikis")
}

func TestTheReasonOfAFailedExportOfAGroupIsShown(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g, owner := h.Group(), h.NewUserWithPassword()
	h.Join(g, owner.User, model.Owner)
	e := model.GroupExport{
		GroupID: g.ID, UserID: owner.User.ID, State: model.ExportScheduled, ExpiresAt: time.Now().UTC().Add(time.Hour),
	}
	err := h.Store.GroupExports.Replace(t.Context(), &e)
	if err == nil {
		err = h.Store.GroupExports.Fail(t.Context(), e.ID, "the export would contain <too> many groups")
	}
	if err != nil {
		t.Fatal(err)
	}
	page := h.SignedIn(owner.User).Get("/groups/" + g.FullPath + "/-/settings/advanced")
	checkPage(t, page, 200, "", "The file could not be written. the export would contain <too> many groups")
	lacks(t, page, "Download the export")
}

func TestPeopleImportGroupsFromFiles(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	data := exportedGroup(t, h)
	u := h.NewUserWithPassword()
	b := h.SignedIn(u.User)
	checkPage(t, h.Browser().Get(groupImportForm), 200, signInPath, "Sign in")
	has(t, b.Get("/-/groups/new"), `href="`+groupImportForm+`"`)
	has(t, openPage(t, h, b, groupImportForm, 5), `href="/-/groups/new"`, "become private")
	fields := func(name, path string) map[string]string { return map[string]string{"name": name, "path": path} }
	send := func(content, name, path string) harness.Page {
		return upload(b, groupImportForm, "x.tar.gz", content, fields(name, path))
	}
	checkPage(t, send("none", "Tools", "tools"), 422, groupImportForm, "File cannot be imported: the file is not compressed with gzip")
	has(t, b.Page, `value="Tools"`, `value="tools"`)
	checkPage(t, send(data, "Tools", "a/b"), 422, groupImportForm, "Path can contain only letters")
	checkPage(t, send(data, "", "a/b"), 422, groupImportForm, "Path can contain only letters")
	checkPage(t, send(data, "", ""), 422, groupImportForm, "Path can contain only letters")
	checkPage(t, send(data, strings.Repeat("x", 256), "tools"), 422, groupImportForm, "Name is too long (maximum is 255 characters)")
	checkPage(t, b.Submit(groupImportForm, url.Values{"name": {""}, "path": {"tools"}}), 422, groupImportForm, "File is missing")
	checkPage(t, b.Get("/groups/tools"), 404, "", "")

	b = h.SignedIn(h.NewUserWithPassword(func(n *model.User) { n.Username = "ann" }).User) // the first user has sent enough files
	b.Get(groupImportForm)
	const at = "/groups/tools/-/import"
	checkPage(t, send(data, "", "tools"), 200, at, "The group was made. Its content is being imported.")
	wait.Until(t, "the import has ended", func() bool { return strings.Contains(b.Get(at).Body, "The import is finished.") })
	has(t, openPage(t, h, b, at, 5), "It imported ", "2 members could not be imported", `href="/groups/tools"`)
	has(t, b.Get("/groups/tools"), "Saws")
	has(t, b.Get("/groups/tools/-/labels"), "rusty")
	has(t, b.Get("/groups/tools/-/settings/advanced"), `href="`+at+`"`)
	hidden(t, h.Browser(), at)
	outsider := h.SignedIn(u.User)
	hidden(t, outsider, at)

	b.Get(groupImportForm)
	checkPage(t, send(data, "Tools", "tools"), 422, groupImportForm, "Path has already been taken")
	checkPage(t, send(brokenGroup(t), "Saws", "saws"), 200, "/groups/saws/-/import", "")
	wait.Until(t, "the import has failed", func() bool {
		return strings.Contains(b.Get("/groups/saws/-/import").Body, "The import has failed.")
	})
	has(t, b.Page, "two things in the archive have the same name", "Nothing was imported.")
	lacks(t, b.Page, "Everything was imported")
}

func TestSubgroupsAreImportedByThoseWhoMayMakeThem(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	parent := h.Group(func(n *model.Namespace) { n.Visibility = model.Private })
	owner, developer := h.NewUserWithPassword(), h.NewUserWithPassword()
	h.Join(parent, owner.User, model.Owner)
	h.Join(parent, developer.User, model.Developer)
	b, form := h.SignedIn(owner.User), groupImportForm+"?parent="+parent.FullPath
	fields := map[string]string{"path": "saws", "parent": parent.FullPath}
	has(t, b.Get("/-/groups/new?parent="+parent.FullPath), `href="`+form+`"`)
	has(t, b.Get(form), "Import a subgroup", `href="/-/groups/new?parent=`+parent.FullPath+`"`)
	checkPage(t, upload(b, groupImportForm, "x.tar.gz", "none", fields), 422, groupImportForm, "Import a subgroup")
	if shown, _ := b.Page.Fields(groupImportForm); shown.Get("parent") != parent.FullPath {
		t.Errorf("the form forgets the parent group: %v", shown)
	}
	at := "/groups/" + parent.FullPath + "/saws/-/import"
	checkPage(t, upload(b, groupImportForm, "x.tar.gz", brokenGroup(t), fields), 200, at, "The group was made.")
	has(t, b.Page, "The import waits to start.", "0 of 3 records so far.", "Load this page again")

	b.Get(form)
	checkPage(t, upload(b, groupImportForm, "x.tar.gz", brokenGroup(t), fields), 422, groupImportForm, "Path has already been taken")
	soon, err := h.Store.JobArtifacts.ListRemovals(t.Context(), time.Now().UTC().Add(time.Second), 9)
	if err != nil {
		t.Fatal(err)
	}
	all, err := h.Store.JobArtifacts.ListRemovals(t.Context(), time.Now().UTC().Add(48*time.Hour), 9)
	if err != nil || len(soon) != 2 || len(all) != 2 {
		t.Errorf("of the two files that were refused, %d are removed now, and %d later: %v", len(soon), len(all), err)
	}

	lesser := h.SignedIn(developer.User)
	hidden(t, lesser, at)
	lesser.Get(form)
	fields["path"] = "axes"
	checkPage(t, upload(lesser, groupImportForm, "x.tar.gz", brokenGroup(t), fields), 422, groupImportForm, "not allowed")
	stranger := h.SignedIn(h.NewUserWithPassword().User)
	hidden(t, stranger, form)
	stranger.Get(groupImportForm)
	checkPage(t, upload(stranger, groupImportForm, "x.tar.gz", brokenGroup(t), fields), 404, "", "Page not found")
	none := h.SignedIn(h.NewUserWithPassword(func(u *model.User) { u.CanCreateGroup = false }).User)
	none.Get(groupImportForm)
	delete(fields, "parent")
	checkPage(t, upload(none, groupImportForm, "x.tar.gz", brokenGroup(t), fields), 422, groupImportForm, "not allowed")
	checkPage(t, b.Get("/groups/"+parent.FullPath+"/axes"), 404, "", "")
	root := h.SignedIn(h.NewUserWithPassword(storetest.Admin).User)
	checkPage(t, root.Get(at), 200, at, "The import waits to start.")
	root.Get(form)
	fields["parent"] = parent.FullPath
	checkPage(t, upload(root, groupImportForm, "x.tar.gz", brokenGroup(t), fields), 200, "/groups/"+parent.FullPath+"/axes/-/import", "")
}

func TestImportsOfGroupsAreLimited(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b, anonymous := h.SignedIn(h.NewUserWithPassword().User), h.Browser()
	large := strings.Repeat("x", 2<<20)
	anonymous.Get("/users/sign_in")
	checkPage(t, upload(anonymous, groupImportForm, "x.tar.gz", large, map[string]string{}), 413, "", "")
	b.Get(groupImportForm)
	fields := map[string]string{"path": "tools"}
	checkPage(t, upload(b, groupImportForm, "x.tar.gz", large, fields), 422, groupImportForm, "the file is not compressed with gzip")
	checkImportsLimited(t, b, groupImportForm, fields)
}
