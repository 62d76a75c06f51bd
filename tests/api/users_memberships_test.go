package api

import (
	"fmt"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

func TestMembershipsOfAUser(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	top := h.Group(at("top"))
	low := h.Group(at("low"), in(top))
	h.Group(at("below"), in(low))
	user := h.Member(low, model.Developer)
	h.Join(top, user.User, model.Guest)
	ended := h.Group(at("ended"))
	day := endedYesterday()
	if err := h.Store.Members.Add(t.Context(), &model.Member{
		SourceType:  model.SourceGroup,
		SourceID:    ended.ID,
		UserID:      user.User.ID,
		AccessLevel: model.Owner,
		ExpiresAt:   &day,
	}); err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/users/%d/memberships", user.User.ID)
	inLow := fmt.Sprintf(`{"source_id":%d,"source_name":"low","source_type":"Namespace","access_level":"30"}`, low.ID)
	inTop := fmt.Sprintf(`{"source_id":%d,"source_name":"top","source_type":"Namespace","access_level":"10"}`, top.ID)
	expect(t, root.Send("GET", path, ""), 200, "["+inLow+","+inTop+"]")
	expect(t, root.Send("GET", path+"?type=Namespace", ""), 200, "["+inLow+","+inTop+"]")
	expect(t, root.Send("GET", path+"?type=Project", ""), 200, "[]")
	second := root.Send("GET", path+"?per_page=1&page=2", "")
	expect(t, second, 200, "["+inTop+"]")
	if second.Header.Get("X-Total") != "2" {
		t.Errorf("total %q", second.Header.Get("X-Total"))
	}
	for _, bad := range []string{"User", "project", "Namespace%27--"} {
		expect(t, root.Send("GET", path+"?type="+bad, ""), 400, `{"error":"type does not have a valid value"}`)
	}
	expect(t, root.Send("GET", "/users/999999/memberships", ""), 404, `{"message":"404 User Not Found"}`)
	expect(t, root.Send("GET", "/users/jane/memberships", ""), 404, "")
	expect(t, user.Send("GET", path, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, user.Send("GET", "/users/999999/memberships", ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.Anonymous().Send("GET", path, ""), 401, `{"message":"401 Unauthorized"}`)
}

func endedYesterday() time.Time { return time.Now().UTC().AddDate(0, 0, -1) }
