package payload

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"svc/server/domain/ci/syntax"
	"svc/server/domain/ci/variables"
)

// jobs compiles full.yml, the test file of package syntax that uses every keyword.
func jobs(t *testing.T) map[string]syntax.Job {
	t.Helper()
	source, err := os.ReadFile("../syntax/testdata/full.yml")
	if err != nil {
		t.Fatal(err)
	}
	context := syntax.Context{Source: "push", Ref: "main", Predefined: []variables.Variable{variables.Public("CI_COMMIT_BRANCH", "main")}}
	c, err := syntax.Load(source, syntax.Sources{}, context)
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Compile(context)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]syntax.Job{}
	for _, j := range p.Jobs {
		all[j.Name] = j
	}
	return all
}

func input(j syntax.Job) Input {
	return Input{
		ID: 99, Token: "job-token", Job: j, Timeout: time.Hour, GitFetch: true, GitDepth: 20,
		Info: JobInfo{PipelineID: 11, ProjectID: 7, ProjectName: "web", ProjectFullPath: "acme/web", RunningOnSharedRunner: "0"},
		Git: GitInfo{
			RepoURL: "https://gitlab-ci-token:job-token@ci.example.com/acme/web.git", RepoObjectFormat: "sha1", Ref: "main",
			SHA: strings.Repeat("a", 40), BeforeSHA: strings.Repeat("0", 40), RefType: "branch", Protected: true,
		},
		Variables:      variables.Merge([]variables.Variable{variables.Public("HERE", "$MODE/$UNKNOWN")}, j.Variables),
		Dependencies:   []Dependency{{ID: 98, Name: "before", Token: "other-token", ArtifactsFile: &ArtifactsFile{"artifacts.zip", 10}}},
		SeparateCaches: true, TokenPrefixes: []string{"svcpat-"},
		FileKey: func(files []string) (string, error) { return "key-of-" + strings.Join(files, "+"), nil },
	}
}

// TestGolden compares complete payloads with golden files. SVC_GOLDEN=write rewrites them.
func TestGolden(t *testing.T) {
	t.Parallel()
	all := jobs(t)
	for name, file := range map[string]string{"compile": "compile", "unit: [linux, amd64]": "unit", "ship": "ship"} {
		p, err := New(input(all[name]))
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.MarshalIndent(p, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, '\n')
		path := "testdata/" + file + ".json"
		if os.Getenv("SVC_GOLDEN") == "write" {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s differs:\n%s", path, diff)
		}
	}
}

// Runners reject null where they expect a list. Only the image may be null.
func TestNoNull(t *testing.T) {
	t.Parallel()
	for _, in := range []Input{
		{},
		input(syntax.Job{
			Name: "bare", Script: []string{"x"}, Caches: []syntax.Cache{{Key: "k"}},
			Artifacts: &syntax.Artifacts{Untracked: true},
		}),
	} {
		p, err := New(in)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if rest := strings.Replace(string(data), `"image":null`, "", 1); strings.Contains(rest, "null") {
			t.Error(rest)
		}
	}
}

func TestGitInfo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ refType, depth, want string }{
		{"branch", "", "20 +SHA:refs/pipelines/11 +refs/heads/main:refs/remotes/origin/main"},
		{"tag", "", "20 +SHA:refs/pipelines/11 +refs/tags/main:refs/tags/main"},
		{"branch", "0", "0 +SHA:refs/pipelines/11 +refs/heads/*:refs/remotes/origin/* +refs/tags/*:refs/tags/*"},
		{"branch", " 5 ", "5 +SHA:refs/pipelines/11 +refs/heads/main:refs/remotes/origin/main"},
		{"branch", "deep", "20 +SHA:refs/pipelines/11 +refs/heads/main:refs/remotes/origin/main"},
		{"branch", "-1", "20 +SHA:refs/pipelines/11 +refs/heads/main:refs/remotes/origin/main"},
	} {
		in := input(syntax.Job{})
		in.Git.RefType = c.refType
		if c.depth != "" {
			in.Variables = []variables.Variable{{Key: "GIT_DEPTH", Value: c.depth}}
		}
		p, err := New(in)
		if err != nil {
			t.Fatal(err)
		}
		depth, _ := json.Marshal(p.GitInfo.Depth)
		got := string(depth) + " " + strings.ReplaceAll(strings.Join(p.GitInfo.Refspecs, " "), p.GitInfo.SHA, "SHA")
		if got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestCacheKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cache     syntax.Cache
		protected bool
		separate  bool
		want      string
	}{
		{syntax.Cache{Key: "k"}, true, true, "k-protected"},
		{syntax.Cache{Key: "k"}, false, true, "k-non_protected"},
		{syntax.Cache{Key: "k", Unprotect: true}, true, true, "k-non_protected"},
		{syntax.Cache{Key: "k"}, true, false, "k"},
		{syntax.Cache{KeyFiles: []string{"go.sum"}}, false, false, "key-of-go.sum"},
		{syntax.Cache{KeyFiles: []string{"go.sum"}, KeyPrefix: "p"}, false, false, "p-key-of-go.sum"},
	} {
		in := input(syntax.Job{Caches: []syntax.Cache{c.cache}})
		in.Git.Protected, in.SeparateCaches = c.protected, c.separate
		if p, err := New(in); err != nil || p.Cache[0].Key != c.want {
			t.Errorf("%+v: %v %v", c, p.Cache, err)
		}
	}
	in := input(syntax.Job{Caches: []syntax.Cache{{KeyFiles: []string{"x"}}}})
	broken := errors.New("broken")
	in.FileKey = func([]string) (string, error) { return "", broken }
	if _, err := New(in); !errors.Is(err, broken) {
		t.Errorf("a failure is kept back: %v", err)
	}
	in.FileKey = nil
	if p, err := New(in); err != nil || p.Cache[0].Key != "default-protected" {
		t.Errorf("no file: %v %v", p.Cache, err)
	}
}

// The step of a release calls glab or release-cli. Variables in the texts stay for the shell.
func TestReleaseScript(t *testing.T) {
	t.Parallel()
	p, err := New(input(syntax.Job{Script: []string{"x"}, AfterScript: []string{"y"}, Release: &syntax.Release{
		TagName: "v$VERSION", Description: "The first", Name: "One", Ref: "main", Milestones: []string{"m1", "m2"},
		ReleasedAt: "2026-11-15T00:00:00Z", TagMessage: "tagged",
		Links: []syntax.ReleaseLink{{Name: "zip", URL: "https://example.com/a.zip?x&y", FilePath: "/a.zip", LinkType: "package"}},
	}}))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Steps) != 3 || p.Steps[1].Name != "release" || p.Steps[1].When != "on_success" || p.Steps[1].AllowFailure ||
		p.Steps[1].Timeout != p.Steps[0].Timeout || p.Steps[2].Name != "after_script" {
		t.Fatalf("%+v", p.Steps)
	}
	want := []string{
		`glab auth login --job-token $CI_JOB_TOKEN --hostname "$CI_SERVER_FQDN" --api-protocol $CI_SERVER_PROTOCOL`,
		`glab release create -R $CI_PROJECT_PATH "v$VERSION" --assets-links "[{\"direct_asset_path\":\"/a.zip\",` +
			`\"link_type\":\"package\",\"name\":\"zip\",\"url\":\"https://example.com/a.zip?x&y\"}]" --milestone "m1,m2" ` +
			`--name "One" --experimental-notes-text-or-file "The first" --ref "main" --tag-message "tagged" ` +
			`--released-at "2026-11-15T00:00:00Z" --no-update --no-close-milestone`,
		`release-cli create --name "One" --description "The first" --tag-name "v$VERSION" --tag-message "tagged" --ref "main" ` +
			`--released-at "2026-11-15T00:00:00Z" --milestone "m1" --milestone "m2" --assets-link "{\"filepath\":\"/a.zip\",` +
			`\"link_type\":\"package\",\"name\":\"zip\",\"url\":\"https://example.com/a.zip?x&y\"}"`,
	}
	lines := strings.Split(p.Steps[1].Script[0], "\n")
	for _, line := range want {
		if !slices.Contains(lines, line) {
			t.Errorf("no line %s in\n%s", line, p.Steps[1].Script[0])
		}
	}
}

func TestShellText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain": `"plain"`, "$VERSION": `"$VERSION"`, `say "x"`: `"say \"x\""`, "`rm`": "\"\\`rm\\`\"", "$(rm)": `"\$(rm)"`, `a\`: `"a\\"`,
	} {
		if got := shellText(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Every report type that a CI file may name has an upload file.
func TestReports(t *testing.T) {
	t.Parallel()
	for _, kind := range syntax.ReportTypes() {
		if file := reportFiles[kind]; file.name == "" || file.format == "" {
			t.Errorf("%s has no file", kind)
		}
	}
}
