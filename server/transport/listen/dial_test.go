package listen

import (
	"io"
	"net/netip"
	"testing"
)

func TestDialSendsAHeaderOnlyToAListenerThatExpectsOne(t *testing.T) {
	t.Parallel()
	for _, trusted := range []string{"127.0.0.0/8", "192.0.2.0/24"} {
		l := proxiedListener(t, trusted)
		conn, err := Dial(t.Context(), "tcp", l.Addr().String(), []netip.Prefix{netip.MustParsePrefix(trusted)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, "hello"); err != nil {
			t.Fatal(err)
		}
		from, text := accept(t, l)
		if text != "hello" || from != conn.LocalAddr().String() {
			t.Error(trusted, from, text)
		}
		conn.Close()
	}
}
