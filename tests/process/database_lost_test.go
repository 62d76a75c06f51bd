package process

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/store/storetest"
)

// ask sends a request. The answer must come within about five seconds.
func ask(t testing.TB, s *Server, path string) (status int, retry string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("PRIVATE-TOKEN", Token)
	if strings.HasSuffix(path, "git-upload-pack") {
		req.SetBasicAuth("oauth2", Token)
	}
	began := time.Now()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if took := time.Since(began); took > 5500*time.Millisecond {
		t.Errorf("%s is answered after %s", path, took)
	}
	return res.StatusCode, res.Header.Get("Retry-After")
}

// The database hangs, and later drops its connections. Requests soon get a 503 while it hangs, and succeed once it is
// back.
func TestAnUnavailableDatabaseIsReportedSoon(t *testing.T) {
	t.Parallel()
	place := NewPlace(t)
	if !storetest.Postgres() {
		return // SQLite runs inside the process
	}
	wire := storetest.NewProxy(t, strings.TrimPrefix(place.Env[0], "SVC_DATABASE_URL="))
	place.Env = []string{"SVC_DATABASE_URL=" + wire.URL}
	s := Start(t, place)
	if status, text, err := s.Do(t.Context(), "POST", "/api/v4/projects", `{"name":"p"}`); status != 201 {
		t.Fatal(status, text, err)
	}
	paths := []string{"/api/v4/user", "/api/v4/projects/root%2Fp/issues", "/api/v4/users", "/root/p.git/info/refs?service=git-upload-pack"}
	for _, path := range paths {
		if status, _ := ask(t, s, path); status != 200 {
			t.Fatalf("%s: %d", path, status)
		}
	}
	wire.SetHanging(true)
	for _, path := range paths {
		if status, retry := ask(t, s, path); status != 503 || retry == "" {
			t.Errorf("%s: %d, Retry-After %q", path, status, retry)
		}
	}
	wire.SetHanging(false)
	wire.Cut()
	for _, path := range paths {
		if status, _ := ask(t, s, path); status != 200 {
			t.Errorf("%s: %d once it is back\n%s", path, status, s.Output())
		}
	}
}
