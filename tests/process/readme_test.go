package process

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// The ten commands of the README work, one after the other, for a user who pastes them into a shell.
func TestTheCommandsOfTheReadmeWork(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, ten, found := strings.Cut(string(text), "\n## Ten things")
	ten, _, _ = strings.Cut(ten, "\n## ")
	blocks := shellBlock.FindAllStringSubmatch(ten, -1)
	if !found || len(blocks) != 10 {
		t.Fatalf("the section has %d blocks", len(blocks))
	}
	s := Start(t, NewPlace(t))
	script := "set -e\n"
	for _, block := range blocks {
		script += block[1] + "echo\n"
	}
	host := strings.TrimPrefix(s.URL, "http://")
	script = strings.ReplaceAll(script, "127.0.0.1:8080", host)
	token := regexp.MustCompile(`(?m)^TOKEN=.*$`)
	cmd := exec.CommandContext(t.Context(), "sh", "-c", token.ReplaceAllString(script, "TOKEN="+Token))
	cmd.Env = append(environment(), "TMPDIR="+t.TempDir(), "GIT_TERMINAL_PROMPT=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		`"username":"root"`, `"username":"alice"`, `"path_with_namespace":"acme/hello"`, "# Hello", `"state":"merged"`,
		`"ref":"main"`, `"token":"glrt-`,
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the output lacks %s:\n%s", want, out)
		}
	}
}
