package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

func TestUsersAskForAccessToAGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"), seen(model.Public))
	owner := h.Member(acme, model.Owner)
	jane := h.NewUser(withUsername("jane"))
	const list = "/groups/acme/access_requests"
	mine := fmt.Sprintf("%s/%d", list, jane.User.ID)
	asked := jane.Send("POST", list, "")
	expect(t, asked, 201, "")
	h.Golden("createGroupAccessRequest/asked", asked.Body)
	expect(t, jane.Send("POST", list, ""), 400, `{"message":{"user_id":["already exists in source"]}}`)
	expect(t, owner.Send("GET", list, ""), 200, "["+asked.Body+"]")
	expect(t, jane.Send("GET", list, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, jane.Send("PUT", mine+"/approve", ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.NewUser().Send("DELETE", mine, ""), 403, `{"message":"403 Forbidden"}`)
	old := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	expect(t, jane.Send("DELETE", mine, "", "If-Unmodified-Since", old), 412, "")
	expect(t, jane.Send("DELETE", mine, ""), 204, "")
	expect(t, jane.Send("DELETE", mine, ""), 404, `{"message":"404 Not found"}`)
	expect(t, owner.Send("PUT", mine+"/approve", ""), 404, `{"message":"404 Not found"}`)

	expect(t, jane.Send("POST", list, ""), 201, "")
	expect(t, owner.Send("DELETE", mine, ""), 204, "")
	expect(t, jane.Send("POST", list, ""), 201, "")
	expect(t, owner.JSON("PUT", mine+"/approve", `{"access_level":33}`), 400, `{"error":"access_level does not have a valid value"}`)
	approved := owner.JSON("PUT", mine+"/approve", `{"access_level":20}`)
	if approved.Status != 201 || !strings.Contains(approved.Body, `"access_level":20`) ||
		!strings.Contains(approved.Body, `"username":"jane"`) {
		t.Errorf("approved: %d %s", approved.Status, approved.Body)
	}
	expect(t, owner.Send("GET", list, ""), 200, "[]")
	expect(t, jane.Send("POST", list, ""), 403, `{"message":"403 Forbidden"}`) // already a member

	other := h.NewUser()
	expect(t, other.Send("POST", list, ""), 201, "")
	given := owner.Send("PUT", fmt.Sprintf("%s/%d/approve", list, other.User.ID), "")
	if given.Status != 201 || !strings.Contains(given.Body, `"access_level":30`) {
		t.Errorf("approved: %d %s", given.Status, given.Body)
	}
}

func TestAccessRequestsThatAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"), seen(model.Internal))
	h.Group(at("closed"), seen(model.Public), func(g *model.Namespace) { g.RequestAccessEnabled = false })
	low := h.Group(at("low"), in(acme), seen(model.Internal))
	h.Group(at("hidden"))
	user := h.NewUser()
	expect(t, h.Anonymous().Send("POST", "/groups/acme/access_requests", ""), 401, "")
	expect(t, h.NewUser(harness.External).Send("POST", "/groups/acme/access_requests", ""), 404, `{"message":"404 Group Not Found"}`)
	expect(t, user.Send("POST", "/groups/hidden/access_requests", ""), 404, `{"message":"404 Group Not Found"}`)
	expect(t, user.Send("POST", "/groups/closed/access_requests", ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.Member(acme, model.Guest).Send("POST", fmt.Sprintf("/groups/%d/access_requests", low.ID), ""), 403, "")
	expect(t, h.Root().Send("POST", "/groups/acme/access_requests", ""), 403, "")
	// Adding the user as a member settles the access request, even if an earlier membership has just expired.
	day := endedYesterday()
	if err := h.Store.Members.Add(t.Context(), &model.Member{
		SourceType:  model.SourceGroup,
		SourceID:    acme.ID,
		UserID:      user.User.ID,
		AccessLevel: model.Guest,
		ExpiresAt:   &day,
	}); err != nil {
		t.Fatal(err)
	}
	expect(t, user.Send("POST", "/groups/acme/access_requests", ""), 201, "")
	expect(t, h.Root().JSON("POST", "/groups/acme/members", fmt.Sprintf(`{"user_id":%d,"access_level":10}`, user.User.ID)), 201, "")
	expect(t, h.Root().Send("GET", "/groups/acme/access_requests", ""), 200, "[]")
	// Deleting a group deletes its access requests.
	expect(t, h.NewUser().Send("POST", "/groups/acme/access_requests", ""), 201, "")
	expect(t, h.Root().Send("DELETE", "/groups/acme", ""), 202, "")
	var left int
	if err := h.Store.SQL().QueryRowContext(t.Context(), "SELECT count(*) FROM access_requests").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d requests are left, %v", left, err)
	}
}
