package relationexport

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"svc/server/domain/archive"
	"svc/store"
	"svc/store/blob"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// source is a Source with three relations.
type source struct {
	records map[string]int // how many records each relation has
	fail    map[string]error
	refused error
	written []string
	during  func(relation string)
}

func (s *source) RelationNames() []string { return []string{"none", "few", "many"} }

func (s *source) Relations(context.Context, int64, int64) (map[string]archive.Records, error) {
	all := map[string]archive.Records{}
	for _, name := range s.RelationNames() {
		all[name] = func(put func(record any) error) error {
			s.written = append(s.written, name)
			for i := range s.records[name] {
				if err := put(map[string]any{"number": i, "text": "<b>&"}); err != nil {
					return err
				}
			}
			if s.during != nil {
				s.during(name)
			}
			return s.fail[name]
		}
	}
	return all, s.refused
}

// place is a test instance with a project.
type place struct {
	*Service
	*testing.T

	source  *source
	project model.Project
	user    model.User
}

func newPlace(t *testing.T) *place {
	t.Helper()
	p := &place{T: t, source: &source{records: map[string]int{"few": 3, "many": 2*batchSize + 1}, fail: map[string]error{}}}
	blobs, err := blob.Open("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	st := storetest.New(t)
	p.Service = New(Dependencies{
		Store: st, Blobs: blobs, Groups: p.source, Projects: p.source, Logger: slog.New(slog.DiscardHandler),
	})
	p.user = storetest.User(t, st)
	p.project = storetest.Project(t, st, p.user)
	return p
}

// schedule adds an export of the relations of the project.
func (p *place) schedule(batched bool) int64 {
	p.Helper()
	e := model.RelationExport{
		UserID: p.user.ID, Batched: batched, State: model.ExportScheduled, ExpiresAt: time.Now().UTC().Add(lifetime),
	}
	if err := p.Store.RelationExports.Replace(p.Context(), p.owner(), &e); err != nil {
		p.Fatal(err)
	}
	return e.ID
}

func (p *place) owner() store.ResourceOwner { return store.OwnedByProject(p.project) }

func (p *place) run(id int64) {
	p.Helper()
	if err := p.RunExport(p.Context(), Export{ExportID: id}); err != nil {
		p.Fatal(err)
	}
}

// counts returns the number of records in each file of each relation, after it has read them.
func (p *place) counts() map[string][]int64 {
	p.Helper()
	states, err := p.States(p.Context(), p.owner(), "")
	if err != nil {
		p.Fatal(err)
	}
	found := map[string][]int64{}
	for _, state := range states {
		next := 0
		for _, f := range state.Files {
			next = p.check(f, next)
			found[state.Relation] = append(found[state.Relation], f.Records)
		}
	}
	return found
}

// check reads a file, whose records begin with the given number, and returns the number after the last.
func (p *place) check(f model.RelationExportFile, next int) int {
	p.Helper()
	packed, err := p.Open(p.Context(), f, 0, f.Size)
	if err != nil {
		p.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		p.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		p.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(text) == 0 {
		lines = nil
	}
	if int64(len(lines)) != f.Records {
		p.Errorf("%s: %d lines, %d records", f.Relation, len(lines), f.Records)
	}
	for _, line := range lines {
		var record struct {
			Number int
			Text   string
		}
		if err := json.Unmarshal([]byte(line), &record); err != nil || record.Number != next || record.Text != "<b>&" {
			p.Fatalf("%s: %s: %v", f.Relation, line, err)
		}
		next++
	}
	return next
}

// removals returns how many files are to be removed.
func (p *place) removals() (n int) {
	p.Helper()
	if err := p.Store.SQL().QueryRowContext(p.Context(), "SELECT count(*) FROM blob_removals").Scan(&n); err != nil {
		p.Fatal(err)
	}
	return n
}

func TestRelationsAreWrittenWholeOrInBatches(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run(p.schedule(false))
	if diff := cmp.Diff(map[string][]int64{"none": {0}, "few": {3}, "many": {2*batchSize + 1}}, p.counts()); diff != "" {
		t.Error(diff)
	}
	if n := p.removals(); n != 0 {
		t.Errorf("%d files are to be removed", n)
	}
	id := p.schedule(true)
	if n := p.removals(); n != 3 {
		t.Errorf("%d files of the export before are to be removed", n)
	}
	p.run(id)
	if diff := cmp.Diff(map[string][]int64{"none": {0}, "few": {3}, "many": {batchSize, batchSize, 1}}, p.counts()); diff != "" {
		t.Error(diff)
	}
	p.source.written = nil
	p.run(id)
	if p.source.written != nil {
		t.Errorf("written again: %v", p.source.written)
	}
	if err := p.Store.Projects.Delete(t.Context(), p.project.ID, nil); err != nil {
		t.Fatal(err)
	}
	if n := p.removals(); n != 8 {
		t.Errorf("%d files are to be removed with the project", n)
	}
}

func TestAnInterruptedExportContinues(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	id, broken := p.schedule(true), errors.New("broken")
	p.source.fail["many"] = broken
	if err := p.RunExport(t.Context(), Export{ExportID: id}); !errors.Is(err, broken) {
		t.Fatalf("%v", err)
	}
	if diff := cmp.Diff(map[string][]int64{"none": {0}, "few": {3}}, p.counts()); diff != "" {
		t.Error(diff)
	}
	if n := p.removals(); n != 3 {
		t.Errorf("%d files of the failed relation are to be removed", n)
	}
	p.source.fail, p.source.written = nil, nil
	if err := p.Resume(t.Context(), ResumeJob{}); err != nil || p.source.written != nil {
		t.Errorf("a process may still work on it: %v %v", p.source.written, err)
	}
	p.set("updated_at", 10*time.Minute)
	if err := p.Resume(t.Context(), ResumeJob{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"many"}, p.source.written); diff != "" {
		t.Error(diff)
	}
	if got := p.counts()["many"]; len(got) != 3 {
		t.Errorf("%v", got)
	}
	p.set("expires_at", time.Minute)
	if states, err := p.States(t.Context(), p.owner(), ""); err != nil || len(states) != 0 {
		t.Errorf("an expired export: %v %v", states, err)
	}
	if err := p.Resume(t.Context(), ResumeJob{}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Store.RelationExports.Get(t.Context(), id); !store.IsNotFound(err) {
		t.Errorf("an expired export: %v", err)
	}
}

// set makes a time of the export lie in the past.
func (p *place) set(column string, ago time.Duration) {
	p.Helper()
	at := time.Now().UTC().Add(-ago).Format("2006-01-02 15:04:05+00:00")
	_, err := p.Store.SQL().ExecContext(p.Context(), fmt.Sprintf("UPDATE relation_exports SET %s = '%s'", column, at))
	if err != nil {
		p.Fatal(err)
	}
}

func TestAnExportThatCannotFinishFails(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	id := p.schedule(false)
	p.source.refused = archive.Bad("no longer")
	p.run(id)
	e, err := p.Store.RelationExports.Get(t.Context(), id)
	if err != nil || e.State != model.ExportFailed || e.Error == nil || *e.Error != "no longer" {
		t.Errorf("%+v %v", e, err)
	}
	id = p.schedule(false)
	p.set("created_at", 25*time.Hour)
	p.set("updated_at", 10*time.Minute)
	if err := p.Resume(t.Context(), ResumeJob{}); err != nil {
		t.Fatal(err)
	}
	if e, err := p.Store.RelationExports.Get(t.Context(), id); err != nil || e.State != model.ExportFailed || *e.Error != gaveUp {
		t.Errorf("%+v %v", e, err)
	}
}

func TestAnExportThatIsReplacedStops(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	id, second := p.schedule(false), int64(0)
	p.source.during = func(string) {
		p.source.during = nil
		second = p.schedule(true)
	}
	p.run(id)
	if diff := cmp.Diff([]string{"none"}, p.source.written); diff != "" {
		t.Errorf("the job of the first export went on: %s", diff)
	}
	p.run(second)
	if diff := cmp.Diff(map[string][]int64{"none": {0}, "few": {3}, "many": {batchSize, batchSize, 1}}, p.counts()); diff != "" {
		t.Error(diff)
	}
}

// Two processes write the same relations: the files of the first are stored.
func TestTwoProcessesWriteARelationOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	id := p.schedule(false)
	p.source.during = func(string) {
		p.source.during = nil
		p.run(id)
	}
	p.run(id)
	if diff := cmp.Diff(map[string][]int64{"none": {0}, "few": {3}, "many": {2*batchSize + 1}}, p.counts()); diff != "" {
		t.Error(diff)
	}
}
