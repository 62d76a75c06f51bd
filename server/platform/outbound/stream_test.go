package outbound

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func address(t testing.TB, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestAStreamReachesOnlyAllowedAddresses(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 10)
	hidden := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
	t.Cleanup(hidden.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(hidden.URL, "http://"), ":")
	c := New(Options{Resolver: names{"turning.example": {{"93.184.216.34"}, {"127.0.0.1"}}}})
	at := "http://turning.example:" + port + "/x"
	if err := c.Check(t.Context(), at, false); err != nil {
		t.Fatal(err)
	}
	var blocked *BlockedError
	_, err := c.Stream(t.Context(), StreamRequest{Method: "GET", URL: address(t, at), Idle: time.Minute})
	if !errors.As(err, &blocked) || len(asked) > 0 {
		t.Errorf("%v, %d requests", err, len(asked))
	}
}

func TestRedirectsAreFollowedUnderTheRules(t *testing.T) {
	t.Parallel()
	var to string
	got := make(chan *http.Request, 10)
	last := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got <- r
		_, _ = io.WriteString(w, "here")
	}))
	t.Cleanup(last.Close)
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, to, http.StatusFound)
	}))
	t.Cleanup(first.Close)
	c := New(Options{Allow: allow(t, strings.TrimPrefix(first.URL, "http://"), strings.TrimPrefix(last.URL, "http://"))})
	follow := func() (string, error) {
		u := address(t, first.URL)
		u.User = url.UserPassword("ann", "secret")
		res, _, err := c.Follow(t.Context(), StreamRequest{
			URL: u, Header: http.Header{"Private-Token": {"secret"}}, Idle: time.Minute,
		}, 3)
		if err != nil {
			return "", err
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		return string(text), err
	}
	to = last.URL + "/x"
	if text, err := follow(); err != nil || text != "here" {
		t.Errorf("%q, %v", text, err)
	}
	if r := <-got; r.Header.Get("Authorization") != "" || r.Header.Get("Private-Token") != "" {
		t.Errorf("another host was sent credentials: %v", r.Header)
	}
	for _, forbidden := range []string{"http://127.0.0.1:1/x", "http://10.0.0.1/x", "file:///etc/passwd", "ftp://example.com/x"} {
		to = forbidden
		var blocked *BlockedError
		if _, err := follow(); !errors.As(err, &blocked) {
			t.Errorf("a redirect to %s: %v", forbidden, err)
		}
	}
}

func TestAStreamEndsWhenNothingMoves(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			_, _ = io.WriteString(w, "x")
			w.(http.Flusher).Flush()
		}
		<-release
	}))
	t.Cleanup(slow.Close)
	t.Cleanup(func() { close(release) })
	c := New(Options{Allow: allow(t, "127.0.0.1")})
	for _, path := range []string{"/head", "/body"} {
		res, err := c.Stream(t.Context(), StreamRequest{Method: "GET", URL: address(t, slow.URL+path), Idle: 100 * time.Millisecond})
		if err == nil {
			_, err = io.ReadAll(res.Body)
			res.Body.Close()
		}
		if !errors.Is(err, ErrIdle) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
