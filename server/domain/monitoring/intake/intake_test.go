package intake

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/server/domain/monitoring/alert/format"
	"svc/store"
	"svc/store/model"
)

func TestMessagesThatWaitAreWrittenTogether(t *testing.T) {
	t.Parallel()
	begun, held := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	var batches []int
	q := &queues{write: func(_ context.Context, project int64, rows []model.Alert) ([]store.RecordedAlert, error) {
		mu.Lock()
		batches = append(batches, len(rows))
		first := len(batches) == 1
		mu.Unlock()
		if first {
			close(begun)
			<-held
		}
		back := make([]store.RecordedAlert, len(rows))
		for i, row := range rows {
			back[i].Title = row.Title
		}
		return back, nil
	}}
	send := func(n int) {
		title := fmt.Sprint(n)
		back, err := q.do(t.Context(), 1, []model.Alert{{Title: title}, {Title: title + "b"}})
		if err != nil || len(back) != 2 || back[0].Title != title || back[1].Title != title+"b" {
			t.Errorf("%d: %v, %v", n, back, err)
		}
	}
	var wait sync.WaitGroup
	wait.Go(func() { send(0) })
	<-begun
	for n := range 150 {
		wait.Go(func() { send(n + 1) })
	}
	for waiting := 0; waiting < 150; {
		q.mu.Lock()
		waiting = len(*q.projects[1])
		q.mu.Unlock()
	}
	close(held)
	wait.Wait()
	if fmt.Sprint(batches) != "[2 200 100]" {
		t.Errorf("written in %v", batches)
	}
	if len(q.projects) != 0 {
		t.Error("the queue is left over")
	}
}

func TestAFailureIsToldToAllWhoWait(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	q := &queues{write: func(context.Context, int64, []model.Alert) ([]store.RecordedAlert, error) { return nil, broken }}
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if _, err := q.do(t.Context(), 1, []model.Alert{{}}); !errors.Is(err, broken) {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	q.write = func(ctx context.Context, _ int64, _ []model.Alert) ([]store.RecordedAlert, error) {
		if _, bounded := ctx.Deadline(); !bounded || ctx.Err() != nil {
			t.Error("the leader's hanging up ends the work of others")
		}
		return make([]store.RecordedAlert, 1), nil
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := q.do(gone, 1, []model.Alert{{}}); err != nil {
		t.Error(err)
	}
	func() {
		defer func() { _ = recover() }()
		q.write = func(context.Context, int64, []model.Alert) ([]store.RecordedAlert, error) { panic("broken") }
		_, _ = q.do(t.Context(), 1, []model.Alert{{}})
	}()
	if len(q.projects) != 0 {
		t.Error("after a panic nobody writes")
	}
}

func TestTextsOfTheSenderCannotLeaveTheirQuotes(t *testing.T) {
	t.Parallel()
	a := model.Alert{
		IID: 7, Format: format.Metrics, Severity: "low", Service: "a`b``c", Hosts: `["x","y"]`,
		Description: "line\n\n# Not a heading @somebody", StartedAt: time.Unix(0, 0),
		Payload: `{"annotations":{"svc_incident_markdown":"**Call**","runbook":"http://wiki"}}`,
	}
	text := describe(a)
	for _, want := range []string{
		"- **Service:** ``` a`b``c ```\n", "- **Hosts:** `x, y`\n", "`line # Not a heading @somebody`\n",
		"\n**Call**\n", "- **Runbook:** `http://wiki`\n", "- **Alert:** 7\n", "1970-01-01T00:00:00Z",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	for n, want := range map[int64]bool{
		1: false, 2: false, 9: false, 10: true, 11: false, 100: true, 999: false, 1000: true, 1_000_000: true,
	} {
		if isPowerOfTen(n) != want {
			t.Errorf("%d", n)
		}
	}
}
