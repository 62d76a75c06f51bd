//go:build clients

package launchers

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"svc/tests/harness"
	"svc/tests/process"
	"svc/tests/wait"
)

// run runs a command in a folder with the program of this source, and returns what it printed.
func run(t *testing.T, folder string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "SVC_BINARY="+process.Svc(t), "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func TestTheExamplesInPythonRun(t *testing.T) {
	t.Parallel()
	harness.RequireProgram(t, "pytest-3", "python3-pytest")
	if out := run(t, "python", "pytest-3", "-p", "no:cacheprovider", "-q"); !strings.Contains(out, "2 passed") {
		t.Error(out)
	}
}

func TestTheExamplesInNodeRun(t *testing.T) {
	t.Parallel()
	harness.RequireProgram(t, "node", "nodejs")
	if out := run(t, "node", "node", "--test"); !strings.Contains(out, "pass 2") {
		t.Error(out)
	}
}

// killed starts a service with a program that prints the line of the service's folder and then waits, kills that program,
// and waits until the service has deleted its folder.
func killed(t *testing.T, folder string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "SVC_BINARY="+process.Svc(t), "PYTHONDONTWRITEBYTECODE=1")
	path := filepath.Join(t.TempDir(), "out")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout = out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var data string
	wait.Until(t, "the program prints the folder", func() bool {
		text, err := os.ReadFile(path)
		return err == nil && bytes.HasSuffix(text, []byte("\n")) && json.Unmarshal(text, &data) == nil
	})
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	wait.Until(t, "the service has deleted its folder", func() bool {
		_, err := os.Stat(data)
		return os.IsNotExist(err)
	})
}

func TestTheServiceEndsWhenTheTestsAreKilled(t *testing.T) {
	t.Parallel()
	harness.RequireProgram(t, "node", "nodejs")
	process.Svc(t)
	t.Run("python", func(t *testing.T) {
		t.Parallel()
		killed(t, "python", "python3", "-c",
			"import json, svctest, time; s = svctest.Service(); print(json.dumps(s.data), flush=True); time.sleep(600)")
	})
	t.Run("node", func(t *testing.T) {
		t.Parallel()
		killed(t, "node", "node", "--input-type=module", "--eval",
			`import { start } from "svctest"; const s = await start(); console.log(JSON.stringify(s.data)); setTimeout(() => {}, 600000);`)
	})
}
