package api

import (
	"fmt"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
)

func TestNotificationSettingsAreStoredPerGroupAndProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser(named("jane"))
	group := h.Group()
	h.Join(group, u.User, model.Guest)
	p := h.Project(group.ID)
	inGroup, inProject := fmt.Sprintf("/groups/%d/notification_settings", group.ID), fmt.Sprintf("/projects/%d/notification_settings", p.ID)
	expect(t, u.Send("GET", "/notification_settings", ""), 200, `{"level":"participating","notification_email":"jane@example.com"}`)
	expect(t, u.Send("GET", inGroup, ""), 200, `{"level":"global"}`)
	expect(t, u.Send("GET", inProject, ""), 200, `{"level":"global"}`)
	expect(t, u.JSON("PUT", "/notification_settings", `{"level":"watch"}`), 200,
		`{"level":"watch","notification_email":"jane@example.com"}`)
	expect(t, u.Form("PUT", inGroup, "level=mention"), 200, `{"level":"mention"}`)
	// The flags are stored with any level, and shown only with the level custom.
	expect(t, u.JSON("PUT", inProject, `{"level":"disabled","new_note":true}`), 200, `{"level":"disabled"}`)
	custom := u.JSON("PUT", inProject, `{"level":"custom","close_issue":true,"failed_pipeline":false}`)
	expect(t, custom, 200, "")
	h.Golden("updateProjectNotificationSettings/custom", custom.Body)
	expect(t, u.Send("GET", inProject, ""), 200, custom.Body)
	expect(t, u.JSON("PUT", inProject, `{}`), 200, custom.Body)
	expect(t, u.Send("GET", inGroup, ""), 200, `{"level":"mention"}`)
	expect(t, u.Send("GET", "/notification_settings", ""), 200, `{"level":"watch","notification_email":"jane@example.com"}`)

	expect(t, u.JSON("PUT", inProject, `{"level":"loud"}`), 400, `{"message":"'loud' is not a valid level"}`)
	expect(t, u.JSON("PUT", inProject, `{"new_note":"maybe"}`), 400, `{"error":"new_note is invalid"}`)
	expect(t, u.Send("GET", inProject, ""), 200, custom.Body)
	for _, path := range []string{"/notification_settings", inGroup, inProject} {
		expect(t, h.Anonymous().Send("GET", path, ""), 401, `{"message":"401 Unauthorized"}`)
		expect(t, h.Anonymous().JSON("PUT", path, `{"level":"watch"}`), 401, "")
	}
	expect(t, h.NewUser().Send("GET", inGroup, ""), 404, `{"message":"404 Group Not Found"}`)
	expect(t, h.NewUser().JSON("PUT", inProject, `{"level":"watch"}`), 404, `{"message":"404 Project Not Found"}`)
}

func TestMailsGoToAConfirmedAddress(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	u := h.NewUser(named("jane"))
	addEmail(t, root, "jane", "work@example.com", true)
	addEmail(t, root, "jane", "later@example.com", false)
	h.NewUser(named("joe"))
	for _, bad := range []string{"later@example.com", "joe@example.com", "free@example.com"} {
		expect(t, u.JSON("PUT", "/notification_settings", `{"notification_email":"`+bad+`","level":"disabled"}`), 400,
			`{"message":{"notification_email":["must be an email you have verified"]}}`)
	}
	expect(t, u.JSON("PUT", "/notification_settings", `{"notification_email":"work@example.com"}`), 200,
		`{"level":"participating","notification_email":"work@example.com"}`)
	expect(t, u.JSON("PUT", "/notification_settings", `{"notification_email":null}`), 200,
		`{"level":"participating","notification_email":"jane@example.com"}`)
}

func TestOnlyUltimateHasNotificationsOfNewEpics(t *testing.T) {
	t.Parallel()
	for tier, there := range map[string]bool{"free": false, "premium": false, "ultimate": true} {
		h := harness.New(t, func(c *config.Config) { c.Tier = tier })
		u := h.NewUser()
		group := h.Group()
		h.Join(group, u.User, model.Guest)
		p := h.Project(group.ID)
		for _, path := range []string{
			"/notification_settings", fmt.Sprintf("/groups/%d/notification_settings", group.ID),
			fmt.Sprintf("/projects/%d/notification_settings", p.ID),
		} {
			type custom struct{ Events map[string]bool }
			if epic, shown := read[custom](t, u.JSON("PUT", path, `{"level":"custom"}`), 200).Events["new_epic"]; shown != there || epic {
				t.Errorf("%s on %s: shown %v, %v", path, tier, shown, epic)
			}
			if epic := read[custom](t, u.JSON("PUT", path, `{"new_epic":true}`), 200).Events["new_epic"]; epic != there {
				t.Errorf("%s on %s is %v after it was set", path, tier, epic)
			}
			if epic := read[custom](t, u.Send("GET", path, ""), 200).Events["new_epic"]; epic != there {
				t.Errorf("%s on %s is %v when it is read", path, tier, epic)
			}
		}
	}
}
