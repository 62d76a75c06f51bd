package cipages

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"svc/server/domain/ci/logview"
	"svc/server/domain/ci/status"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/model"
	"svc/store/observe"
)

const (
	pollLog  = 700 * time.Millisecond
	followed = 30 * time.Minute // after this time the browser reconnects
)

// followJob follows a job by server-sent events: its state, and the log after the bytes that the page already shows.
// GET /{project}/-/jobs/{id}/log
func (p *Pages) followJob(v *page.Visit) error {
	ctx, cancel := context.WithTimeout(v.Request().Context(), followed)
	defer cancel()
	id, err := v.Number("id")
	if err != nil {
		return err
	}
	job, err := p.Store.Jobs.Find(ctx, id)
	if err != nil {
		return apierr.OrNotFound(err, "")
	}
	if job.ProjectID != v.Project.Project.ID || job.Bridge || !seesLog(*v.Project, job) {
		return page.NotFound()
	}
	from, err := strconv.ParseInt(v.QueryParam("from"), 10, 64)
	if last := v.Request().Header.Get("Last-Event-ID"); last != "" { // the browser reconnects by itself
		from, err = strconv.ParseInt(last, 10, 64)
	}
	if err != nil || from < 0 || from > job.LogSize {
		return apierr.BadRequest("from is not a position in this log")
	}
	h := v.Response().Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	v.Response().WriteHeader(http.StatusOK)
	return (&follower{pages: p, v: v, job: job, from: from, may: v.Project.Role() >= model.Developer}).follow(ctx)
}

// follower is a browser that follows a job.
type follower struct {
	pages  *Pages
	v      *page.Visit
	job    model.Job
	from   int64 // bytes of the log already sent
	reader logview.Reader
	may    bool // may see information about runners

	state   []byte // as last sent
	waiting string
	looked  time.Time // when the reason for waiting was looked up
}

// follow sends events until the job is done or the browser disconnects.
func (f *follower) follow(ctx context.Context) error {
	out := http.NewResponseController(f.v.Response())
	_ = out.SetWriteDeadline(time.Now().Add(followed + time.Minute)) // not every connection has deadlines
	// Read again what the page already shows, for what it leaves open: colors, sections, half a line.
	shown := f.job
	shown.LogSize = f.from
	if err := f.pages.piece(ctx, shown, max(f.from-readBytes, 0), func(p []byte) { f.reader.Read(p) }); err != nil {
		return err
	}
	for {
		done, err := f.send(ctx)
		if err != nil {
			return err
		}
		if err := out.Flush(); done || err != nil {
			return nil //nolint:nilerr // the browser is gone, which is no failure
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pollLog):
			observe.Of(ctx).Idle(pollLog)
		}
		next, err := f.pages.Store.Jobs.Find(ctx, f.job.ID)
		if err != nil {
			return nil //nolint:nilerr // the job is gone, or the browser; nothing more can be said
		}
		if next.Status != f.job.Status {
			f.looked = time.Time{}
		}
		f.job = next
	}
}

// send sends what is new: the state of the job, and lines of its log.
func (f *follower) send(ctx context.Context) (done bool, err error) {
	if err := f.sendState(ctx); err != nil {
		return false, err
	}
	var events []logview.Event
	if err := f.pages.piece(ctx, f.job, f.from, func(p []byte) { events = append(events, f.reader.Read(p)...) }); err != nil {
		return false, err
	}
	more := f.job.LogSize > f.from
	f.from = max(f.from, f.job.LogSize)
	done = status.Status(f.job.Status).IsComplete()
	switch {
	case done:
		events = append(events, f.reader.End()...)
	case !more: // the last line may be complete
		events = append(events, f.reader.Flush()...)
	}
	if len(events) > 0 {
		data, err := json.Marshal(events)
		if err != nil {
			return false, err
		}
		fmt.Fprintf(f.v.Response(), "id: %d\nevent: lines\ndata: %s\n\n", f.from, data)
	} else {
		fmt.Fprint(f.v.Response(), ": still here\n\n")
	}
	if done {
		fmt.Fprint(f.v.Response(), "event: done\ndata: {}\n\n")
	}
	return done, nil
}

// lookAgain is how long a reason for waiting stays valid.
const lookAgain = 5 * time.Second

// sendState sends the state of the job when it has changed. The first call always sends it: the state may have changed
// since the page was made.
func (f *follower) sendState(ctx context.Context) error {
	badge := jobBadge(f.job)
	if now := time.Now(); now.Sub(f.looked) > lookAgain {
		waiting, err := f.pages.Engine.WhyWaiting(ctx, f.job, f.may)
		if err != nil {
			return err
		}
		f.waiting, f.looked = waiting, now
	}
	state, err := json.Marshal(map[string]string{"status": badge.Status, "text": badge.Text, "waiting": f.waiting})
	if err != nil || bytes.Equal(state, f.state) {
		return err
	}
	f.state = state
	fmt.Fprintf(f.v.Response(), "event: state\ndata: %s\n\n", state)
	return nil
}
