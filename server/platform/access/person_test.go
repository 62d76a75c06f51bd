package access

import (
	"fmt"
	"testing"

	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

func TestProfilesHideWhatIsPrivateOrShut(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	me := storetest.User(t, st)
	caller, admin := &reqctx.Actor{User: me.Caller()}, &reqctx.Actor{User: model.Caller{ID: -1, Admin: true}}
	for _, c := range []struct {
		name   string
		edit   func(*model.User)
		hidden bool
	}{
		{"active", func(*model.User) {}, false},
		{"deactivated", func(u *model.User) { u.State = model.UserDeactivated }, false},
		{"private", func(u *model.User) { u.PrivateProfile = true }, true},
		{"blocked", func(u *model.User) { u.State = model.UserBlocked }, true},
		{"banned", func(u *model.User) { u.State = model.UserBanned }, true},
		{"pending", func(u *model.User) { u.State = model.UserPendingApproval }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := storetest.User(t, st, c.edit)
			for name, actor := range map[string]*reqctx.Actor{
				"nobody": nil, "another": caller, "self": {User: u.Caller()}, "administrator": admin,
			} {
				ctx := reqctx.With(t.Context(), &reqctx.Info{Actor: actor})
				got, err := Profile(ctx, st, u.Username)
				if hidden := c.hidden && (name == "nobody" || name == "another"); hidden {
					wantAnswer(t, err, 404, `{"message":"404 User Not Found"}`)
				} else if err != nil || got.ID != u.ID {
					t.Errorf("%s: %d, %v", name, got.ID, err)
				}
			}
		})
	}
}

func TestAPersonIsFoundByIDOrUsername(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st, func(u *model.User) { u.Username = "Jane" })
	storetest.User(t, st, func(other *model.User) { other.Username = fmt.Sprint(u.ID) })
	for _, ref := range []string{"jane", "JANE", fmt.Sprint(u.ID)} {
		if got, err := FindUser(t.Context(), st, ref); err != nil || got.ID != u.ID {
			t.Errorf("%s is %d, %v", ref, got.ID, err)
		}
	}
	for _, ref := range []string{
		"nobody", "0", fmt.Sprintf("+%d", u.ID), fmt.Sprintf("-%d", u.ID), "99999999999999999999", "jane@example.com",
	} {
		if _, err := FindUser(t.Context(), st, ref); !store.IsNotFound(err) {
			if err == nil {
				t.Errorf("%s was found", ref)
				continue
			}
			wantAnswer(t, err, 404, `{"message":"404 User Not Found"}`)
		}
	}
}
