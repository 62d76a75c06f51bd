package auditstream

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/server/platform/outbound"
	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/wait"
)

// receiver records the ids of the events that it gets.
type receiver struct {
	mu     sync.Mutex
	ids    []int64
	header http.Header
	status int
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var e event
	r.mu.Lock()
	defer r.mu.Unlock()
	r.header = req.Header.Clone()
	if r.status != 0 {
		w.WriteHeader(r.status)
		return
	}
	if json.NewDecoder(req.Body).Decode(&e) == nil {
		r.ids = append(r.ids, e.ID)
	}
}

func (r *receiver) got() []int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.ids)
}

func (r *receiver) answer(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

func newHTTP(t *testing.T, to string) *HTTP {
	t.Helper()
	h, err := NewHTTP(outbound.New(outbound.Options{}), to, "Authorization: Bearer s3cret", "svc/test")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func newStream(t *testing.T, o Options) *Stream {
	t.Helper()
	o.Logger = slog.New(slog.DiscardHandler)
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// record writes events and returns their ids.
func record(t *testing.T, st *store.Store, n int) (ids []int64) {
	t.Helper()
	before, _, err := st.AuditEvents.ListAfter(t.Context(), store.AuditFilter{}, nil, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		rows := []model.AuditEvent{{
			AuthorID: 1, AuthorName: "Jo", EntityType: "User", EntityID: 2, EventType: "user_created",
			TargetDetails: fmt.Sprintf("line\nbreak %d", i), Details: `{"a": [1, 2]}`, CreatedAt: time.Now(),
		}}
		if err := st.AuditEvents.Create(t.Context(), rows); err != nil {
			t.Fatal(err)
		}
	}
	after, _, err := st.AuditEvents.ListAfter(t.Context(), store.AuditFilter{}, nil, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range after[:len(after)-len(before)] {
		ids = append([]int64{e.ID}, ids...)
	}
	return ids
}

func fileIDs(t *testing.T, name string) (ids []int64) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var e event
		if json.Unmarshal([]byte(line), &e) == nil {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

func TestEventsAreDeliveredInOrder(t *testing.T) {
	t.Parallel()
	st, to, name := storetest.New(t), &receiver{}, filepath.Join(t.TempDir(), "audit.jsonl")
	web := httptest.NewServer(to)
	t.Cleanup(web.Close)
	early := record(t, st, 1) // before the stream is on
	s := newStream(t, Options{Store: st, File: name, HTTP: newHTTP(t, web.URL)})
	ids := record(t, st, 3*batch/2)
	if slices.Contains(ids, early[0]) {
		t.Fatal(ids)
	}
	for _, target := range []string{"file", "http"} {
		if err := s.Deliver(t.Context(), target); err != nil {
			t.Fatal(err)
		}
	}
	if got := fileIDs(t, name); !slices.Equal(got, ids) {
		t.Errorf("the file has %v, want %v", got, ids)
	}
	if got := to.got(); !slices.Equal(got, ids) {
		t.Errorf("the receiver has %v, want %v", got, ids)
	}
	if to.header.Get("Authorization") != "Bearer s3cret" || to.header.Get("Idempotency-Key") != fmt.Sprint(ids[len(ids)-1]) {
		t.Error(to.header)
	}
	if depth, err := st.AuditStreams.Depth(t.Context()); err != nil || len(depth) != 0 {
		t.Error(depth, err)
	}
}

func TestAReceiverThatRefusesGetsEverythingLater(t *testing.T) {
	t.Parallel()
	st, to := storetest.New(t), &receiver{status: 503}
	web := httptest.NewServer(to)
	t.Cleanup(web.Close)
	s := newStream(t, Options{Store: st, HTTP: newHTTP(t, web.URL)})
	ids := record(t, st, 3)
	if err := s.Deliver(t.Context(), "http"); err == nil || !strings.Contains(err.Error(), "503") {
		t.Error(err)
	}
	to.answer(0)
	if err := s.Deliver(t.Context(), "http"); err != nil {
		t.Error(err)
	}
	if got := to.got(); !slices.Equal(got, ids) {
		t.Errorf("received %v, want %v", got, ids)
	}
}

func TestOneProcessAtATimeDelivers(t *testing.T) {
	t.Parallel()
	st, name := storetest.New(t), filepath.Join(t.TempDir(), "audit.jsonl")
	s := newStream(t, Options{Store: st, File: name})
	ids := record(t, st, 1)
	if leased, err := st.AuditStreams.Lease(t.Context(), "file", time.Now().Add(time.Hour), false); err != nil || !leased {
		t.Fatal(leased, err)
	}
	if err := s.Deliver(t.Context(), "file"); err != nil || len(fileIDs(t, name)) != 0 {
		t.Error("delivered although another process delivers", err)
	}
	if _, err := st.AuditStreams.Lease(t.Context(), "file", time.Now().Add(-time.Second), true); err != nil { // it died
		t.Fatal(err)
	}
	if err := s.Deliver(t.Context(), "file"); err != nil || !slices.Equal(fileIDs(t, name), ids) {
		t.Error("not delivered after the end of the lease", err)
	}
}

func TestARunningStreamDeliversNewEventsAndSurvivesRotation(t *testing.T) {
	t.Parallel()
	st, name := storetest.New(t), filepath.Join(t.TempDir(), "audit.jsonl")
	s := newStream(t, Options{Store: st, File: name})
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() { s.Run(ctx) })
	t.Cleanup(func() { cancel(); done.Wait() })
	first := record(t, st, 2)
	wait.Until(t, "the events are in the file", func() bool { return slices.Equal(fileIDs(t, name), first) })
	if err := os.Rename(name, name+".1"); err != nil {
		t.Fatal(err)
	}
	second := record(t, st, 2)
	wait.Until(t, "the events are in the new file", func() bool { return slices.Equal(fileIDs(t, name), second) })
}

func TestALineThatWasCutOffDoesNotSpoilTheNextOne(t *testing.T) {
	t.Parallel()
	st, name := storetest.New(t), filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(name, []byte(`{"id":1,"crea`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStream(t, Options{Store: st, File: name})
	ids := record(t, st, 1)
	if err := s.Deliver(t.Context(), "file"); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil || bytes.Count(data, []byte("\n")) != 2 || !slices.Equal(fileIDs(t, name), ids) {
		t.Errorf("%s %v", data, err)
	}
}

func TestAFileThatCannotBeWrittenIsRefusedAtTheStart(t *testing.T) {
	t.Parallel()
	if _, err := New(Options{Store: storetest.New(t), File: filepath.Join(t.TempDir(), "no", "such", "folder")}); err == nil {
		t.Error("accepted")
	}
}

func TestAnEventOfARolledBackTransactionIsNotDelivered(t *testing.T) {
	t.Parallel()
	st, name := storetest.New(t), filepath.Join(t.TempDir(), "audit.jsonl")
	s := newStream(t, Options{Store: st, File: name})
	err := st.Tx(t.Context(), func(ctx context.Context) error {
		rows := []model.AuditEvent{{EntityType: "User", EventType: "x", Details: "{}", CreatedAt: time.Now()}}
		if err := st.AuditEvents.Create(ctx, rows); err != nil {
			return err
		}
		return os.ErrInvalid
	})
	if err == nil {
		t.Fatal("committed")
	}
	if err := s.Deliver(t.Context(), "file"); err != nil || len(fileIDs(t, name)) != 0 {
		t.Error("delivered", err)
	}
}
