package process

import (
	"net/http"
	"strings"
	"testing"
)

func TestTestModeHasAControlPlane(t *testing.T) {
	t.Parallel()
	s := startEphemeral(t, "--test-mode", "--seed", "3", "--root-token", Token)
	if s.Token != Token || signedInAs(t, s.URL, Token) != "root" || len(s.Users) < 5 {
		t.Errorf("%+v", s.readyLine)
	}
	if !strings.HasPrefix(s.ControlURL, "http://127.0.0.1:") {
		t.Fatalf("%+v", s.readyLine)
	}
	res, err := http.Post(s.ControlURL+"/worlds/main/reset", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 200 || signedInAs(t, s.URL, Token) != "root" {
		t.Error("after a reset:", res.StatusCode)
	}
	if res, err = http.Get(s.URL + "/worlds"); err != nil || res.StatusCode != 404 {
		t.Error("the service itself must not have the control plane:", res, err)
	}
	res.Body.Close()
	if rest := s.end(t); rest != "" {
		t.Errorf("it printed more: %q", rest)
	}
}

func TestTheControlPlaneIsRefusedWhereItWouldBeDangerous(t *testing.T) {
	t.Parallel()
	for _, bad := range []struct {
		args []string
		want string
	}{
		{[]string{"--test-mode"}, "--test-mode: the control plane can reset and delete everything, so it needs ephemeral"},
		{[]string{"--ephemeral", "--test-mode", "--control-listen", "0.0.0.0:0"}, `"0.0.0.0:0" is not a loopback address`},
		{[]string{"--ephemeral", "--test-mode", "--control-listen", ":0"}, "is not a loopback address"},
		{[]string{"--ephemeral", "--test-mode", "--control-listen", "example.com:0"}, "is not a loopback address"},
		{[]string{"--ephemeral", "--test-mode", "--database-url", "postgres://x"}, "an ephemeral instance has its own database"},
		{[]string{"--ephemeral", "--test-mode", "--ssh-listen", "127.0.0.1:0"}, "--ssh-listen: not offered together with test-mode"},
	} {
		out, err := Run(t, Place{Data: t.TempDir()}, append([]string{"serve"}, bad.args...)...)
		if err == nil || !strings.Contains(out, bad.want) {
			t.Errorf("%v: %v\n%s", bad.args, err, out)
		}
	}
}
