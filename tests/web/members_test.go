package web

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestMembersOfAProjectAreManaged(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group()
	p := h.Project(g.ID)
	owner, maintainer := h.NewUserWithPassword(), h.NewUserWithPassword()
	developer, other := h.NewUserWithPassword(), h.NewUserWithPassword()
	h.Join(g, owner.User, model.Owner)
	h.JoinProject(p, maintainer.User, model.Maintainer)
	h.JoinProject(p, developer.User, model.Developer)
	for range 25 {
		h.JoinProject(p, h.NewUser().User, model.Guest)
	}
	path := "/" + p.FullPath + "/-/project_members"
	hidden(t, h.SignedIn(other.User), path)
	hidden(t, h.Browser(), path)
	reader := h.SignedIn(developer.User)
	shown := openPage(t, h, reader, path, 12)
	if strings.Contains(shown.Body, "Add people") || strings.Contains(shown.Body, "/remove") {
		t.Error("a developer manages members")
	}
	b := h.SignedIn(maintainer.User)
	checkPage(t, openPage(t, h, b, path, 16), 200, path, "Add people")
	if strings.Contains(b.Page.Body, `<option value="50"`) {
		t.Error("a maintainer can give the role of owner")
	}
	checkPage(t, b.Submit(path+"/add", url.Values{"people": {""}, "role": {"30"}}), 422, path+"/add", "People can't be blank")
	checkPage(t, b.Submit(path+"/add", url.Values{"people": {"nobody-here"}, "role": {"30"}}),
		422, path+"/add", "nobody-here: User not found")
	checkPage(t, b.Submit(path+"/add", url.Values{"people": {other.User.Username}, "role": {"50"}}), 422, path+"/add", "not allowed")
	late := url.Values{"people": {other.User.Username}, "role": {"30"}, "expires_at": {"2001-01-01"}}
	checkPage(t, b.Submit(path+"/add", late), 422, path+"/add", "cannot be a date in the past")
	both := url.Values{"people": {other.User.Username + ", new@example.com"}, "role": {"20"}, "expires_at": {""}}
	checkPage(t, b.Submit(path+"/add", both), 200, path, "The people were added.")
	checkPage(t, b.Page, 200, path, "new@example.com as Reporter")
	checkPage(t, b.Submit(path+"/invitations/withdraw", nil), 200, path, "withdrawn")
	checkPage(t, b.Get(path+"?search="+other.User.Username), 200, path, "Reporter")
	row := path + "/" + id(other.User)
	checkPage(t, b.Submit(row, url.Values{"role": {"40"}}), 200, path, "The member was changed.")
	checkPage(t, b.Get(path+"?search="+other.User.Username), 200, path, "Maintainer")
	checkPage(t, b.Submit(row, url.Values{"role": {"30"}, "expires_at": {"2101-02-03"}}), 200, path, "The member was changed.")
	has(t, b.Get(path+"?search="+other.User.Username), `name="expires_at" type="date" value="2101-02-03"`)
	has(t, reader.Get(path+"?search="+other.User.Username), "3 February 2101")
	lacks(t, reader.Page, `type="date"`)
	checkPage(t, again(b, row, url.Values{"role": {"20"}}), 200, path, "The member was changed.") // the date stays
	has(t, b.Get(path+"?search="+other.User.Username), `value="2101-02-03"`)
	checkPage(t, again(b, row, url.Values{"role": {"40"}, "expires_at": {""}}), 200, path, "The member was changed.")
	lacks(t, b.Get(path+"?search="+other.User.Username), `value="2101-02-03"`)
	checkPage(t, again(b, row, url.Values{"role": {"40"}, "expires_at": {"2001-01-01"}}), 400, "", "cannot be a date in the past")
	checkPage(t, again(b, row, url.Values{"role": {"40"}, "expires_at": {"soon"}}), 400, "", "is not a date")
	b.Get(path)
	checkPage(t, again(b, row, url.Values{"role": {"7"}}), 400, "", "not in the list")
	checkPage(t, again(b, row, url.Values{"role": {"50"}}), 403, "", "not allowed")
	checkPage(t, again(reader, row, url.Values{"role": {"10"}}), 403, "", "not allowed")
	checkPage(t, again(b, path+"/"+id(owner.User)+"/remove", url.Values{}), 404, "", "")
	b.Get(path + "?search=" + other.User.Username)
	checkPage(t, b.Submit(row+"/remove", nil), 200, path, "The member was removed.")
	reader.Get(path)
	checkPage(t, reader.Submit(path+"/leave", nil), 200, "/", "You have left "+p.FullPath)
	hidden(t, reader, path)
	checkPage(t, again(b, row+"/remove", url.Values{}), 404, "", "")
}

func TestGroupsAreSharedAndAskedForAccess(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(n *model.Namespace) { n.Visibility, n.RequestAccessEnabled = model.Public, true })
	friends, secret := h.Group(func(n *model.Namespace) { n.Visibility = model.Public }), h.Group()
	owner, visitor := h.NewUserWithPassword(), h.NewUserWithPassword()
	h.Join(g, owner.User, model.Owner)
	path := "/groups/" + g.FullPath + "/-/group_members"
	hidden(t, h.Browser(), path) // the API shows members to signed-in callers only
	b, asking := h.SignedIn(owner.User), h.SignedIn(visitor.User)
	checkPage(t, asking.Get(path), 200, path, "You are not a member of this group.")
	checkPage(t, asking.Submit(path+"/request_access", nil), 200, path, "Your request was sent")
	checkPage(t, openPage(t, h, b, path, 16), 200, path, "Approve as developer")
	checkPage(t, b.Submit(path+"/requests/"+id(visitor.User)+"/approve", nil), 200, path, "added as a developer")
	share := path + "/share"
	checkPage(t, b.Submit(share, url.Values{"group": {secret.FullPath}, "group_access": {"30"}}), 422, share, "Group was not found")
	checkPage(t, b.Submit(share, url.Values{"group": {g.FullPath}, "group_access": {"30"}}), 422, share, "cannot be shared with itself")
	checkPage(t, b.Submit(share, url.Values{"group": {friends.FullPath}, "group_access": {"30"}}), 200, path, "The group was shared.")
	checkPage(t, b.Submit(share+"/"+strconv.FormatInt(friends.ID, 10)+"/remove", nil), 200, path, "The sharing was ended.")
	checkPage(t, b.Submit(path+"/leave", nil), 403, "", "The last owner of a group cannot be removed")
}
