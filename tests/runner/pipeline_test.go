package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"svc/tests/wait"

	"github.com/coreos/go-oidc/v3/oidc"
)

// ciFile is the CI file of the test. Jobs leave notes for later jobs and retries in the folder $NOTES, outside of the
// project.
const ciFile = `
stages: [build, test, deploy]
variables: {GREETING: hello}
workflow:
  rules: [{when: always}]

.daily:
  rules: [{if: $CI_PIPELINE_SOURCE == "push"}]

make:
  extends: .daily
  stage: build
  tags: [legacy]
  id_tokens:
    VAULT_TOKEN: {aud: "https://vault.example.com/$GREETING"}
  script:
    - echo "make says $GREETING to $CI_COMMIT_BRANCH"
    - echo "$VAULT_TOKEN" > "$NOTES/identity"
    - echo "the identity is $VAULT_TOKEN, is it not"
    - echo "the secret is $SECRET, is it not"
    - mkdir out
    - echo "made by $CI_JOB_NAME" > out/made.txt
    - echo "VERSION=1.2.3" > build.env
    - git clone -q "$CI_SERVER_PROTOCOL://gitlab-ci-token:$CI_JOB_TOKEN@$CI_SERVER_HOST:$CI_SERVER_PORT/$CI_PROJECT_PATH.git" cloned
    - echo "the clone has $(cat cloned/README.md)"
  artifacts:
    paths: [out/]
    reports: {dotenv: build.env}
    expire_in: 1 day

use:
  extends: .daily
  stage: test
  tags: [modern]
  script:
    - cat out/made.txt
    - echo "version is $VERSION"

allowed:
  extends: .daily
  stage: test
  allow_failure: true
  script: [echo about to fail, exit 7]

unsteady:
  extends: .daily
  stage: test
  retry: 1
  script:
    - echo x >> "$NOTES/unsteady"
    - test "$(wc -l < "$NOTES/unsteady")" = 2

again:
  extends: .daily
  stage: test
  script:
    - test -e "$NOTES/mended"
    - echo mended at last

child:
  extends: .daily
  stage: test
  trigger: {include: child.yml, strategy: depend}

ship:
  extends: .daily
  stage: deploy
  rules: [{if: $CI_PIPELINE_SOURCE == "push", when: manual, allow_failure: true}]
  script:
    - echo "shipped by hand, $WHO"

last:
  extends: .daily
  stage: deploy
  needs: [make, again]
  script:
    - echo "$VERSION is out"
    - cat out/made.txt

long:
  rules: [{if: $CI_PIPELINE_SOURCE == "api"}]
  stage: test
  script:
    - echo "the long work begins"
    - echo $$ > "$NOTES/long"
    - sleep 300
    - echo "the long work is done"
`

const childFile = `
inside:
  script: [echo "inside of a child of $CI_PIPELINE_SOURCE"]
later:
  stage: deploy
  script: [test -e "$NOTES/child"]
`

const secret = "Sup3rSecretValue"

// register registers the runner twice: with a registration token, the old way, and with the token of a runner that was
// created over the API.
func (w *Setup) register() {
	w.t.Helper()
	var legacy, made struct{ Token string }
	w.Ask("POST", fmt.Sprintf("/projects/%d/runners/reset_registration_token", w.Project), "", &legacy)
	w.Runner.Register(
		w.Proxy.URL, "--registration-token", legacy.Token, "--name", "of former times", "--tag-list", "legacy",
		"--run-untagged=true",
	)
	w.Ask(
		"POST", "/user/runners",
		`{"runner_type":"instance_type","description":"of today","tag_list":["modern"],"run_untagged":true}`, &made,
	)
	w.Runner.Register(w.Proxy.URL, "--token", made.Token, "--name", "of today")
	if !slices.Contains(w.Runner.Tokens(), made.Token) || len(w.Runner.Tokens()) != 2 {
		w.t.Fatalf("the runner knows the tokens %v", w.Runner.Tokens())
	}
	if w.Count("POST /runners 201") != 1 || w.Count("POST /runners/verify 200") == 0 {
		w.t.Errorf("the runner did not register in both ways: %v", w.calls)
	}
}

func TestTheOfficialRunnerRunsAPipeline(t *testing.T) {
	t.Parallel()
	w := NewSetup(t)
	w.register()
	w.Runner.Verify()
	stop := w.Runner.Run()
	notes := t.TempDir()
	w.Ask("POST", fmt.Sprintf("/projects/%d/variables", w.Project), fmt.Sprintf(`{"key":"NOTES","value":%q}`, notes), nil)
	w.Ask("POST", fmt.Sprintf("/projects/%d/variables", w.Project), fmt.Sprintf(`{"key":"SECRET","value":%q,"masked":true}`, secret), nil)
	w.Push(map[string]string{".gitlab-ci.yml": ciFile, "child.yml": childFile, "README.md": "a roof"})
	p := w.Newest("push")

	w.checkBuild(p)
	w.checkIdentity(p, notes)
	w.checkTest(p, notes)
	w.checkDeploy(p)
	w.checkCancel(notes)
	stop()
	w.Runner.Unregister("--all-runners")
	// A runner that was created over the API stays when a newer program unregisters it, and loses only its manager.
	if w.Count("DELETE /runners 204")+w.Count("DELETE /runners/managers 204") != 2 || w.Count("DELETE /runners 204") == 0 {
		t.Errorf("the runners did not take leave: %v", w.calls)
	}
}

// checkBuild checks the first stage.
func (w *Setup) checkBuild(p Pipeline) {
	w.t.Helper()
	made := w.WaitForJob(p.ID, "make", "success")
	w.LogContains(made, "make says hello to main", "the secret is [MASKED], is it not", "the clone has a roof")
	if strings.Contains(w.Log(made.ID), secret) {
		w.t.Error("the log tells the secret")
	}
	if made.Runner == nil || made.Runner.Description != "of former times" || made.ArtifactsFile == nil {
		w.t.Errorf("the first job is %+v", made)
	}
	status, text, err := w.Do(
		w.t.Context(), "GET", fmt.Sprintf("/api/v4/projects/%d/jobs/%d/artifacts/out/made.txt", w.Project, made.ID), "",
	)
	if err != nil || status != 200 || text != "made by make\n" {
		w.t.Errorf("the artifact is %d %q, %v", status, text, err)
	}
}

// checkIdentity lets an independent library verify the token that the first job got.
func (w *Setup) checkIdentity(p Pipeline, notes string) {
	w.t.Helper()
	raw, err := os.ReadFile(filepath.Join(notes, "identity"))
	if err != nil {
		w.t.Fatal(err)
	}
	provider, err := oidc.NewProvider(w.t.Context(), w.Proxy.URL)
	if err != nil {
		w.t.Fatal(err)
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: "https://vault.example.com/hello"})
	token, err := verifier.Verify(w.t.Context(), strings.TrimSpace(string(raw)))
	if err != nil {
		w.t.Fatal(err)
	}
	var claims map[string]any
	if err := token.Claims(&claims); err != nil {
		w.t.Fatal(err)
	}
	made := w.Jobs(p.ID)["make"]
	for name, want := range map[string]any{
		"sub": "project_path:root/roof:ref_type:branch:ref:main", "project_id": fmt.Sprint(w.Project), "job_id": fmt.Sprint(made.ID),
		"pipeline_id": fmt.Sprint(p.ID), "runner_id": float64(made.Runner.ID), "user_login": "root", "user_access_level": "owner",
		"ref_protected": "true", "pipeline_source": "push",
	} {
		if claims[name] != want {
			w.t.Errorf("%s is %v, not %v", name, claims[name], want)
		}
	}
	w.LogContains(made, "the identity is [MASKED], is it not")
}

// checkTest checks the second stage, repairs the failing jobs and retries them.
func (w *Setup) checkTest(p Pipeline, notes string) {
	w.t.Helper()
	use := w.WaitForJob(p.ID, "use", "success")
	w.LogContains(use, "made by make", "version is 1.2.3")
	if use.Runner == nil || use.Runner.Description != "of today" {
		w.t.Errorf("the second job is %+v", use)
	}
	allowed := w.WaitForJob(p.ID, "allowed", "failed")
	w.LogContains(allowed, "about to fail")
	if !allowed.AllowFailure || allowed.FailureReason != "script_failure" {
		w.t.Errorf("the job that may fail is %+v", allowed)
	}
	w.WaitForJob(p.ID, "unsteady", "success")

	child := w.WaitForJob(p.ID, "child", "failed") // like its pipeline
	if child.Downstream == nil || child.Downstream.Status != "failed" || child.Downstream.Source != "parent_pipeline" {
		w.t.Fatalf("the child is %+v", child.Downstream)
	}
	w.LogContains(w.WaitForJob(child.Downstream.ID, "inside", "success"), "inside of a child of parent_pipeline")
	again := w.WaitForJob(p.ID, "again", "failed")
	w.WaitForPipeline(p.ID, "failed")
	for _, name := range []string{"ship", "last"} {
		if j := w.Jobs(p.ID)[name]; j.Status != "skipped" {
			w.t.Errorf("%s is %s after a failure", name, j.Status)
		}
	}

	for _, name := range []string{"mended", "child"} {
		if err := os.WriteFile(filepath.Join(notes, name), nil, 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
	w.Ask("POST", fmt.Sprintf("/projects/%d/pipelines/%d/retry", w.Project, child.Downstream.ID), "", nil)
	w.Ask("POST", fmt.Sprintf("/projects/%d/jobs/%d/retry", w.Project, again.ID), "", nil)
	fresh := w.WaitForJob(p.ID, "again", "success")
	w.LogContains(fresh, "mended at last")
	if fresh.ID == again.ID {
		w.t.Error("the job that was tried again is the same one")
	}
	w.WaitForJob(child.Downstream.ID, "later", "success")
	w.WaitForPipeline(child.Downstream.ID, "success")
	w.WaitForJob(p.ID, "child", "success")
}

// checkDeploy plays the manual job and checks the end of the pipeline.
func (w *Setup) checkDeploy(p Pipeline) {
	w.t.Helper()
	w.LogContains(w.WaitForJob(p.ID, "last", "success"), "1.2.3 is out", "made by make")
	w.WaitForPipeline(p.ID, "success")
	ship := w.WaitForJob(p.ID, "ship", "manual")
	w.Ask(
		"POST", fmt.Sprintf("/projects/%d/jobs/%d/play", w.Project, ship.ID),
		`{"job_variables_attributes":[{"key":"WHO","value":"Ann"}]}`, nil,
	)
	w.LogContains(w.WaitForJob(p.ID, "ship", "success"), "shipped by hand, Ann")
	w.WaitForPipeline(p.ID, "success")
	for _, j := range w.Jobs(p.ID) {
		if j.Downstream == nil && w.Log(j.ID) != w.Acknowledged(j.ID) {
			w.t.Errorf("the log of %s is not what the runner sent", j.Name)
		}
	}
}

// checkCancel cancels a running job: the runner must end the script.
func (w *Setup) checkCancel(notes string) {
	w.t.Helper()
	var p Pipeline
	w.Ask("POST", fmt.Sprintf("/projects/%d/pipeline", w.Project), `{"ref":"main"}`, &p)
	var shell int
	wait.Until(w.t, "the long job runs", func() bool {
		text, err := os.ReadFile(filepath.Join(notes, "long"))
		if err != nil {
			return false
		}
		_, err = fmt.Sscan(string(text), &shell)
		return err == nil
	})
	long := w.WaitForJob(p.ID, "long", "running")
	w.Ask("POST", fmt.Sprintf("/projects/%d/jobs/%d/cancel", w.Project, long.ID), "", nil)
	begin := time.Now()
	wait.Until(w.t, "the script has ended", func() bool { return syscall.Kill(shell, 0) != nil })
	if took := time.Since(begin); took > 15*time.Second {
		w.t.Errorf("the script went on for %s", took)
	}
	w.WaitForJob(p.ID, "long", "canceled")
	w.WaitForPipeline(p.ID, "canceled")
	if log := w.Log(long.ID); strings.Contains(log, "work is done") {
		w.t.Errorf("the job went on:\n%s", log)
	}
}
