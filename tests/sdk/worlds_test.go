//go:build clients

package sdk

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"svc/tests/launchers/svctest"
	"svc/tests/process"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

// clientOf returns the Go library for a world.
func clientOf(t *testing.T, w *svctest.World) *gitlab.Client {
	t.Helper()
	sdk, err := gitlab.NewClient(w.Token, gitlab.WithBaseURL(w.URL+"/api/v4"), gitlab.WithoutRetries())
	if err != nil {
		t.Fatal(err)
	}
	return sdk
}

// runIn runs a program against a world.
func runIn(t *testing.T, w *svctest.World, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "SVC_URL="+w.URL, "SVC_ROOT_TOKEN="+w.Token)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// goLibrary makes users and projects with the Go library.
func goLibrary(t *testing.T, w *svctest.World) {
	t.Helper()
	sdk := clientOf(t, w)
	for i := range 4 {
		name := fmt.Sprintf("go%d", i)
		must[*gitlab.User](t)(sdk.Users.CreateUser(&gitlab.CreateUserOptions{
			Name: &name, Username: &name, Email: new(name + "@example.com"), Password: new("correct horse battery"),
			SkipConfirmation: new(true),
		}))
		must[*gitlab.Project](t)(sdk.Projects.CreateProject(&gitlab.CreateProjectOptions{Name: &name}))
	}
	if all := must[[]*gitlab.Project](t)(sdk.Projects.ListProjects(nil)); len(all) != 4 {
		t.Errorf("%d projects", len(all))
	}
}

// Python, JavaScript and Go clients run at the same time against one process, each in its own world, and see nothing of
// each other.
func TestClientsShareAProcessWithoutSeeingEachOther(t *testing.T) {
	t.Parallel()
	folder, err := filepath.Abs("../../bin/sdk/gitbeaker")
	if err != nil {
		t.Fatal(err)
	}
	service := svctest.Start(t, svctest.Options{Binary: process.Svc(t)})
	worlds := map[string]*svctest.World{}
	for _, prefix := range []string{"py", "js", "go"} {
		worlds[prefix] = service.NewWorld(t, svctest.NewWorld{Name: prefix})
	}
	t.Run("clients", func(t *testing.T) {
		t.Run("python-gitlab", func(t *testing.T) {
			t.Parallel()
			runIn(t, worlds["py"], "/usr/bin/python3", "tests/sdk/check.py")
		})
		t.Run("gitbeaker", func(t *testing.T) {
			t.Parallel()
			runIn(t, worlds["js"], "npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, "@gitbeaker/rest@43.8.0")
			runIn(t, worlds["js"], "cp", "tests/sdk/check.mjs", folder)
			runIn(t, worlds["js"], "node", filepath.Join(folder, "check.mjs"))
		})
		t.Run("client-go", func(t *testing.T) {
			t.Parallel()
			goLibrary(t, worlds["go"])
		})
	})
	for prefix, w := range worlds {
		users := must[[]*gitlab.User](t)(clientOf(t, w).Users.ListUsers(&gitlab.ListUsersOptions{ExcludeInternal: new(true)}))
		own := 0
		for _, u := range users {
			if strings.HasPrefix(u.Username, prefix) {
				own++
			} else if u.Username != "root" {
				t.Errorf("the world of %s has the user %s", prefix, u.Username)
			}
		}
		if own != 4 {
			t.Errorf("the world of %s has %d users of its own", prefix, own)
		}
	}
	options := &gitlab.ListUsersOptions{ExcludeInternal: new(true)}
	for _, u := range must[[]*gitlab.User](t)(clientOf(t, service.World).Users.ListUsers(options)) {
		if u.Username != "root" {
			t.Errorf("the world main has the user %s", u.Username)
		}
	}
}
