package control

import (
	"net/http"
	"testing"
	"time"
)

type fault struct {
	ID               int64
	Matched, Applied int
}

func TestEveryThirdRequestIsAskedToComeLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.plane("POST", "/faults", `{"kind":"status","status":429,"retry_after":2,"path":"/api/v4/user","every":3,"count":2}`, 201, nil)
	var statuses []int
	for range 10 {
		a, err := w.try("GET", "/api/v4/user", "")
		if err != nil {
			t.Fatal(err)
		}
		statuses = append(statuses, a.status)
		if a.status == 429 && (a.header.Get("Retry-After") != "2" || a.body != `{"message":"429 Too Many Requests"}`) {
			t.Errorf("%+v", a)
		}
	}
	for i, status := range statuses {
		want := 200
		if i == 2 || i == 5 {
			want = 429
		}
		if status != want {
			t.Fatalf("%v", statuses)
		}
	}
	w.send("GET", "/api/v4/users", "", 200)
	var faults []fault
	w.plane("GET", "/faults", "", 200, &faults)
	if len(faults) != 1 || faults[0].Applied != 2 {
		t.Errorf("%+v", faults)
	}
}

func TestAFaultHasTheStatusHeadersAndBodyThatWereAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	var made fault
	w.plane("POST", "/faults",
		`{"kind":"status","status":502,"body":"<h1>Bad gateway</h1>","headers":{"Content-Type":"text/html"},"method":"POST"}`, 201, &made)
	w.send("GET", "/api/v4/user", "", 200)
	a := w.send("POST", "/api/v4/projects", newProject, 502)
	if a.body != "<h1>Bad gateway</h1>" || a.header.Get("Content-Type") != "text/html" {
		t.Errorf("%+v", a)
	}
	w.plane("DELETE", "/faults/1", "", 204, nil)
	w.send("POST", "/api/v4/projects", newProject, 201)
	w.plane("DELETE", "/faults", "", 204, nil)
}

func TestRequestsAreDelayed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.plane("POST", "/faults", `{"kind":"delay","delay":0.3,"count":1}`, 201, nil)
	began := time.Now()
	w.send("GET", "/api/v4/user", "", 200)
	if took := time.Since(began); took < 300*time.Millisecond {
		t.Error(took)
	}
}

func TestConnectionsAreCut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.plane("POST", "/faults", `{"kind":"cut","method":"POST","count":1}`, 201, nil)
	w.plane("POST", "/faults", `{"kind":"cut","method":"GET","after_bytes":10,"count":1}`, 201, nil)
	if a, err := w.try("POST", "/api/v4/projects", newProject); err == nil {
		t.Errorf("%+v", a)
	}
	w.send("POST", "/api/v4/projects", newProject, 201) // the first one was not handled
	a, err := w.try("GET", "/api/v4/user", "")
	if err != nil || a.err == nil || len(a.body) != 10 || a.status != 200 {
		t.Errorf("%v %+v", err, a)
	}
	w.send("GET", "/api/v4/user", "", 200)
	var requests []struct{ Status int }
	w.plane("GET", "/requests?method=POST", "", 200, &requests)
	if len(requests) != 2 || requests[0].Status != 0 || requests[1].Status != 201 {
		t.Errorf("%+v", requests)
	}
}

func TestBodiesAreSlow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.plane("POST", "/faults", `{"kind":"slow","bytes_per_second":3000,"path":"/api/v4/user"}`, 201, nil)
	began := time.Now()
	a := w.send("GET", "/api/v4/user", "", 200)
	if took := time.Since(began); took < time.Duration(len(a.body))*time.Second/3000/2 {
		t.Errorf("%d bytes in %v", len(a.body), took)
	}
}

func TestAStalePageIsThePreviousOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.plane("POST", "/faults", `{"kind":"stale","path":"/api/v4/projects*","count":1}`, 201, nil)
	before := w.send("GET", "/api/v4/projects", "", 200)
	w.send("POST", "/api/v4/projects", newProject, 201)
	stale := w.send("GET", "/api/v4/projects", "", 200)
	if stale.body != before.body || stale.header.Get("ETag") != before.header.Get("ETag") {
		t.Errorf("%s", stale.body)
	}
	if fresh := w.send("GET", "/api/v4/projects", "", 200); fresh.body == before.body {
		t.Errorf("%s", fresh.body)
	}
}

func TestAClientWithoutCompressionIsNotAffected(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	req, err := http.NewRequestWithContext(t.Context(), "HEAD", w.URL+"/api/v4/projects", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil || res.StatusCode != 200 {
		t.Errorf("%v %v", res, err)
	}
	res.Body.Close()
}
