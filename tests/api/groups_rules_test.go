package api

import (
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

// A reserved top-level path must not be reachable by moving a group there.
func TestAReservedPathIsNotMovedToTheTop(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	expect(t, owner.JSON("POST", "/groups", `{"name":"Acme","path":"acme"}`), 201, "")
	acme := int64(member(t, owner.Send("GET", "/groups/acme", ""), "id").(float64))
	for _, path := range []string{"Admin", "users", "snippets", "uploads"} {
		expect(t, owner.JSON("POST", "/groups", `{"name":"x","path":"`+path+`"}`), 400,
			`{"message":"Failed to save group {:path=\u003e[\"`+path+` is a reserved name\"]}"}`)
		expect(t, owner.JSON("POST", "/groups", fmt.Sprintf(`{"name":"x","path":"%s","parent_id":%d}`, path, acme)), 201, "")
		expect(t, owner.JSON("POST", "/groups/acme%2F"+path+"/transfer", `{}`), 400,
			`{"message":"400 Bad request - Transfer failed: `+path+` is a reserved name"}`)
		expect(t, owner.Send("GET", "/groups/acme%2F"+path, ""), 200, "")
	}
}

func TestAFullPathHasAMaximumLength(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	level := func(length int) string { // random letters do not compress
		text := ""
		for len(text) < length {
			text += rand.Text()
		}
		return text[:length]
	}
	const tooLong = `{"message":"Failed to save group {:path=\u003e[\"is too long together with its parent groups or ` +
		`subgroups (maximum is 1024 characters)\"]}"}`
	parent, top, last := "", "", ""
	for range 5 {
		made := owner.JSON("POST", "/groups", `{"name":"x","path":"`+level(200)+`"`+parent+`}`)
		expect(t, made, 201, "")
		last = fmt.Sprint(member(t, made, "id"))
		parent = `,"parent_id":` + last
		if top == "" {
			top = last
		}
	}
	expect(t, owner.JSON("POST", "/groups", `{"name":"x","path":"`+level(200)+`"`+parent+`}`), 400, tooLong)
	expect(t, owner.JSON("PUT", "/groups/"+top, `{"path":"`+level(220)+`"}`), 200, "")
	before := owner.Send("GET", "/groups/"+last, "").Body
	expect(t, owner.JSON("PUT", "/groups/"+top, `{"path":"`+level(221)+`"}`), 400, tooLong)
	other := owner.JSON("POST", "/groups", `{"name":"x","path":"x"}`)
	expect(t, owner.JSON("POST", "/groups/"+top+"/transfer", fmt.Sprintf(`{"group_id":%v}`, member(t, other, "id"))),
		400, `{"message":"400 Bad request - Transfer failed: The path would be too long."}`)
	expect(t, owner.Send("GET", "/groups/"+last, ""), 200, before)
	expect(t, owner.JSON("PUT", "/groups/x", `{"description":"`+strings.Repeat("é", 501)+`"}`), 400,
		`{"message":"Failed to save group {:description=\u003e[\"is too long (maximum is 500 characters)\"]}"}`)
	expect(t, owner.JSON("POST", "/groups", `{"name":"y","path":"y","description":"`+strings.Repeat("x", 501)+`"}`), 400, "")
}

// Whichever request wins, a group is never more visible than its parent.
func TestConcurrentVisibilityChangesStayConsistent(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	for round := range 6 {
		top := h.Group(seen(model.Public))
		low := h.Group(in(top), seen(model.Private))
		h.Join(top, owner.User, model.Owner)
		var wg sync.WaitGroup
		wg.Go(func() { owner.JSON("PUT", fmt.Sprintf("/groups/%d", top.ID), `{"visibility":"private"}`) })
		wg.Go(func() { owner.JSON("PUT", fmt.Sprintf("/groups/%d", low.ID), `{"visibility":"public"}`) })
		wg.Go(func() {
			owner.JSON("POST", "/groups", fmt.Sprintf(`{"name":"new","path":"new","visibility":"public","parent_id":%d}`, top.ID))
		})
		wg.Wait()
		visibility := member(t, owner.Send("GET", fmt.Sprintf("/groups/%d", top.ID), ""), "visibility")
		below := owner.Send("GET", fmt.Sprintf("/groups/%d/subgroups", top.ID), "").Body
		if visibility == "private" && strings.Contains(below, `"visibility":"public"`) {
			t.Errorf("round %d: a private group holds %s", round, below)
		}
	}
}

func TestAGroupKeepsAnActiveOwner(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	const refused = `{"message":"User cannot be removed while is the sole-owner of a group"}`
	one := h.Group()
	a, b := h.Member(one, model.Owner), h.Member(one, model.Owner)
	expect(t, root.Send("DELETE", fmt.Sprintf("/users/%d", a.User.ID), ""), 204, "")
	// The other owner is about to be deleted.
	expect(t, root.Send("DELETE", fmt.Sprintf("/users/%d", b.User.ID), ""), 409, refused)
	for round := range 5 {
		g := h.Group()
		owners := []*harness.Caller{h.Member(g, model.Owner), h.Member(g, model.Owner)}
		status := make([]int, len(owners))
		var wg sync.WaitGroup
		for i, owner := range owners {
			wg.Go(func() { status[i] = root.Send("DELETE", fmt.Sprintf("/users/%d", owner.User.ID), "").Status })
		}
		wg.Wait()
		if status[0]+status[1] != 204+409 {
			t.Errorf("round %d: %v", round, status)
		}
	}
}

func TestAnExpiredMembershipCannotBeChanged(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(at("acme"))
	owner, guest := h.Member(g, model.Owner), h.NewUser()
	yesterday := time.Now().UTC().AddDate(0, 0, -1)
	m := model.Member{SourceType: model.SourceGroup, SourceID: g.ID, UserID: guest.User.ID, AccessLevel: model.Guest, ExpiresAt: &yesterday}
	if err := h.Store.Members.Add(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	expect(t, owner.JSON("PUT", fmt.Sprintf("/groups/acme/members/%d", guest.User.ID), `{"access_level":40,"expires_at":null}`),
		404, `{"message":"404 Not found"}`)
	expect(t, guest.Send("GET", "/groups/acme", ""), 404, "")
}

func TestSeveralMembersAreFoundWithOneQuery(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(at("acme"))
	owner := h.Member(g, model.Owner)
	names := []string{"nobody", "Jane", "joe", owner.User.Username}
	h.NewUser(named("jane"))
	h.NewUser(named("joe"))
	got := owner.JSON("POST", "/groups/acme/members", `{"username":"`+strings.Join(names, ",")+`","access_level":30}`)
	expect(t, got, 201,
		fmt.Sprintf(`{"status":"error","message":{"nobody":"User not found","%s":"Member already exists"}}`, owner.User.Username))
	if all := owner.Send("GET", "/groups/acme/members", ""); strings.Count(all.Body, `"access_level":30`) != 2 {
		t.Errorf("members are %s", all.Body)
	}
	expect(t, owner.JSON("POST", "/groups/acme/members", `{"user_id":"1,x","access_level":30}`), 400, `{"error":"user_id is invalid"}`)
	before := h.Store.Statements()
	owner.JSON("POST", "/groups/acme/members", `{"username":"`+strings.Repeat("no1,no2,no3,no4,", 20)+`no5","access_level":30}`)
	if n := h.Store.Statements() - before; n > 5 {
		t.Errorf("eighty names take %d statements", n)
	}
}
