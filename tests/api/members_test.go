package api

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

func TestMembersAreAddedChangedAndRemoved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(at("acme"))
	owner := h.Member(g, model.Owner)
	jane := h.NewUser(func(u *model.User) { u.Username, u.Name = "jane", "Jane" })
	id := fmt.Sprint(jane.User.ID)
	added := owner.JSON("POST", "/groups/acme/members", `{"user_id":`+id+`,"access_level":30,"expires_at":"2099-01-31"}`)
	expect(t, added, 201, "")
	for _, want := range []string{
		`"access_level":30`, `"expires_at":"2099-01-31"`, `"username":"jane"`, `"membership_state":"active"`,
		`"created_by":{"id":`,
	} {
		if !strings.Contains(added.Body, want) {
			t.Errorf("%s is missing in %s", want, added.Body)
		}
	}
	if strings.Contains(added.Body, `"email"`) || !strings.Contains(h.Root().Send("GET", "/groups/acme/members/"+id, "").Body, `"email"`) {
		t.Error("addresses are for administrators")
	}
	expect(t, owner.JSON("POST", "/groups/acme/members", `{"username":"jane","access_level":30}`), 409,
		`{"message":"Member already exists"}`)
	expect(t, owner.JSON("POST", "/groups/acme/members", `{"username":"nobody","access_level":30}`), 404,
		`{"message":"404 User Not Found"}`)
	expect(t, owner.JSON("POST", "/groups/acme/members", `{"access_level":30}`), 400,
		`{"error":"user_id, username are missing, exactly one parameter must be provided"}`)
	expect(t, owner.JSON("POST", "/groups/acme/members", `{"user_id":"1","access_level":33}`), 400,
		`{"error":"access_level does not have a valid value"}`)
	expect(t, owner.JSON("POST", "/groups/acme/members", `{"user_id":"1"}`), 400, `{"error":"access_level is missing"}`)
	yesterday := time.Now().AddDate(0, 0, -1).Format(time.DateOnly)
	expect(t, owner.JSON("PUT", "/groups/acme/members/"+id, `{"access_level":40,"expires_at":"`+yesterday+`"}`), 400,
		`{"message":{"expires_at":["cannot be a date in the past"]}}`)
	changed := owner.JSON("PUT", "/groups/acme/members/"+id, `{"access_level":40,"expires_at":null}`)
	if changed.Status != 200 || !strings.Contains(changed.Body, `"access_level":40`) ||
		!strings.Contains(changed.Body, `"expires_at":null`) {
		t.Errorf("changed: %d %s", changed.Status, changed.Body)
	}
	expect(t, jane.JSON("PUT", "/groups/acme/members/"+id, `{"access_level":50}`), 403, `{"message":"403 Forbidden"}`)
	expect(t, jane.Send("DELETE", "/groups/acme/members/"+fmt.Sprint(owner.User.ID), ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, jane.Send("DELETE", "/groups/acme/members/"+id, ""), 204, "") // every member may leave
	expect(t, owner.Send("GET", "/groups/acme/members/"+id, ""), 404, `{"message":"404 Not found"}`)
	batch := owner.Form("POST", "/groups/acme/members", "username=jane,nobody&access_level=20")
	expect(t, batch, 201, `{"status":"error","message":{"nobody":"User not found"}}`)
	expect(t, owner.Form("POST", "/groups/acme/members",
		fmt.Sprintf("user_id=%d,%d&access_level=20", h.NewUser().User.ID, h.NewUser().User.ID)), 201, `{"status":"success"}`)
}

func TestInheritedMembersAreListedOnceWithTheHighestRole(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	top := h.Group(at("top"))
	low := h.Group(at("low"), in(top))
	owner := h.Member(top, model.Owner)
	both := h.Member(top, model.Guest)
	h.Join(low, both.User, model.Developer)
	direct := h.Member(low, model.Reporter)
	if got := owner.Send("GET", "/groups/top%2Flow/members", ""); strings.Count(got.Body, `"access_level"`) != 2 {
		t.Errorf("direct: %s", got.Body)
	}
	all := owner.Send("GET", "/groups/top%2Flow/members/all", "")
	if strings.Count(all.Body, `"access_level"`) != 3 || !strings.Contains(all.Body, `"access_level":30`) ||
		strings.Contains(all.Body, `"access_level":10`) || all.Header.Get("X-Total") != "3" {
		t.Errorf("all: %s", all.Body)
	}
	expect(t, direct.Send("GET", fmt.Sprintf("/groups/top%%2Flow/members/all/%d", owner.User.ID), ""), 200, "")
	expect(t, direct.Send("GET", fmt.Sprintf("/groups/top%%2Flow/members/%d", owner.User.ID), ""), 404, `{"message":"404 Not found"}`)
	if got := owner.Send("GET", "/groups/top%2Flow/members/all?query="+strings.ToUpper(both.User.Username)+
		"&user_ids="+fmt.Sprint(both.User.ID), ""); strings.Count(got.Body, `"username"`) != 1 {
		t.Errorf("filtered: %s", got.Body)
	}
	before := h.Store.Statements()
	owner.Send("GET", "/groups/top%2Flow/members/all", "")
	if n := h.Store.Statements() - before; n > 5 {
		t.Errorf("a list of members takes %d statements", n)
	}
}

func TestAGroupKeepsItsLastOwner(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(at("acme"))
	a := h.Member(g, model.Owner)
	mine := fmt.Sprintf("/groups/acme/members/%d", a.User.ID)
	expect(t, a.Send("DELETE", mine, ""), 403, `{"message":"403 Forbidden - The last owner of a group cannot be removed"}`)
	expect(t, a.JSON("PUT", mine, `{"access_level":40}`), 403, "")
	expect(t, a.JSON("PUT", mine, `{"access_level":50,"expires_at":"2099-01-01"}`), 403, "")
	// Two owners remove each other at the same time: one of them stays.
	b := h.Member(g, model.Owner)
	var both sync.WaitGroup
	both.Go(func() { a.Send("DELETE", fmt.Sprintf("/groups/acme/members/%d", b.User.ID), "") })
	both.Go(func() { b.Send("DELETE", mine, "") })
	both.Wait()
	if got := h.Root().Send("GET", "/groups/acme/members", ""); strings.Count(got.Body, `"access_level":50`) != 1 {
		t.Errorf("owners now: %s", got.Body)
	}
}

func TestTheSoleOwnerOfAGroupNeedsAHardDelete(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	top := h.Group(at("acme"))
	owner := h.Member(top, model.Owner)
	h.Join(h.Group(at("web"), in(top)), owner.User, model.Owner)
	shared := h.Group(at("shared"))
	h.Join(shared, owner.User, model.Owner)
	h.Member(shared, model.Owner)
	path := fmt.Sprintf("/users/%d", owner.User.ID)
	expect(t, h.Root().Send("DELETE", path, ""), 409, `{"message":"User cannot be removed while is the sole-owner of a group"}`)
	expect(t, owner.Send("GET", "/user", ""), 200, "")
	expect(t, h.Root().Send("DELETE", path+"?hard_delete=true", ""), 204, "")
	wait.Until(t, "the sole owner is deleted", func() bool {
		return h.Root().Send("GET", path, "").Status == 404
	})
	expect(t, h.Root().Send("GET", "/groups/acme%2Fweb", ""), 404, "")
	expect(t, h.Root().Send("GET", "/groups/shared", ""), 200, "")
}

func TestAnExpiredMembershipEndsAtOnce(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(at("acme"))
	guest := h.NewUser()
	yesterday := time.Now().UTC().AddDate(0, 0, -1)
	m := model.Member{SourceType: model.SourceGroup, SourceID: g.ID, UserID: guest.User.ID, AccessLevel: model.Guest, ExpiresAt: &yesterday}
	if err := h.Store.Members.Add(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	expect(t, guest.Send("GET", "/groups/acme", ""), 404, "")
	if n, err := h.Store.Members.DeleteExpired(t.Context(), time.Now()); n != 1 || err != nil {
		t.Errorf("%d memberships ended, %v", n, err)
	}
}
