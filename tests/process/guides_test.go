package process

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"svc/store/storetest"
	"svc/tests/wait"
)

// guide is a page of the documentation whose commands are run, one block after the other.
type guide struct {
	t      *testing.T
	page   string
	blocks [][]string // the text of each block, and the text from there to the next heading
	next   int
	change []string // pairs: a text of the page, and what it is here
	env    []string
}

// readGuide reads a page.
func readGuide(t *testing.T, page string) *guide {
	t.Helper()
	text, _ := guideBlocks(t, page)
	g := &guide{t: t, page: page, env: append(environment(), "TOKEN="+Token, "SVC_LOG_LEVEL=warn", "SVC_ROOT_TOKEN="+Token)}
	g.env = append(g.env, "PATH="+filepath.Dir(Svc(t))+":"+os.Getenv("PATH"))
	for _, at := range shellBlock.FindAllStringSubmatchIndex(text, -1) {
		after, _, _ := strings.Cut(text[at[1]:], "\n#")
		g.blocks = append(g.blocks, []string{text[at[2]:at[3]], after})
	}
	return g
}

// block returns the next block, which begins with a text, as it is run here, and the text that follows it.
func (g *guide) block(begins string) (command, after string) {
	g.t.Helper()
	if g.next >= len(g.blocks) || !strings.HasPrefix(g.blocks[g.next][0], begins) {
		g.t.Fatalf("%s: block %d does not begin with %q", g.page, g.next+1, begins)
	}
	command, after = g.blocks[g.next][0], g.blocks[g.next][1]
	g.next++
	return strings.NewReplacer(g.change...).Replace(command), after
}

// set sets the variables that the next block exports.
func (g *guide) set(begins string) {
	g.t.Helper()
	command, _ := g.block(begins)
	out, err := g.shell(command + "\nenv | grep ^SVC_")
	if err != nil {
		g.t.Fatalf("%v\n%s", err, out)
	}
	g.env = append(g.env, strings.Split(strings.TrimSpace(out), "\n")...)
}

// run runs the next block and returns what it prints, and the text that follows it in the page.
func (g *guide) run(begins string) (out, after string) {
	g.t.Helper()
	command, after := g.block(begins)
	out, err := g.shell("set -e\n" + command)
	if err != nil {
		g.t.Fatalf("%s: %v\n%s\n%s", g.page, err, command, out)
	}
	return out, after
}

func (g *guide) shell(script string) (string, error) {
	cmd := exec.CommandContext(g.t.Context(), "sh", "-c", script)
	cmd.Env = g.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// serve starts the service as the next block does, which may set variables first.
func (g *guide) serve(data string, change ...string) *Server {
	g.t.Helper()
	command, _ := g.block("")
	if !strings.Contains(command, "svc serve") {
		g.t.Fatalf("%s: this does not start the service:\n%s", g.page, command)
	}
	return g.start(command, data, change...)
}

// start starts the service by a command of the page, with a data folder and a port of its own.
func (g *guide) start(command, data string, change ...string) *Server {
	g.t.Helper()
	port := freePort(g.t)
	command = strings.NewReplacer(append(
		change, "SVC_DATA=/var/lib/svc svc serve", "exec svc serve", "svc serve", "exec svc serve",
		"0.0.0.0:8080", fmt.Sprintf("127.0.0.1:%d", port), "0.0.0.0:2222", "127.0.0.1:0",
	)...).Replace(command)
	cmd := exec.Command("sh", "-c", command)
	cmd.Env = append(slices.Clone(g.env), "SVC_DATA="+data, fmt.Sprintf("SVC_LISTEN=127.0.0.1:%d", port))
	s := start(g.t, cmd)
	s.URL = fmt.Sprintf("http://127.0.0.1:%d", port) // not the external one
	s.waitUntilReady()
	return s
}

// end checks that every block was run.
func (g *guide) end() {
	g.t.Helper()
	if g.next != len(g.blocks) {
		g.t.Errorf("%s has %d blocks, but %d were run", g.page, len(g.blocks), g.next)
	}
}

// showsThis checks that the output of a command is what the page shows below it.
func showsThis(t *testing.T, out, page string) {
	t.Helper()
	if !strings.Contains(page, "\n"+strings.TrimSpace(out)+"\n```") {
		t.Errorf("the page does not show this output:\n%s", out)
	}
}

// The commands of the guide to several processes work as it shows them. Only systemctl is not called.
func TestTheCommandsOfTheGuideToSeveralProcessesWork(t *testing.T) {
	t.Parallel()
	g := readGuide(t, "several-processes.md")
	if !storetest.Postgres() {
		t.Log("SQLite serves one process; TestFilesMoveIntoABucketAndBack runs the commands that need only one")
		return
	}
	first, second := filepath.Join(folder(t), "data"), filepath.Join(folder(t), "data")
	bucket := NewBucket(t).Address()
	g.change = []string{
		"postgres://svc:secret@db.example.com:5432/svc", strings.TrimPrefix(NewPlace(t).Env[0], "SVC_DATABASE_URL="),
		"s3://ID:SECRET@svc?endpoint=https://s3.example.com", bucket,
		"/mnt/svc/repositories", folder(t), "/mnt/second/repositories", folder(t),
	}
	g.set("export SVC_URL=")
	a := g.serve(first)
	b := g.serve(second)
	if !strings.Contains(a.Output(), "This is the first start") || strings.Contains(b.Output(), "This is the first start") {
		t.Errorf("only the first process prints the secrets:\n%s\n%s", a.Output(), b.Output())
	}
	g.change = append(g.change, "http://first:8080", a.URL, "http://second:8080", b.URL, "http://127.0.0.1:8080", b.URL)
	if out, _ := g.run("curl"); !strings.Contains(out, `"name":"README.md","type":"blob","path":"README.md","mode":"100644"}]`) {
		t.Errorf("the project on the other process: %s", out)
	}
	setURL, shown := g.block("svc admin set-url")
	out, after := g.run("curl")
	showsThis(t, out[strings.LastIndex(out, "{"):], after)
	restart, _ := g.block("systemctl restart svc\n")
	if out, err := g.shell(strings.TrimPrefix(restart, "systemctl restart svc\n")); err != nil {
		t.Errorf("%v %s", err, out)
	}
	g.moveFiles(bucket)
	for _, s := range []*Server{a, b} {
		s.stop()
	}
	g.set("export SVC_STORAGES=")
	if out, err := g.shell(setURL); err != nil {
		t.Errorf("%v %s", err, out)
	} else {
		showsThis(t, out, shown)
	}
	g.env = append(g.env, "SVC_URL=https://code.example.com")
	g.change[slices.Index(g.change, "http://first:8080")+1] = g.start("svc serve", first).URL
	if out, _ := g.run("curl"); !strings.Contains(out, `"state":"`) || !strings.Contains(out, `"message":"202 Accepted"`) {
		t.Errorf("moves: %s", out)
	}
	g.end()
}

// moveFiles moves the files of another instance, which has one process and no bucket yet, as the page shows it.
func (g *guide) moveFiles(bucket string) {
	g.t.Helper()
	command, _ := g.block("SVC_BLOB_URL=")
	place := NewPlace(g.t)
	s := startWithProject(g.t, place)
	if !uploadLFS(g.t.Context(), s, "root/p", "large") {
		g.t.Fatal("the large file was refused")
	}
	one := *g
	one.env = append(append(environment(), "PATH="+filepath.Dir(Svc(g.t))+":"+os.Getenv("PATH"), "SVC_DATA="+place.Data), place.Env...)
	command = strings.ReplaceAll(command, bucket, NewBucket(g.t).Address())
	move := func(want string) {
		g.t.Helper()
		if out, err := one.shell(command); err != nil || !strings.Contains(out, want) {
			g.t.Errorf("%v, %q is not in:\n%s", err, want, out)
		}
	}
	move("The files are copied, but not moved yet: ")
	s.stop()
	move("All files are now in")
}

// The commands of the guide to observation do what it says.
func TestTheCommandsOfTheGuideToObservationWork(t *testing.T) {
	t.Parallel()
	g, place := readGuide(t, "observability.md"), NewPlace(t)
	g.env = append(g.env, place.Env...)
	with := func(change ...string) *Server {
		t.Helper()
		return g.serve(place.Data, change...)
	}
	metrics, _ := g.block("curl")

	s := with("slow-request 1s", "slow-request 1ns")
	out, err := g.shell(strings.ReplaceAll(metrics, "http://127.0.0.1:8080", s.URL))
	if err != nil || !strings.Contains(out, "svc_http_requests_total{") {
		t.Errorf("metrics: %v %s", err, out)
	}
	s.WaitFor(`msg="slow request" operation=other`)
	s.stop()

	traces := &collector{}
	server := httptest.NewServer(traces)
	t.Cleanup(server.Close)
	s = with("http://127.0.0.1:4318", server.URL)
	wait.Until(t, "a tenth of the requests is traced", func() bool {
		s.ask("GET", "/api/v4/user", "", 200, nil)
		traces.mu.Lock()
		defer traces.mu.Unlock()
		return len(traces.spans) > 0 && traces.header.Get("Authorization") == "Bearer TOKEN"
	})
	s.stop()

	file := filepath.Join(t.TempDir(), "audit.jsonl")
	s = with("/var/log/svc/audit.jsonl", file)
	s.ask("POST", variables, `{"key":"A","value":"1"}`, 201, nil)
	wait.Until(t, "the event is in the file", func() bool {
		text, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(text), `"event_type":`) && strings.HasSuffix(string(text), "}\n")
	})
	s.stop()

	var events atomic.Int64
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer TOKEN" && r.Header.Get("Idempotency-Key") != "" {
			events.Add(1)
		}
	}))
	t.Cleanup(receiver.Close)
	s = with("https://audit.example.com/events", receiver.URL)
	s.ask("DELETE", variables+"/A", "", 204, nil)
	wait.Until(t, "the event is received", func() bool { return events.Load() > 0 })
	s.stop()
	g.end()
}

// The only command of the page about growth runs a test that exists.
func TestTheCommandOfThePageAboutGrowthRunsATest(t *testing.T) {
	t.Parallel()
	g := readGuide(t, "growth.md")
	command, _ := g.block("SVC_TEST_SCALE=1 SVC_TEST_DATABASE=postgres ")
	test := regexp.MustCompile(`-run (\w+) \./tests/process`).FindStringSubmatch(command)
	if test == nil || !regexp.MustCompile(`(?m)^func Test\w*`+test[1]).MatchString(sources(t, "scale_test.go")) {
		t.Errorf("it runs no test: %s", command)
	}
	g.end()
}
