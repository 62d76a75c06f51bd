package variables

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var when = time.Date(2026, 11, 15, 10, 0, 0, 0, time.UTC)

func facts() Facts {
	return Facts{
		Server: Server{URL: "https://ci.example.com:8443", Version: "17.2.1-svc", Revision: "abc"},
		Project: Project{
			ID: 7, NamespaceID: 3, Name: "Web $hop", Description: "", FullPath: "acme/tools/web", Visibility: "private",
			DefaultBranch: "main", ConfigPath: ".svc-ci.yml", Languages: []string{"Go", "CSS"},
		},
		Commit: Commit{
			SHA: strings.Repeat("a1", 20), BeforeSHA: strings.Repeat("0", 40), Ref: "feature/Über-X", Author: "Ann <ann@example.com>",
			Message: "First $line\n\nand more\n", Time: when,
		},
		Pipeline: Pipeline{ID: 11, IID: 2, Source: "push", Created: when},
		User:     &User{ID: 5, Login: "ann", Name: "Ann A.", Email: "ann@example.com"},
		Job: &Job{
			ID: 99, Name: "test 1/2", GroupName: "test", Stage: "test", Token: "secret", Image: "alpine", Timeout: time.Hour, Started: when,
			NodeIndex: 1, NodeTotal: 2,
		},
		Runner:      &Runner{ID: 4, Description: "big one", Tags: []string{"linux", "x"}, Version: "17"},
		Environment: &Environment{Name: "review/X", URL: "https://$CI_ENVIRONMENT_SLUG.example.com", Action: "start", Tier: "development"},
	}
}

const predefined = `
CI=true SVC_CI=true GITLAB_CI=true CI_SERVER=yes CI_SERVER_NAME=Svc CI_SERVER_URL=https://ci.example.com:8443
CI_SERVER_HOST=ci.example.com CI_SERVER_PORT=8443 CI_SERVER_PROTOCOL=https CI_SERVER_FQDN=ci.example.com:8443
CI_SERVER_VERSION=17.2.1-svc CI_SERVER_VERSION_MAJOR=17 CI_SERVER_VERSION_MINOR=2 CI_SERVER_VERSION_PATCH=1 CI_SERVER_REVISION=abc
CI_API_V4_URL=https://ci.example.com:8443/api/v4
CI_PROJECT_ID=7 CI_PROJECT_NAME=web CI_PROJECT_TITLE=Web_$hop CI_PROJECT_PATH=acme/tools/web CI_PROJECT_PATH_SLUG=acme-tools-web
CI_PROJECT_NAMESPACE=acme/tools CI_PROJECT_NAMESPACE_ID=3 CI_PROJECT_NAMESPACE_SLUG=acme-tools CI_PROJECT_ROOT_NAMESPACE=acme
CI_PROJECT_URL=https://ci.example.com:8443/acme/tools/web CI_PROJECT_VISIBILITY=private CI_PROJECT_REPOSITORY_LANGUAGES=go,css
CI_DEFAULT_BRANCH=main CI_CONFIG_PATH=.svc-ci.yml
CI_COMMIT_SHA=a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1 CI_COMMIT_SHORT_SHA=a1a1a1a1
CI_COMMIT_BEFORE_SHA=0000000000000000000000000000000000000000
CI_COMMIT_REF_NAME=feature/Über-X CI_COMMIT_REF_SLUG=feature--ber-x CI_COMMIT_BRANCH=feature/Über-X CI_COMMIT_REF_PROTECTED=false
CI_COMMIT_MESSAGE=First_$line__and_more_ CI_COMMIT_TITLE=First_$line CI_COMMIT_DESCRIPTION=and_more_ CI_COMMIT_AUTHOR=Ann_<ann@example.com>
CI_COMMIT_TIMESTAMP=2026-11-15T10:00:00Z
CI_PIPELINE_ID=11 CI_PIPELINE_IID=2 CI_PIPELINE_SOURCE=push CI_PIPELINE_URL=https://ci.example.com:8443/acme/tools/web/-/pipelines/11
CI_PIPELINE_CREATED_AT=2026-11-15T10:00:00Z
SVC_USER_ID=5 SVC_USER_LOGIN=ann SVC_USER_NAME=Ann_A. SVC_USER_EMAIL=ann@example.com
GITLAB_USER_ID=5 GITLAB_USER_LOGIN=ann GITLAB_USER_NAME=Ann_A. GITLAB_USER_EMAIL=ann@example.com
CI_JOB_ID=99 CI_JOB_NAME=test_1/2 CI_JOB_NAME_SLUG=test-1-2 CI_JOB_GROUP_NAME=test CI_JOB_STAGE=test
CI_JOB_URL=https://ci.example.com:8443/acme/tools/web/-/jobs/99 CI_JOB_IMAGE=alpine CI_JOB_STARTED_AT=2026-11-15T10:00:00Z
CI_JOB_TIMEOUT=3600 CI_NODE_TOTAL=2 CI_NODE_INDEX=1 CI_JOB_TOKEN=secret
CI_REPOSITORY_URL=https://gitlab-ci-token:secret@ci.example.com:8443/acme/tools/web.git
CI_RUNNER_ID=4 CI_RUNNER_DESCRIPTION=big_one CI_RUNNER_TAGS=["linux",_"x"] CI_RUNNER_VERSION=17
CI_ENVIRONMENT_NAME=review/X CI_ENVIRONMENT_SLUG=review-x-SUFFIX CI_ENVIRONMENT_ACTION=start CI_ENVIRONMENT_TIER=development
CI_ENVIRONMENT_URL=https://$CI_ENVIRONMENT_SLUG.example.com
`

func TestPredefined(t *testing.T) {
	t.Parallel()
	suffix := strings.TrimPrefix(EnvironmentSlug("review/X"), "review-x-")
	want := strings.Fields(strings.ReplaceAll(predefined, "SUFFIX", suffix))
	var got []string
	for _, v := range Predefined(facts()) {
		got = append(got, v.Key+"="+strings.NewReplacer(" ", "_", "\n", "_").Replace(v.Value))
		if secret := strings.Contains(v.Value, "secret"); secret != v.Masked || secret == v.Public {
			t.Errorf("%s: masked %v, public %v", v.Key, v.Masked, v.Public)
		}
		if strings.Contains(v.Value, "$") && !v.Raw && v.Key != "CI_ENVIRONMENT_URL" {
			t.Errorf("%s would be expanded", v.Key)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPredefinedByKind(t *testing.T) {
	t.Parallel()
	f := facts()
	f.Commit.Tag, f.Commit.TagMessage, f.Commit.Protected = true, "the tag", true
	layer := NewLayer(Predefined(f))
	if layer["CI_COMMIT_TAG"].Value != f.Commit.Ref || layer["CI_COMMIT_TAG_MESSAGE"].Value != "the tag" ||
		layer["CI_COMMIT_REF_PROTECTED"].Value != "true" {
		t.Error("a tag")
	}
	if _, there := layer["CI_COMMIT_BRANCH"]; there {
		t.Error("a tag is no branch")
	}
	f = facts()
	f.MergeRequest = &MergeRequest{IID: 8, SourceBranch: "x", TargetBranch: "main"}
	layer = NewLayer(Predefined(f))
	if _, there := layer["CI_COMMIT_BRANCH"]; there || layer["CI_MERGE_REQUEST_REF_PATH"].Value != "refs/merge-requests/8/head" {
		t.Error("a merge request")
	}
	f = Facts{Server: Server{URL: "http://svc"}}
	for _, v := range Predefined(f) {
		if strings.HasPrefix(v.Key, "CI_JOB_") || strings.HasPrefix(v.Key, "CI_ENVIRONMENT_") ||
			v.Key == "CI_SERVER_PORT" && v.Value != "80" {
			t.Errorf("%s=%s", v.Key, v.Value)
		}
	}
}

func TestSlugs(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"main": "main", "Feature/A_b": "feature-a-b", "--x--": "x", "v1.2": "v1-2", "": "", "ü": "",
		strings.Repeat("a", 70):        strings.Repeat("a", 63),
		strings.Repeat("a", 62) + "/b": strings.Repeat("a", 62),
	} {
		if got := Slug(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	seen := map[string]string{}
	for _, name := range []string{
		"production", "Production", "production/", "review/a", "review-a", "1st", strings.Repeat("long-", 20),
		strings.Repeat("long-", 21), "a--b", "",
	} {
		slug := EnvironmentSlug(name)
		if other, twice := seen[slug]; twice || len(slug) > 24 || slug[0] < 'a' || slug[0] > 'z' || strings.HasSuffix(slug, "-") {
			t.Errorf("%q: %q (also %q)", name, slug, other)
		}
		seen[slug] = name
	}
	if EnvironmentSlug("production") != "production" {
		t.Error(EnvironmentSlug("production"))
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()
	stored := []Stored{
		{Variable: Variable{Key: "A", Value: "all"}, Scope: "*"},
		{Variable: Variable{Key: "A", Value: "review"}, Scope: "review/*"},
		{Variable: Variable{Key: "A", Value: "one"}, Scope: "review/one"},
		{Variable: Variable{Key: "A", Value: "long"}, Scope: "review/o*e/*"},
		{Variable: Variable{Key: "P", Value: "secret"}, Protected: true},
		{Variable: Variable{Key: "E", Value: "prod"}, Scope: "production"},
		{Variable: Variable{Key: "M", Value: "middle"}, Scope: "*/mid/*"},
	}
	for _, c := range []struct {
		environment string
		protected   bool
		want        string
	}{
		{"", false, "A=all"},
		{"", true, "A=all P=secret"},
		{"review/two", false, "A=review"},
		{"review/one", false, "A=one"},
		{"review/ooe/x", false, "A=long"},
		{"review", false, "A=all"},
		{"production", true, "A=all P=secret E=prod"},
		{"Production", false, "A=all"},
		{"x/mid/y", false, "A=all M=middle"},
	} {
		var got []string
		for _, v := range Visible(stored, c.protected, c.environment) {
			got = append(got, v.Key+"="+v.Value)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.environment, got, c.want)
		}
	}
}

func TestSources(t *testing.T) {
	t.Parallel()
	one := func(value string, keys ...string) []Variable {
		var all []Variable
		for _, key := range keys {
			all = append(all, Variable{Key: key, Value: value})
		}
		return all
	}
	s := Sources{
		Predefined: one("predefined", "A", "B", "C", "D", "E", "F", "G", "H", "I"),
		File:       one("file", "B", "C", "D", "E", "F", "G", "H", "I"),
		Dotenv:     one("dotenv", "C", "D", "E", "F", "G", "H", "I"), Instance: one("instance", "D", "E", "F", "G", "H", "I"),
		Groups:  [][]Variable{one("outer", "E", "F", "G", "H", "I"), one("inner", "F", "G", "H", "I")},
		Project: one("project", "G", "H", "I"), Pipeline: one("pipeline", "H", "I"), Job: one("job", "I"),
	}
	got := ""
	for _, v := range s.Merge() {
		got += v.Key + "=" + v.Value + " "
	}
	if want := "A=predefined B=file C=dotenv D=instance E=outer F=inner G=project H=pipeline I=job "; got != want {
		t.Error(got)
	}
	if above := s.AboveFile(); len(above) != 7 || above[0].Key != "C" {
		t.Errorf("%+v", above)
	}
}

func TestDotenv(t *testing.T) {
	t.Parallel()
	got, err := ParseDotenv([]byte("A=1\r\n\nexport B = two words \nC=\"quoted $A\"\nD='x=y'\nE=\nA=2\n"), NewDotenvLimits(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, v := range got {
		text += v.Key + "=" + v.Value + "|"
	}
	if text != "A=2|B=two words|C=quoted $A|D=x=y|E=|" || !got[2].Raw {
		t.Error(text)
	}
	for _, bad := range []string{"A", "1A=2", "A B=1", "=x", "# note", "A=\xff", strings.Repeat("A=1\n", MaxDotenv)} {
		if list, err := ParseDotenv([]byte(bad), NewDotenvLimits(5<<10, 150)); err == nil {
			t.Errorf("%.20q: %v", bad, list)
		}
	}
}
