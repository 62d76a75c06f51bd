package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"svc/store/storetest"
)

// guideBlocks returns the shell commands of a guide, block by block.
func guideBlocks(t *testing.T, name string) (text string, blocks []string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range shellBlock.FindAllStringSubmatch(string(page), -1) {
		blocks = append(blocks, block[1])
	}
	return string(page), blocks
}

// machine are the commands of a machine with systemd and a second one behind SSH, for a user who may do everything.
const machine = `set -e
svc() { "$SVC" "$@"; }
sudo() { "$@"; }
ssh() { shift; (cd "$ROOT/backup" && sh -c "$*"); }
chown() { :; }
createdb() { :; }
pid=
ready() {
  for _ in $(seq 600); do
    if curl --silent --fail "http://$1/-/readiness" >/dev/null; then return 0; fi
    sleep 0.1
  done
  cat "$ROOT/log"
  return 1
}
systemctl() {
  if [ "$1" = start ]; then
    SVC_ROOT_TOKEN="$TOKEN" "$SVC" serve --data "$ROOT/var/lib/svc" --listen "$ADDRESS" >"$ROOT/log" 2>&1 & pid=$!
    ready "$ADDRESS"
  elif [ -n "$pid" ]; then
    kill $pid; wait $pid; pid=
  fi
}
mkdir -p "$ROOT/var/lib" "$ROOT/etc/svc" "$ROOT/backup" "$ROOT/tmp" "$ROOT/home"
cd "$ROOT/home"
systemctl start
create() { curl --silent --fail --header "PRIVATE-TOKEN: $TOKEN" --json "$2" "http://$ADDRESS/api/v4/$1" >/dev/null; }
create groups '{"name":"acme","path":"acme"}'
create projects '{"name":"hello","namespace_id":2,"initialize_with_readme":true}'
`

// cronLine is the beginning of a line of a crontab: the time and the user.
var cronLine = regexp.MustCompile(`(?m)^(\d+|\*) (\d+|\*) (\S+) (\S+) (\S+) svc  `)

// The commands of the guide about backups work, one block after the other, on a machine like the one it describes.
func TestTheCommandsOfTheBackupGuideWork(t *testing.T) {
	t.Parallel()
	_, blocks := guideBlocks(t, "backup.md")
	if len(blocks) < 11 {
		t.Fatalf("the guide has %d blocks", len(blocks))
	}
	root := folder(t)
	address, second := fmt.Sprintf("127.0.0.1:%d", freePort(t)), fmt.Sprintf("127.0.0.1:%d", freePort(t))
	script := ""
	for _, block := range blocks {
		block = cronLine.ReplaceAllString(strings.ReplaceAll(block, `\%`, "%"), "")
		script += "echo '--- block'\n" + block
	}
	const database = "'postgres://svc:secret@localhost:5432/svc'"
	if storetest.Postgres() {
		script = strings.ReplaceAll(script, database, "'"+storetest.EmptyPostgres(t)+"'")
	} else { // a second file of SQLite stands for PostgreSQL
		moved := "'" + filepath.Join(root, "moved") + "'"
		script = strings.ReplaceAll(script, "--to "+database, "--to-data "+moved)
		script = strings.ReplaceAll(script, "--database-url "+database+" --data /var/lib/svc", "--data "+moved)
	}
	serve := regexp.MustCompile(`(?m)^svc serve (.*)$`)
	script = serve.ReplaceAllString(script, `svc serve $1 &`+"\nready 127.0.0.1:8081")
	script = strings.ReplaceAll(script, "svc-2026-11-17.svc", "svc-$(date +%F).svc") // the backup that the script makes today
	script = strings.NewReplacer(
		"127.0.0.1:8080", address, "127.0.0.1:8081", second,
		"/var/lib/", root+"/var/lib/", "/etc/svc/", root+"/etc/svc/", "/backup/svc", root+"/backup/svc",
		"/backup/sunday", root+"/backup/sunday", "/backup/monday", root+"/backup/monday", "/tmp/restored", root+"/tmp/restored",
	).Replace(script)
	cmd := exec.CommandContext(t.Context(), "bash", "-c", machine+script)
	cmd.Env = append(environment(), "SVC="+Svc(t), "ROOT="+root, "ADDRESS="+address, "TOKEN="+Token, "GIT_TERMINAL_PROMPT=0")
	log, err := os.Create(filepath.Join(root, "output")) // a pipe would stay open as long as a server runs
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	failed := cmd.Run()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // the servers that the script has left behind
	out, err := os.ReadFile(log.Name())
	if failed != nil || err != nil {
		t.Fatalf("%v %v\n%s", failed, err, out)
	}
	for _, want := range []string{
		"Saved ", "in the earlier backup", "The backup is complete", "Restored the backup of", `"status":"ok"`,
		`"path_with_namespace":"acme/hello"`, "Copied ",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the output lacks %s:\n%s", want, out)
		}
	}
	t.Logf("%s", out)
}

// adminLine is an admin command in a table of the guide, with its flags.
var adminLine = regexp.MustCompile("`svc admin ([a-z-]+)([^`]*)`")

// The commands of the guide about checks work, its tables name all checks and only flags that exist.
func TestTheCommandsOfTheDoctorGuideWork(t *testing.T) {
	t.Parallel()
	page, blocks := guideBlocks(t, "doctor.md")
	if len(blocks) < 2 {
		t.Fatalf("the guide has %d blocks", len(blocks))
	}
	p := NewPlace(t)
	s := startWithProject(t, p)
	for _, block := range blocks {
		cmd := exec.CommandContext(t.Context(), "bash", "-ec", `svc() { "$SVC" "$@"; }`+"\n"+block)
		cmd.Env = append(append(environment(), "SVC="+Svc(t), "SVC_DATA="+p.Data, "SVC_URL="+s.URL), p.Env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", block, err, out)
		}
		t.Logf("%s%s", block, out)
	}
	for _, c := range doctor(t, p, 0, "--url", s.URL).Checks {
		if !strings.Contains(page, "| `"+c.Name+"` |") {
			t.Errorf("the guide does not describe the check %s", c.Name)
		}
	}
	flags := regexp.MustCompile(`--[a-z-]+`)
	for _, found := range adminLine.FindAllStringSubmatch(page, -1) {
		help := runAt(t, p, "admin", found[1], "--help")
		for _, flag := range flags.FindAllString(found[2], -1) {
			if !strings.Contains(help, flag+" ") {
				t.Errorf("svc admin %s has no %s:\n%s", found[1], flag, help)
			}
		}
	}
}
