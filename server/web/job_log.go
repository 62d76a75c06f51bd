package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"svc/server/access"
	"svc/server/apierr"
	"svc/server/ci/logview"
	"svc/server/ci/status"
	"svc/store/model"
)

// Logs reads the logs of jobs.
type Logs interface {
	// Open reads from an offset on, at most length bytes, but never more than there are, and tells how many come.
	Open(ctx context.Context, job model.Job, offset, length int64) (io.ReadCloser, int64, error)
}

const (
	shownLog = 1 << 20 // bytes of the end of a log that a page shows
	pollLog  = 700 * time.Millisecond
	followed = 30 * time.Minute // after which a browser asks anew
)

// readLog reads the end of a log for the page.
func (w *Web) readLog(ctx context.Context, job model.Job, view *jobView) error {
	start := max(job.LogSize-shownLog, 0)
	view.Cut, view.Size = start > 0, job.LogSize
	reader := &logview.Reader{}
	var events []logview.Event
	err := w.piece(ctx, job, start, func(p []byte) { events = append(events, reader.Read(p)...) })
	if err != nil {
		return err
	}
	if !view.Live {
		events = append(events, reader.End()...)
	}
	view.Log = tree(events)
	return nil
}

// piece reads a log from an offset to its end.
func (w *Web) piece(ctx context.Context, job model.Job, offset int64, read func(p []byte)) error {
	from, _, err := w.logs.Open(ctx, job, offset, job.LogSize)
	if err != nil {
		return err
	}
	defer from.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		read(buffer[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// jobLog follows a log by server-sent events: what comes after the bytes that the page has shown.
func (w *Web) jobLog(at place) Handler {
	return func(v *Visit) error {
		ctx, cancel := context.WithTimeout(v.Request().Context(), followed)
		defer cancel()
		row, err := w.judge.Project(ctx, at.project, access.ReadPipeline)
		if err != nil {
			return err
		}
		job, err := w.store.Jobs.Find(ctx, at.id)
		if err != nil {
			return missing(err)
		}
		if job.ProjectID != row.Project.ID || job.Bridge || !seesLog(row, job) {
			return apierr.NotFound("")
		}
		from, err := strconv.ParseInt(v.QueryParam("from"), 10, 64)
		if last := v.Request().Header.Get("Last-Event-ID"); last != "" { // the browser comes back by itself
			from, err = strconv.ParseInt(last, 10, 64)
		}
		if err != nil || from < 0 || from > job.LogSize {
			return apierr.BadRequest("from is not a place in this log")
		}
		h := v.Response().Header()
		h.Set("Content-Type", "text/event-stream; charset=utf-8")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Accel-Buffering", "no")
		v.Response().WriteHeader(http.StatusOK)
		return w.follow(ctx, v, job, from)
	}
}

// follow sends what comes until the job is done or the browser is gone.
func (w *Web) follow(ctx context.Context, v *Visit, job model.Job, from int64) error {
	out := http.NewResponseController(v.Response())
	_ = out.SetWriteDeadline(time.Now().Add(followed + time.Minute)) // where it cannot be set there is none
	reader := &logview.Reader{}
	// What the page has is read once more, for what it leaves open: colours, sections, half a line.
	shown := job
	shown.LogSize = from
	if err := w.piece(ctx, shown, max(from-shownLog, 0), func(p []byte) { reader.Read(p) }); err != nil {
		return err
	}
	for {
		var events []logview.Event
		if err := w.piece(ctx, job, from, func(p []byte) { events = append(events, reader.Read(p)...) }); err != nil {
			return err
		}
		from = max(from, job.LogSize)
		done := status.Status(job.Status).IsComplete()
		if done {
			events = append(events, reader.End()...)
		}
		if len(events) > 0 {
			data, err := json.Marshal(events)
			if err != nil {
				return err
			}
			fmt.Fprintf(v.Response(), "id: %d\nevent: lines\ndata: %s\n\n", from, data)
		}
		if done {
			fmt.Fprint(v.Response(), "event: done\ndata: {}\n\n")
			return out.Flush()
		}
		if len(events) == 0 {
			fmt.Fprint(v.Response(), ": still here\n\n")
		}
		if err := out.Flush(); err != nil {
			return nil //nolint:nilerr // the browser is gone, which is no failure
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pollLog):
		}
		next, err := w.store.Jobs.Find(ctx, job.ID)
		if err != nil {
			return nil //nolint:nilerr // the job is gone, or the browser; nothing more can be said
		}
		job = next
	}
}
