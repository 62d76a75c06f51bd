package api

import (
	"fmt"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// A member that takes one value or several takes them as a list, as the document describes it.
func TestListsAreSentAsLists(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group()
	web := h.Project(acme.ID, called("web", model.Private))
	root := h.Root()
	var registration struct{ Token string }
	decode(t, root.Send("POST", "/runners/reset_registration_token", ""), &registration)
	runner := fmt.Sprintf(`{"token":%q,"description":"Build machine","tag_list":["linux","docker"]}`, registration.Token)
	expect(t, h.Anonymous().JSON("POST", "/runners", runner), 201, "")
	for _, at := range []string{fmt.Sprintf("/groups/%d", acme.ID), fmt.Sprintf("/projects/%d", web.ID)} {
		jane, omar := h.NewUser(), h.NewUser()
		ids := fmt.Sprintf(`["%d","%d"]`, jane.User.ID, omar.User.ID)
		expect(t, root.JSON("POST", at+"/members", `{"user_id":`+ids+`,"access_level":30,"expires_at":"`+inDays(90)+`"}`), 201, "")
		expect(t, root.JSON("POST", at+"/invitations",
			`{"email":["ann@example.com","bob@example.com"],"access_level":30,"expires_at":"`+inDays(90)+`"}`), 201, `{"status":"success"}`)
	}
}
