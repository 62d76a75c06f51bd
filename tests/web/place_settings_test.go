package web

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// roles returns browsers of users with each role in a project, from guest to owner.
func roles(h *harness.H, p model.Project) map[model.Access]*harness.Browser {
	all := map[model.Access]*harness.Browser{}
	for _, role := range []model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer, model.Owner} {
		u := h.NewUserWithPassword()
		h.JoinProject(p, u.User, role)
		all[role] = h.SignedIn(u.User)
	}
	return all
}

func TestSettingsOfProjectsAreForMaintainers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group().ID)
	browsers := roles(h, p)
	for _, pattern := range []string{
		"edit", "settings/merge_requests", "settings/repository", "settings/mirrors", "settings/access_tokens",
		"settings/deploy_tokens", "settings/advanced",
	} {
		path := "/" + p.FullPath + "/-/" + pattern
		hidden(t, h.Browser(), path)
		hidden(t, h.SignedIn(h.NewUserWithPassword().User), path)
		for role, b := range browsers {
			if role < model.Maintainer {
				if page := b.Get(path); page.Status != 404 {
					t.Errorf("%s answers %d to a %s", path, page.Status, role)
				}
				continue
			}
			has(t, openPage(t, h, b, path, 10), `<a href="`+path+`" aria-current="page">`)
		}
	}
	advanced := "/" + p.FullPath + "/-/settings/advanced"
	lacks(t, browsers[model.Maintainer].Get(advanced), "Delete this project", "Archive project", "Transfer this project")
	checkPage(t, again(browsers[model.Maintainer], advanced+"/delete", url.Values{"delete_confirmation": {p.FullPath}}),
		403, "", "not allowed")
	checkPage(t, again(browsers[model.Developer], "/"+p.FullPath+"/-/edit", url.Values{"name": {"x"}}), 403, "", "not allowed")
}

func TestProjectsAreConfigured(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	b := s.SignedIn(s.owner.User)
	edit := s.root + "/-/edit"
	b.Get(edit)
	checkPage(t, b.Submit(edit, url.Values{"name": {" "}, "visibility": {"private"}}), 422, edit, "Name ")
	saved := url.Values{"name": {"Great roof (1)"}, "description": {"d"}, "topics": {"b, a"}, "visibility": {"internal"}}
	checkPage(t, b.Submit(edit, saved), 200, edit, "The project was saved.")
	has(t, b.Page, `value="Great roof (1)"`, `<option value="internal" selected>`)
	levels := url.Values{}
	for _, name := range []string{
		"repository", "issues", "merge_requests", "forking", "builds", "wiki", "snippets", "releases", "environments", "monitor",
	} {
		levels.Set(name+"_access_level", "enabled")
	}
	levels.Set("wiki_access_level", "secret")
	checkPage(t, b.Submit(edit+"/features", levels), 422, edit+"/features", "Wiki is not in the list")
	levels.Set("wiki_access_level", "disabled")
	checkPage(t, b.Submit(edit+"/features", levels), 200, edit, "The features were saved.")
	merge := s.root + "/-/settings/merge_requests"
	b.Get(merge)
	checkPage(t, b.Submit(merge, url.Values{"merge_method": {"odd"}, "squash_option": {"always"}}),
		422, merge, "Merge method is not in the list")
	fill := url.Values{
		"merge_method": {"ff"}, "squash_option": {"always"}, "only_allow_merge_if_pipeline_succeeds": {"1"},
		"merge_commit_template": {"%{title}"},
	}
	checkPage(t, b.Submit(merge, fill), 200, merge, "The settings were saved.")
	got := s.owner.Send("GET", "/projects/"+strconv.FormatInt(s.project.ID, 10), "").Body
	for _, want := range []string{
		`"merge_method":"ff"`, `"squash_option":"always"`, `"only_allow_merge_if_pipeline_succeeds":true`, `"wiki_access_level":"disabled"`,
		`"merge_commit_template":"%{title}"`, `"topics":["b","a"]`, `"visibility":"internal"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the project lacks %s: %s", want, got)
		}
	}
}

func TestRepositoriesAreProtected(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	b := s.SignedIn(s.owner.User)
	path := s.root + "/-/settings/repository"
	b.Get(path)
	checkPage(t, b.Submit(path+"/default_branch", url.Values{"default_branch": {"nowhere"}}),
		422, path+"/default_branch", "is not a branch of the repository")
	checkPage(t, b.Submit(path+"/default_branch", url.Values{"default_branch": {"old"}}), 200, path, "The default branch was saved.")
	branches := path + "/protected_branches"
	checkPage(t, b.Submit(branches, url.Values{"branch": {"stable/*"}, "push": {"7"}, "merge": {"30"}}),
		422, branches, "May push is not in the list")
	checkPage(t, b.Submit(branches, url.Values{"branch": {"stable/*"}, "push": {"0"}, "merge": {"30"}}),
		200, path, "The branch is protected.")
	has(t, b.Page, "<code>stable/*</code>")
	checkPage(t, b.Submit(branches, url.Values{"branch": {"stable/*"}, "push": {"0"}, "merge": {"30"}}), 422, branches, "already exists")
	checkPage(t, again(b, branches+"/remove", url.Values{"name": {"stable/*"}}), 200, path, "not protected any more")
	checkPage(t, again(b, branches+"/remove", url.Values{"name": {"stable/*"}}), 404, "", "")
	b.Get(path)
	tags := path + "/protected_tags"
	checkPage(t, b.Submit(tags, url.Values{"tag": {"v*"}, "create": {"40"}}), 200, path, "The tag is protected.")
	checkPage(t, b.Submit(tags+"/remove", nil), 200, path, "The tag is not protected any more.")
	keys := path + "/deploy_keys"
	checkPage(t, b.Submit(keys, url.Values{"title": {"CI"}, "key": {"rubbish"}}), 422, keys, "")
	key := sshKey(t)
	checkPage(t, b.Submit(keys, url.Values{"title": {"CI <1>"}, "key": {key}}), 200, path, "The key was added.")
	rows, _, err := s.Store.DeployKeys.ListByProject(t.Context(), s.project.ID, storePage)
	if err != nil || len(rows) != 1 || rows[0].CanPush {
		t.Fatalf("%v, %v", rows, err)
	}
	checkPage(t, b.Submit(keys+"/"+strconv.FormatInt(rows[0].DeployKey.ID, 10)+"/remove", nil), 200, path, "The key was removed.")
}

func TestARuleForBranchesIsChanged(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	browsers := roles(s.H, s.project)
	b, path := browsers[model.Maintainer], s.root+"/-/settings/repository"
	edit := path + "/protected_branches/edit/release/%2A"
	api := fmt.Sprintf("/projects/%d/", s.project.ID)
	made(t, s.owner, api+"deploy_keys", fmt.Sprintf(`{"title":"CI <1>","key":%q,"can_push":true}`, sshKey(t)))
	if got := s.owner.JSON("POST", api+"protected_branches", `{"name":"release/*"}`); got.Status != 201 {
		t.Fatal(got.Status, got.Body)
	}
	has(t, b.Get(path), `href="`+edit+`"`)
	has(t, openPage(t, s.H, b, edit, 10), "Protected branch release/*", `<option value="40" selected>Maintainers`, "CI &lt;1&gt;")
	checkPage(t, b.Submit(edit, url.Values{"push": {"7"}}), 422, "", "May push is not in the list")
	rows, _, err := s.Store.DeployKeys.ListByProject(t.Context(), s.project.ID, storePage)
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	key := strconv.FormatInt(rows[0].DeployKey.ID, 10)
	change := url.Values{"push": {"0"}, "merge": {"30"}, "force": {"1"}, "keys": {key}}
	checkPage(t, b.Submit(edit, change), 200, path, "The protection was changed.")
	has(t, b.Page, "Nobody<br><span class=\"soft\">and the key CI &lt;1&gt;", "Developers and maintainers", ">allowed<")
	has(t, b.Get(edit), `<option value="0" selected>Nobody`, `value="`+key+`" checked`)
	change.Del("keys")
	checkPage(t, again(b, edit, change), 200, path, "The protection was changed.")
	lacks(t, b.Page, "and the key CI")
	for role, other := range browsers {
		if role < model.Maintainer {
			hidden(t, other, edit)
			checkPage(t, again(other, edit, url.Values{"push": {"40"}, "merge": {"40"}}), 403, "", "")
		}
	}
	for _, other := range []*harness.Browser{s.SignedIn(s.NewUserWithPassword().User), s.Browser()} {
		hidden(t, other, edit)
	}
	hidden(t, b, path+"/protected_branches/edit/nothing")
}

func TestTokensOfProjectsAndGroupsAreShownOnce(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group()
	p := h.Project(g.ID)
	owner := h.NewUserWithPassword()
	h.Join(g, owner.User, model.Owner)
	b := h.SignedIn(owner.User)
	for _, base := range []string{"/" + p.FullPath, "/groups/" + g.FullPath} {
		path := base + "/-/settings/access_tokens"
		openPage(t, h, b, path, 8)
		checkPage(t, b.Submit(path, url.Values{"name": {"Robot"}, "role": {"30"}}), 422, path, "Scopes can't be blank")
		checkPage(t, b.Submit(path, url.Values{"name": {"Robot"}, "role": {"30"}, "scopes": {"sudo"}}), 422, path, "")
		page := b.Submit(path, url.Values{"name": {"Robot"}, "role": {"30"}, "scopes": {"read_api"}})
		checkPage(t, page, 200, path, "Copy it now")
		secret := valueOf(page, `id="secret"`)
		if len(secret) < 20 || strings.Contains(b.Get(path).Body, secret) {
			t.Errorf("the token %q is not shown once", secret)
		}
		checkPage(t, b.Submit(actionOf(b.Page, path+"/"), nil), 200, path, "The token was revoked.")
		path = base + "/-/settings/deploy_tokens"
		openPage(t, h, b, path, 8)
		checkPage(t, b.Submit(path, url.Values{"name": {"Machine"}, "username": {"a b"}, "scopes": {"read_repository"}}),
			422, path, "can contain only letters")
		checkPage(t, b.Submit(path, url.Values{"name": {"Machine"}, "username": {""}, "scopes": {"everything"}}),
			422, path, "are not in the list")
		page = b.Submit(path, url.Values{"name": {"Machine"}, "username": {""}, "scopes": {"read_repository"}})
		checkPage(t, page, 200, path, "svc+deploy-token-")
		if secret := valueOf(page, `id="secret"`); len(secret) < 20 || strings.Contains(b.Get(path).Body, secret) {
			t.Errorf("the token %q is not shown once", secret)
		}
		checkPage(t, b.Submit(actionOf(b.Page, path+"/"), nil), 200, path, "The token was revoked.")
		checkPage(t, again(b, path+"/999/revoke", url.Values{}), 404, "", "")
	}
}

func TestProjectsAreMovedArchivedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g, hiddenGroup := h.Group(), h.Group()
	owner := h.NewUserWithPassword()
	h.Join(g, owner.User, model.Owner)
	p := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Path = "roof" })
	b := h.SignedIn(owner.User)
	own := "/" + owner.User.Username
	path := own + "/roof/-/settings/advanced"
	openPage(t, h, b, path, 8)
	checkPage(t, b.Submit(path+"/path", url.Values{"path": {"a b"}}), 422, path+"/path", "Path ")
	checkPage(t, b.Submit(path+"/path", url.Values{"path": {"cellar"}}), 200, own+"/cellar/-/settings/advanced", "The path was changed.")
	path = own + "/cellar/-/settings/advanced"
	checkPage(t, b.Submit(path+"/archive", nil), 200, path, "The project is archived.")
	lacks(t, b.Page, path+"/path")
	checkPage(t, b.Get(own+"/cellar/-/edit"), 200, "", "The project is archived.")
	b.Get(path)
	checkPage(t, b.Submit(path+"/unarchive", nil), 200, path, "not archived any more")
	lacks(t, b.Page, hiddenGroup.FullPath)
	move := url.Values{"namespace": {g.FullPath}, "transfer_confirmation": {"wrong"}}
	checkPage(t, b.Submit(path+"/transfer", move), 422, path+"/transfer", "must be "+owner.User.Username+"/cellar")
	move = url.Values{"namespace": {hiddenGroup.FullPath}, "transfer_confirmation": {owner.User.Username + "/cellar"}}
	checkPage(t, b.Submit(path+"/transfer", move), 422, path+"/transfer", "New place was not found")
	move.Set("namespace", g.FullPath)
	checkPage(t, b.Submit(path+"/transfer", move), 200, "/"+g.FullPath+"/cellar/-/settings/advanced", "The project was moved.")
	path = "/" + g.FullPath + "/cellar/-/settings/advanced"
	checkPage(t, b.Submit(path+"/delete", url.Values{"delete_confirmation": {"cellar"}}),
		422, path+"/delete", "must be "+g.FullPath+"/cellar")
	checkPage(t, b.Submit(path+"/delete", url.Values{"delete_confirmation": {g.FullPath + "/cellar"}}), 200, "/", "was deleted.")
	if _, err := h.Store.Projects.Paths(t.Context(), []int64{p.ID}); err != nil {
		t.Error(err)
	}
	hidden(t, b, "/"+g.FullPath+"/cellar")
}

func TestGroupsAreConfiguredMovedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	parent, g := h.Group(), h.Group()
	owner, maintainer := h.NewUserWithPassword(), h.NewUserWithPassword()
	h.Join(g, owner.User, model.Owner)
	h.Join(parent, owner.User, model.Owner)
	h.Join(g, maintainer.User, model.Maintainer)
	path := "/groups/" + g.FullPath + "/-/"
	lesser := h.SignedIn(maintainer.User)
	for _, pattern := range []string{"edit", "settings/access_tokens", "settings/deploy_tokens", "settings/advanced"} {
		hidden(t, lesser, path+pattern)
		hidden(t, h.Browser(), path+pattern)
	}
	checkPage(t, again(lesser, path+"edit", url.Values{"name": {"x"}}), 403, "", "not allowed")
	b := h.SignedIn(owner.User)
	openPage(t, h, b, path+"edit", 6)
	fill := url.Values{
		"name": {"Tools (1)"}, "description": {"d"}, "visibility": {"private"}, "project_creation_level": {"noone"},
		"subgroup_creation_level": {"owner"}, "request_access_enabled": {"1"},
	}
	bad := url.Values{"name": {""}, "visibility": {"private"}, "project_creation_level": {"noone"}, "subgroup_creation_level": {"owner"}}
	checkPage(t, b.Submit(path+"edit", bad), 422, path+"edit", "Name ")
	checkPage(t, b.Submit(path+"edit", fill), 200, path+"edit", "The group was saved.")
	has(t, b.Page, `value="Tools (1)"`, `<option value="noone" selected>`)
	advanced := path + "settings/advanced"
	openPage(t, h, b, advanced, 8)
	checkPage(t, b.Submit(advanced+"/path", url.Values{"path": {"-"}}), 422, advanced+"/path", "Path ")
	checkPage(t, b.Submit(advanced+"/path", url.Values{"path": {"tools-1"}}),
		200, "/groups/tools-1/-/settings/advanced", "The path was changed.")
	advanced = "/groups/tools-1/-/settings/advanced"
	checkPage(t, b.Submit(advanced+"/transfer", url.Values{"parent": {"no/such"}, "transfer_confirmation": {"tools-1"}}),
		422, advanced+"/transfer", "was not found")
	checkPage(t, b.Submit(advanced+"/transfer", url.Values{"parent": {parent.FullPath}, "transfer_confirmation": {"tools-1"}}),
		200, "", "The group was moved.")
	advanced = "/groups/" + parent.FullPath + "/tools-1/-/settings/advanced"
	checkPage(t, b.Submit(advanced+"/delete", url.Values{"delete_confirmation": {"tools-1"}}), 422, advanced+"/delete", "must be")
	checkPage(t, b.Submit(advanced+"/delete", url.Values{"delete_confirmation": {parent.FullPath + "/tools-1"}}),
		200, "/-/groups", "was deleted.")
	hidden(t, b, "/groups/"+parent.FullPath+"/tools-1")
}
