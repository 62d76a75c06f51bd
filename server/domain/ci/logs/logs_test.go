package logs

import (
	"errors"
	"hash/crc32"
	"io"
	"sync"
	"sync/atomic"
	"testing"

	"svc/store"
	"svc/store/blob"
	"svc/store/model"
	"svc/store/storetest"
)

func bench(t *testing.T, limit int64) (*Logs, *store.Store, model.Job) {
	t.Helper()
	st := storetest.New(t)
	blobs, err := blob.Open("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return New(st, blobs, limit), st, storetest.Job(t, st, storetest.Project(t, st, storetest.User(t, st)))
}

func (l *Logs) text(t *testing.T, job model.Job) string {
	t.Helper()
	from, n, err := l.Open(t.Context(), job, 0, 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(from)
	if err := errors.Join(err, from.Close()); err != nil || int64(len(text)) != n {
		t.Fatalf("%v: %d bytes of %d", err, len(text), n)
	}
	return string(text)
}

// grow appends a text at the end of a log.
func (l *Logs) grow(t *testing.T, job model.Job, text string, debug bool) model.Job {
	t.Helper()
	want := job.LogSize + int64(len(text))
	job, err := l.Append(t.Context(), job, job.LogSize, []byte(text), debug)
	if err != nil || job.LogSize != want || job.Status != "running" {
		t.Fatalf("%d bytes, %s, %v", job.LogSize, job.Status, err)
	}
	return job
}

// checkGap checks that a text is refused because the log has another size.
func (l *Logs) checkGap(t *testing.T, job model.Job, offset int64, text string, size int64) {
	t.Helper()
	var gap *GapError
	if _, err := l.Append(t.Context(), job, offset, []byte(text), false); !errors.As(err, &gap) || gap.Size != size {
		t.Errorf("at %d: %v, want a gap at %d", offset, err, size)
	}
}

func TestALogGrowsAtItsEndOnly(t *testing.T) {
	t.Parallel()
	l, st, job := bench(t, 20)
	job = l.grow(t, job, "0123456789", false)
	for _, offset := range []int64{0, 9, 11} {
		l.checkGap(t, job, offset, "other", 10)
	}
	stale := job // another process has appended in the meantime
	job = l.grow(t, job, "abcde", true)
	l.checkGap(t, stale, 10, "abcde", 15)
	if _, err := l.Append(t.Context(), job, 15, []byte("fghijk"), false); !errors.Is(err, ErrTooLong) {
		t.Errorf("over the limit: %v", err)
	}
	const want = "0123456789abcde"
	kept, err := st.Jobs.Find(t.Context(), job.ID)
	if err != nil || l.text(t, kept) != want || uint32(kept.LogSum) != crc32.ChecksumIEEE([]byte(want)) || !kept.Debug {
		t.Errorf("%q, sum %d, debug %t, %v", l.text(t, kept), kept.LogSum, kept.Debug, err)
	}
	from, n, err := l.Open(t.Context(), kept, 12, 2)
	if err != nil || n != 2 {
		t.Fatal(n, err)
	}
	if text, _ := io.ReadAll(from); string(text) != "cd" {
		t.Errorf("a part is %q", text)
	}
	from.Close()
}

func TestALogOfAJobThatIsDoneDoesNotGrow(t *testing.T) {
	t.Parallel()
	l, st, _ := bench(t, 100)
	done := storetest.Job(
		t, st, storetest.Project(t, st, storetest.User(t, st)),
		func(_ *model.Pipeline, j *model.Job) { j.Status = "success" },
	)
	var gap *GapError
	if _, err := l.Append(t.Context(), done, 0, []byte("late"), false); !errors.As(err, &gap) {
		t.Error(err)
	}
	if kept, err := st.Jobs.Find(t.Context(), done.ID); err != nil || kept.LogSize != 0 {
		t.Errorf("%d bytes, %v", kept.LogSize, err)
	}
}

func TestAnErasedLogIsEmpty(t *testing.T) {
	t.Parallel()
	l, st, job := bench(t, 100)
	job, err := l.Append(t.Context(), job, 0, []byte("secret"), false)
	if err == nil {
		err = l.Erase(t.Context(), job.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	kept, err := st.Jobs.Find(t.Context(), job.ID)
	if err != nil || l.text(t, kept) != "" {
		t.Errorf("%v: the log is not empty", err)
	}
}

// If a runner sends the same bytes twice, because the first answer was late, they are written once.
func TestTwoWritersOfTheSameBytes(t *testing.T) {
	t.Parallel()
	l, st, job := bench(t, 1000)
	var wait sync.WaitGroup
	var taken atomic.Int64
	for range 8 {
		wait.Go(func() {
			_, err := l.Append(t.Context(), job, 0, []byte("once"), false)
			var gap *GapError
			if err == nil {
				taken.Add(1)
			} else if !errors.As(err, &gap) || gap.Size != 4 {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	kept, err := st.Jobs.Find(t.Context(), job.ID)
	if err != nil || taken.Load() != 1 || l.text(t, kept) != "once" {
		t.Errorf("%d were taken, %v", taken.Load(), err)
	}
}
