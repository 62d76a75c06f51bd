//go:build older

package process

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"svc/store/storetest"
	"svc/tests/wait"
)

// Processes of the older program that SVC_TEST_OLDER names are replaced by the program of today under load, one after the
// other. On PostgreSQL no request fails, although both versions run on the new schema for a while. On SQLite there is one
// process, and requests wait for its successor; what was acknowledged is there. make rolling-check runs it.
func TestProcessesOfAnOlderProgramAreReplacedUnderLoad(t *testing.T) {
	t.Parallel()
	older := os.Getenv("SVC_TEST_OLDER")
	if older == "" {
		t.Fatal("SVC_TEST_OLDER must be the path of the older program")
	}
	place := sharedAt(t, NewEmpty(t))
	place.Program = older
	n := startNodesAt(t, place, "SVC_SHUTDOWN_DELAY=1s", "SVC_RUNNER_POLL=1s")
	f := beginTraffic(t, n.entry())
	goOn := func() {
		t.Helper()
		commits, pushes := f.count("commit"), f.count("push")
		wait.Until(t, "commits and pushes go on", func() bool { return f.count("commit") >= commits+5 && f.count("push") > pushes })
	}
	goOn()
	for i := range n.servers {
		n.servers[i].stop()
		n.places[i].Program = ""
		n.start(i)
		goOn()
		n.checkBothVersions()
	}
	f.end()
	if storetest.Postgres() {
		for _, one := range f.failed {
			t.Errorf("a request failed: %s", one.what)
		}
	}
	n.checkKept(f)
	out, err := Run(t, Place{Data: n.places[0].Data, Env: n.places[0].Env}, "migrate")
	if err != nil || !strings.Contains(out, "0 migrations applied now") {
		t.Errorf("%v %s", err, out)
	}
	refused := Place{Data: place.Another(t).Data, Env: n.places[0].Env, Program: older}
	if !storetest.Postgres() {
		n.servers[0].stop()
		refused.Data = n.places[0].Data
	}
	refused.mustNotStart(t)
}

// checkBothVersions checks that every process can write, and reads what the others have written.
func (n *nodes) checkBothVersions() {
	n.t.Helper()
	for _, s := range n.servers {
		var made struct{ IID int64 }
		s.ask("POST", "/api/v4/projects/root%2Fp/issues", `{"title":"while both versions run"}`, http.StatusCreated, &made)
		for _, other := range n.servers {
			other.ask("GET", fmt.Sprintf("/api/v4/projects/root%%2Fp/issues/%d", made.IID), "", http.StatusOK, nil)
		}
	}
}

// mustNotStart checks that the older program refuses the newer schema.
func (p Place) mustNotStart(t *testing.T) {
	t.Helper()
	cmd := guideCommand(t, p, p.Program+" serve", "SVC_DATA="+p.Data, "SVC_LISTEN=127.0.0.1:0")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "but this program only supports schema") {
		t.Errorf("the older program on the newer schema: %v %s", err, out)
	}
}
