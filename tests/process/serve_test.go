package process

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"svc/store/storetest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := binary(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

const variables = "/api/v4/admin/ci/variables"

func TestTheFirstStartPrintsWhatANewUserNeeds(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p, "SVC_ROOT_TOKEN=")
	s.WaitFor("the documentation is at")
	line := regexp.MustCompile(`curl --header "(.*): (.*)" (\S+)`).FindStringSubmatch(s.Output())
	if line == nil || !strings.Contains(s.Output(), "administrator  root") ||
		!regexp.MustCompile(`password +\S{20}`).MatchString(s.Output()) {
		t.Fatalf("printed:\n%s", s.Output())
	}
	req, err := http.NewRequestWithContext(t.Context(), "GET", line[3], nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set(line[1], line[2])
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var me struct {
		Username string
		IsAdmin  bool `json:"is_admin"`
	}
	if err := json.NewDecoder(res.Body).Decode(&me); err != nil || me.Username != "root" || !me.IsAdmin {
		t.Errorf("the printed line answers %d %+v %v", res.StatusCode, me, err)
	}
	s.Signal(syscall.SIGTERM)
	if err := s.End(); err != nil {
		t.Fatalf("%v\n%s", err, s.Output())
	}
	again := Start(t, p, "SVC_ROOT_TOKEN=another-token-0123456789")
	if strings.Contains(again.Output(), "token") {
		t.Errorf("the second start prints secrets:\n%s", again.Output())
	}
}

func TestAKilledServerKeepsEveryWriteThatItAnswered(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	acknowledged := make([]int, 8)
	for round := range 3 {
		s := Start(t, p)
		var writers sync.WaitGroup
		for w := range acknowledged {
			key := fmt.Sprintf("W%d", w)
			if round == 0 {
				if status, body, err := s.Do(ctx, "POST", variables, `{"key":"`+key+`","value":"0"}`); status != 201 {
					t.Fatal(status, body, err)
				}
			}
			writers.Go(func() {
				for {
					next := acknowledged[w] + 1
					status, _, err := s.Do(ctx, "PUT", variables+"/"+key, fmt.Sprintf(`{"value":"%d"}`, next))
					if err != nil || status != 200 {
						return
					}
					acknowledged[w] = next
				}
			})
		}
		time.AfterFunc(700*time.Millisecond, func() { s.Signal(syscall.SIGKILL) })
		writers.Wait()
		s.End() //nolint:errcheck // killed

		s = Start(t, p)
		for w, want := range acknowledged {
			_, body, err := s.Do(ctx, "GET", fmt.Sprintf("%s/W%d", variables, w), "")
			var v struct{ Value string }
			if err != nil || json.Unmarshal([]byte(body), &v) != nil {
				t.Fatal(body, err)
			}
			var got int
			fmt.Sscan(v.Value, &got)
			// The last write may have been committed although the answer did not arrive.
			if got != want && got != want+1 {
				t.Errorf("round %d, writer %d: %d was answered, %d is stored", round, w, want, got)
			}
			acknowledged[w] = got
		}
		s.Signal(syscall.SIGKILL)
		s.End() //nolint:errcheck // killed
	}
	if acknowledged[0] < 3 {
		t.Errorf("too few writes to prove anything: %v", acknowledged)
	}
}

func TestSIGTERMLetsRequestsFinish(t *testing.T) {
	t.Parallel()
	s := Start(t, NewPlace(t))
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := `{"key":"SLOW","value":"x"}`
	fmt.Fprintf(
		conn,
		"POST %s HTTP/1.1\r\nHost: svc\r\nPRIVATE-TOKEN: %s\r\nContent-Type: application/json\r\nContent-Length: "+
			"%d\r\nExpect: 100-continue\r\n\r\n",
		variables, Token, len(body),
	)
	reader := bufio.NewReader(conn)
	if line, err := reader.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q %v", line, err) // the server is now reading the body
	}
	reader.ReadString('\n') //nolint:errcheck // the empty line
	s.Signal(syscall.SIGTERM)
	s.WaitFor("Stopping")
	fmt.Fprint(conn, body)
	res, err := http.ReadResponse(reader, nil)
	if err != nil || res.StatusCode != http.StatusCreated {
		t.Fatalf("%v %v", res, err)
	}
	res.Body.Close()
	if err := s.End(); err != nil || !strings.Contains(s.Output(), "Stopped.") {
		t.Errorf("%v\n%s", err, s.Output())
	}
}

func TestASecondServerOnTheSameFolderIsRefused(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	first := Start(t, p)
	out, err := Run(t, p, "serve", "--listen", "127.0.0.1:0")
	if err == nil || !strings.Contains(out, "is in use by another svc") || !strings.Contains(out, "--data") {
		t.Errorf("%v: %s", err, out)
	}
	if status, _, err := first.Do(t.Context(), "GET", "/api/v4/user", ""); status != 200 {
		t.Error(status, err)
	}
}

// With PostgreSQL, two servers serve the same data. With SQLite, a server with a folder of its own has data of its own.
func TestTwoServersShareADatabase(t *testing.T) {
	t.Parallel()
	p, limits := Shared(t), []string{"SVC_THROTTLE_AUTHENTICATED=4", "SVC_THROTTLE_PERIOD=24h"}
	other := p.Another(t)
	if !storetest.Postgres() {
		other = NewPlace(t)
	}
	a, b := Start(t, p, limits...), Start(t, other, limits...)
	if status, body, err := a.Do(t.Context(), "POST", variables, `{"key":"SHARED","value":"x"}`); status != 201 {
		t.Fatal(status, body, err)
	}
	want := http.StatusNotFound
	if storetest.Postgres() {
		want = http.StatusOK
	}
	if status, body, err := b.Do(t.Context(), "GET", variables+"/SHARED", ""); status != want {
		t.Error(status, body, err)
	}
	// Two requests are counted so far. Three more exceed the limit only if the servers count together.
	for range 2 {
		if status, body, err := b.Do(t.Context(), "GET", "/api/v4/user", ""); status != 200 {
			t.Fatal(status, body, err)
		}
	}
	want = http.StatusOK
	if storetest.Postgres() {
		want = http.StatusTooManyRequests
	}
	if status, _, err := a.Do(t.Context(), "GET", "/api/v4/user", ""); status != want {
		t.Error("throttled across servers:", status, err)
	}
}

func TestAllWrongSettingsAreListedAtOnce(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(Svc(t), "serve", "--listen", "nowhere", "--nonsense")
	cmd.Env = []string{"SVC_TIER=gold", "SVC_ROOT_TOKEN=short", "SVC_DATABASE_URL=mysql://x"}
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Error("started with wrong settings")
	}
	for _, want := range []string{"--listen", "--nonsense", "SVC_TIER", "SVC_ROOT_TOKEN", "SVC_DATABASE_URL"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s is not named in:\n%s", want, out)
		}
	}
	help, err := exec.Command(Svc(t), "serve", "--help").CombinedOutput()
	if err != nil || !strings.Contains(string(help), "SVC_DATABASE_URL") || !strings.Contains(string(help), "--max-offset") {
		t.Errorf("%v\n%s", err, help)
	}
}

func TestAdminCommandsWork(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	must := func(args ...string) string {
		t.Helper()
		out, err := Run(t, p, args...)
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(out)
	}
	must("migrate")
	if out, err := Run(t, p, "admin", "create-user", "jane", "--email", "jane@example.com"); err == nil ||
		!strings.Contains(out, "no administrator yet") {
		t.Errorf("before the first start: %v %s", err, out)
	}
	s := Start(t, p)
	must("admin", "create-user", "jane", "--email", "jane@example.com", "--password", "correct horse")
	must("admin", "set-password", "jane")
	must("admin", "make-admin", "jane")
	token := must("admin", "create-token", "jane", "--scopes", "api,sudo")
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/api/v4/user", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var me map[string]any
	if err := json.NewDecoder(res.Body).Decode(&me); err != nil || me["username"] != "jane" || me["is_admin"] != true {
		t.Errorf("%v %v", me, err)
	}
	for _, bad := range [][]string{
		{"admin", "create-user", "jane", "--email", "other@example.com"},
		{"admin", "create-user", "no spaces", "--email", "x"},
		{"admin", "make-admin", "nobody"},
		{"admin", "create-token", "jane", "--scopes", "everything"},
		{"admin", "create-token", "jane", "--expires", "soon"},
		{"admin", "create-token", "jane", "--expires", "2020-01-31"},
		{"admin", "dance", "jane"},
		{"admin", "make-admin"},
		{"dance"},
		{},
	} {
		if out, err := Run(t, p, bad...); err == nil || !strings.HasPrefix(out, "svc: ") {
			t.Errorf("%v: %v %s", bad, err, out)
		}
	}
	if out := must("version"); !strings.HasPrefix(out, "svc ") {
		t.Error(out)
	}
	if out := must("openapi"); !strings.HasPrefix(out, "openapi: 3.0.3") {
		t.Error(out[:40])
	}
	if out := must("openapi", "--json"); !json.Valid([]byte(out)) {
		t.Error("not JSON")
	}
}
