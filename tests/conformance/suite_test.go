package conformance

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"svc/server/cmd/svc/conformance"
	"svc/tests/process"
	"svc/tests/wait"
)

// The program keeps its whole contract, on the database of the tests, and the suite deletes what it has created.
func TestTheProgramKeepsTheContract(t *testing.T) {
	t.Parallel()
	s := process.Start(t, process.NewPlace(t))
	folder := t.TempDir()
	junit, report := filepath.Join(folder, "junit.xml"), filepath.Join(folder, "report.json")
	out, status := run(t, "--url", s.URL, "--token", process.Token, "--junit", junit, "--json", report, "--coverage")
	if status != 0 {
		t.Fatalf("exit status %d:\n%s", status, out)
	}
	for _, row := range readReport(t, report).Coverage {
		if row.Section != "" && (row.Good == 0 || row.Refusals < 2) {
			t.Errorf("%s has %d good cases and %d refusals", row.Operation, row.Good, row.Refusals)
		}
	}
	checkJUnit(t, junit)
	expectNothingLeft(t, s.URL, process.Token)

	out, status = run(t, "--url", s.URL, "--token", process.Token, "--level", "read", "--json", report)
	if read := readReport(t, report); status != 0 || read.Passed < 500 || read.Prefix != "" {
		t.Errorf("with --level read: exit status %d:\n%s", status, out)
	}

	out, status = run(t, "--url", s.URL, "--token", process.Token, "--fuzz", "--time", "10s", "--json", report)
	if fuzz := readReport(t, report); status != 0 || fuzz.Requests < 100 {
		t.Errorf("generated requests: exit status %d:\n%s", status, out)
	}
	expectNothingLeft(t, s.URL, process.Token)
}

// Ctrl-C ends a run with status 2, after it has deleted what it had created.
func TestCtrlCDeletesWhatWasCreated(t *testing.T) {
	t.Parallel()
	s := process.Start(t, process.NewPlace(t))
	cmd := exec.Command(process.Svc(t), "conformance", "--url", s.URL, "--token", process.Token)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the suite has created a group", func() bool {
		_, body, err := s.Do(t.Context(), "GET", "/api/v4/groups?search=conformance-", "")
		return err == nil && strings.Contains(body, "conformance-")
	})
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 2 {
		t.Errorf("it ended with %v", err)
	}
	expectNothingLeft(t, s.URL, process.Token)
}

// run runs svc conformance and returns its output and exit status.
func run(t *testing.T, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(process.Svc(t), append([]string{"conformance"}, args...)...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func readReport(t *testing.T, path string) conformance.Report {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var report conformance.Report
	if err := json.Unmarshal(data, &report); err != nil {
		t.Fatal(err)
	}
	return report
}

func checkJUnit(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Name string `xml:"name,attr"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(data, &suites); err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, suite := range suites.Suites {
		cases += len(suite.Cases)
	}
	if len(suites.Suites) != len(conformance.Areas()) || cases != suites.Tests || suites.Tests < 2000 || suites.Failures != 0 {
		t.Errorf("%d suites with %d cases; the file says %d tests and %d failures",
			len(suites.Suites), cases, suites.Tests, suites.Failures)
	}
}

// expectNothingLeft waits until the installation has nothing that a run has created: users are deleted in the background.
func expectNothingLeft(t *testing.T, base, token string) {
	t.Helper()
	for _, path := range []string{
		"/groups?search=conformance-", "/projects?search=conformance-", "/users?search=conformance-",
		"/admin/ci/variables", "/applications", "/runners/all",
	} {
		wait.Until(t, "nothing is left in "+path, func() bool {
			req, err := http.NewRequestWithContext(t.Context(), "GET", base+"/api/v4"+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("PRIVATE-TOKEN", token)
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			return err == nil && res.StatusCode == 200 && !strings.Contains(strings.ToLower(string(body)), "conformance")
		})
	}
}

func TestWrongUseOfTheCommandIsExplained(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args   string
		want   string
		status int
	}{
		{"", "is not the URL of an installation", 2},
		{"--url ftp://x --token y", "is not the URL of an installation", 2},
		{"--url http://127.0.0.1:1 --token y", "the installation does not accept the token", 2},
		{"--url http://127.0.0.1:1", "--token is missing", 2},
		{"--level destroy", "use read or write", 2},
		{"--no-such-flag", "svc conformance tests an installation", 2},
		{"now", "takes no arguments", 2},
		{"--help", "The exit status is 0", 0},
		{"--list --only eraseProjectJob", "[eraseProjectJob]", 0},
	} {
		if out, status := run(t, strings.Fields(c.args)...); status != c.status || !strings.Contains(out, c.want) {
			t.Errorf("%q: exit status %d\n%s", c.args, status, out)
		}
	}
}
