package identity

import (
	"encoding/json"
	"testing"
	"time"

	"svc/server/domain/ci/variables"

	"github.com/google/go-cmp/cmp"
)

func example() Input {
	return Input{
		Facts: variables.Facts{
			Server: variables.Server{URL: "https://svc.example.com:8443"},
			Project: variables.Project{
				ID: 20, NamespaceID: 72, FullPath: "acme/tools/web", Visibility: "private", ConfigPath: ".gitlab-ci.yml",
			},
			Commit:   variables.Commit{SHA: "0123456789012345678901234567890123456789", Ref: "main", Protected: true},
			Pipeline: variables.Pipeline{ID: 574, Source: "push"},
			User:     &variables.User{ID: 1, Login: "ann", Email: "ann@example.com"},
			Job:      &variables.Job{ID: 302, Timeout: time.Hour},
			Runner:   &variables.Runner{ID: 9},
		},
		Source: Project{ID: 20, NamespaceID: 72, FullPath: "acme/tools/web"}, Role: "developer", Now: time.Unix(1_794_960_000, 0),
	}
}

func claimsOf(t *testing.T, in Input, audience any) map[string]any {
	t.Helper()
	data, err := Claims(in, "one", audience)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTheClaimsNameTheJob(t *testing.T) {
	t.Parallel()
	want := map[string]any{
		"iss": "https://svc.example.com:8443", "sub": "project_path:acme/tools/web:ref_type:branch:ref:main", "aud": "me", "jti": "one",
		"exp": 1_794_963_600.0, "nbf": 1_794_959_995.0, "iat": 1_794_960_000.0,
		"namespace_id": "72", "namespace_path": "acme/tools", "project_id": "20", "project_path": "acme/tools/web",
		"job_namespace_id": "72", "job_namespace_path": "acme/tools", "job_project_id": "20", "job_project_path": "acme/tools/web",
		"user_id": "1", "user_login": "ann", "user_email": "ann@example.com", "user_access_level": "developer",
		"pipeline_id": "574", "pipeline_source": "push", "job_id": "302",
		"ref": "main", "ref_type": "branch", "ref_path": "refs/heads/main", "ref_protected": "true",
		"runner_id": 9.0, "runner_environment": "self-hosted", "sha": "0123456789012345678901234567890123456789",
		"project_visibility": "private", "ci_config_sha": "0123456789012345678901234567890123456789",
		"ci_config_ref_uri": "svc.example.com:8443/acme/tools/web//.gitlab-ci.yml@refs/heads/main",
	}
	if diff := cmp.Diff(want, claimsOf(t, example(), "me")); diff != "" {
		t.Error(diff)
	}
}

func TestTheClaimsOfOtherJobs(t *testing.T) {
	t.Parallel()
	in := example()
	in.Role, in.Job.Timeout, in.Commit.Tag, in.Commit.Ref = "", 0, true, "v1"
	in.Project.ConfigPath = "ci.yml@acme/templates"
	in.Environment = &variables.Environment{Name: "review/1", Tier: "development", Action: "start"}
	in.Source = Project{ID: 30, NamespaceID: 80, FullPath: "bob/web"}
	got := claimsOf(t, in, []string{"a", "b"})
	for name, want := range map[string]any{
		"user_access_level": nil, "exp": 1_794_960_300.0, "ref_type": "tag", "ref_path": "refs/tags/v1", "ci_config_ref_uri": nil,
		"environment": "review/1", "environment_protected": "false", "deployment_tier": "development", "environment_action": "start",
		"project_path": "bob/web", "namespace_id": "80", "job_project_path": "acme/tools/web", "aud": []any{"a", "b"},
		"sub": "project_path:bob/web:ref_type:tag:ref:v1",
	} {
		if diff := cmp.Diff(want, got[name]); diff != "" {
			t.Error(name, diff)
		}
	}
}
