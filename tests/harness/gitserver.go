package harness

import (
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// GitServer is another server with one repository, served by git's own HTTP server to a user with a password.
type GitServer struct {
	*httptest.Server
	History  *History
	Requests atomic.Int64
	around   atomic.Pointer[func(w http.ResponseWriter, r *http.Request, serve http.Handler)]
}

// GitUser and GitPassword are the credentials of a GitServer.
const (
	GitUser     = "ann"
	GitPassword = "secret-of-ann-8417"
)

// NewGitServer serves a repository. It accepts pushes to branches that are not checked out.
func NewGitServer(t testing.TB, history *History) *GitServer {
	t.Helper()
	path, err := exec.CommandContext(t.Context(), "git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	g := &GitServer{History: history}
	serve := &cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(path)), "git-http-backend"), Dir: history.Dir, Root: "",
		Env: []string{
			"GIT_PROJECT_ROOT=" + history.Dir, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=ann", "GIT_CONFIG_COUNT=3",
			"GIT_CONFIG_KEY_0=http.receivepack", "GIT_CONFIG_VALUE_0=true",
			"GIT_CONFIG_KEY_1=receive.denyCurrentBranch", "GIT_CONFIG_VALUE_1=ignore",
			"GIT_CONFIG_KEY_2=receive.denyDeleteCurrent", "GIT_CONFIG_VALUE_2=ignore",
		},
		InheritEnv: []string{"PATH"},
	}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.Requests.Add(1)
		if around := g.around.Load(); around != nil {
			(*around)(w, r, serve)
			return
		}
		if user, password, _ := r.BasicAuth(); user != GitUser || password != GitPassword {
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		serve.ServeHTTP(w, r)
	}))
	t.Cleanup(g.Close)
	return g
}

// Around replaces the answers. The function may call serve, which asks for no password.
func (g *GitServer) Around(with func(w http.ResponseWriter, r *http.Request, serve http.Handler)) {
	g.around.Store(&with)
}

// Remote returns the URL of the repository, with the credentials in it.
func (g *GitServer) Remote() string {
	u, _ := url.Parse(g.URL)
	u.User, u.Path = url.UserPassword(GitUser, GitPassword), "/.git"
	return u.String()
}

// Masked returns the URL as the service shows it.
func (g *GitServer) Masked() string {
	return strings.Replace(g.Remote(), GitUser+":"+GitPassword, "*****:*****", 1)
}
