package git

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"
)

// An SSH key expires by the clock of the service, and a push has its time.
func TestSSHFollowsTheClock(t *testing.T) {
	t.Parallel()
	o := storetest.Options(t)
	o.Clock = &clock.Clock{}
	st, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := harness.NewOnStore(t, st, func(c *config.Config) { c.SSHListen = listener.Addr().String() })
	go func() { _ = h.Server.ServeSSH(listener) }()
	t.Cleanup(func() {
		if err := h.Server.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	confirmed := time.Now()
	owner := h.NewUser(func(u *model.User) { u.ConfirmedAt = &confirmed })
	p := h.Project(*owner.User.NamespaceID)
	key := sshKey(t, owner, fmt.Sprintf(`,"expires_at":%q`, time.Now().AddDate(0, 0, 30).UTC().Format(time.RFC3339)))
	git := []string{"-c", "core.sshCommand=" + sshCommand(key), "push", "ssh://git@" + listener.Addr().String() + "/" + p.FullPath + ".git"}
	here := newRepository(t)
	move := func(days int) {
		t.Helper()
		if err := h.Server.MoveClock(t.Context(), o.Clock.Now().AddDate(0, 0, days)); err != nil {
			t.Fatal(err)
		}
	}
	move(20)
	must(t, here, append(git, "-q", "main")...)
	events, err := st.Pushes.Events(t.Context(), p.ID)
	if err != nil || len(events) != 1 || events[0].CreatedAt.Sub(o.Clock.Now()).Abs() > time.Hour {
		t.Errorf("%+v %v", events, err)
	}
	move(11)
	refused(t, "", here, append(git, "main:other")...)
	move(-11)
	must(t, here, append(git, "-q", "main:other")...)
}
