package conformance

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// gitOverHTTP has git over HTTP with an access token. It needs the program git.
func gitOverHTTP() Area {
	return Area{Name: "git", Scenarios: []Scenario{{Name: "git over HTTP", Prepare: prepareGit, Cases: gitCases}}}
}

func prepareGit(_ context.Context, s *Session) error {
	if _, err := exec.LookPath("git"); err != nil {
		return skipError{"git is not on PATH"}
	}
	s.values.set("wrong_token", "no-such-token")
	return nil
}

var gitCases = []Case{
	{
		Promise: "A member clones a private project with a token.",
		Do:      func(ctx context.Context, s *Session) error { return s.clone(ctx, "project", Reporter, true) },
	},
	{
		Promise: "Anyone clones a public project.",
		Do:      func(ctx context.Context, s *Session) error { return s.clone(ctx, "public_project", Anonymous, true) },
	},
	{
		Promise: "An outsider cannot clone a private project.",
		Do:      func(ctx context.Context, s *Session) error { return s.clone(ctx, "project", Outsider, false) },
	},
	{
		Promise: "A private project is not cloned without a token.",
		Do:      func(ctx context.Context, s *Session) error { return s.clone(ctx, "project", Anonymous, false) },
	},
	{
		Promise: "A wrong token is refused.",
		Do:      func(ctx context.Context, s *Session) error { return s.clone(ctx, "public_project", "wrong", false) },
	},
	{
		Promise: "A developer pushes a branch.",
		Do:      func(ctx context.Context, s *Session) error { return s.push(ctx, Developer, "pushed", true) },
	},
	{
		Promise: "The pushed branch is in the API.", As: Developer, Send: "GET /projects/<project>/repository/branches/pushed", Status: 200,
		Until: true, Has: `{"name":"pushed","commit":{"title":"Pushed by a test"}}`,
	},
	{
		Promise: "A reporter cannot push.",
		Do:      func(ctx context.Context, s *Session) error { return s.push(ctx, Reporter, "refused", false) },
	},
}

// clone clones a project into a temporary folder and checks that it works, or that it does not.
func (s *Session) clone(ctx context.Context, project string, caller Caller, works bool) error {
	folder, err := os.MkdirTemp("", "svc-conformance-git-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	err = s.cloneInto(ctx, folder, project, caller)
	switch {
	case works && err != nil:
		return err
	case !works && err == nil:
		return errors.New("git clone succeeded")
	case !works:
		return nil
	}
	_, err = os.Stat(filepath.Join(folder, "README.md"))
	return err
}

func (s *Session) cloneInto(ctx context.Context, folder, project string, caller Caller) error {
	path, err := s.values.get(project + "_path")
	if err != nil {
		return err
	}
	return s.git(ctx, folder, caller, "clone", "--quiet", s.suite.client.base.String()+"/"+path+".git", ".")
}

// push commits on a new branch and pushes it.
func (s *Session) push(ctx context.Context, caller Caller, branch string, works bool) error {
	folder, err := os.MkdirTemp("", "svc-conformance-git-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := s.cloneInto(ctx, folder, "project", caller); err != nil {
		return err
	}
	for _, command := range [][]string{
		{"checkout", "--quiet", "-b", branch},
		{
			"-c", "user.name=Conformance", "-c", "user.email=conformance@example.com", "commit", "--quiet", "--allow-empty",
			"-m", "Pushed by a test",
		},
	} {
		if err := s.git(ctx, folder, caller, command...); err != nil {
			return err
		}
	}
	err = s.git(ctx, folder, caller, "push", "--quiet", "origin", branch)
	if !works && err == nil {
		return errors.New("git push succeeded")
	}
	if !works {
		return nil
	}
	return err
}

// git runs git with the token of a caller. The token is in the environment, where other users do not see it.
func (s *Session) git(ctx context.Context, folder string, caller Caller, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_ASKPASS=true")
	if caller != Anonymous {
		token, err := s.values.get(string(caller) + "_token")
		if err != nil {
			return err
		}
		basic := base64.StdEncoding.EncodeToString([]byte("oauth2:" + token))
		cmd.Env = append(cmd.Env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.extraHeader",
			"GIT_CONFIG_VALUE_0=Authorization: Basic "+basic)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, clip(strings.TrimSpace(string(out)), 300))
	}
	return nil
}
