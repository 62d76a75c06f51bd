package control

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"time"
)

// answer is a whole answer that was kept.
type answer struct {
	status int
	header http.Header
	body   bytes.Buffer
}

// maxAnswer is the size of the largest answer that is kept for the kind stale.
const maxAnswer = 1 << 20

// Header returns the headers, as an http.ResponseWriter does.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader sets the status.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write adds to the body.
func (a *answer) Write(data []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(data)
}

// send writes the answer.
func (a *answer) send(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body.Bytes())
}

// apply handles a request according to a plan: next is the world's usual way.
func (p plan) apply(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	if p.delay > 0 && !pause(r.Context(), seconds(p.delay)) {
		return
	}
	if len(p.remember) > 0 && p.repeat == nil {
		p.applyRemembering(w, r, next)
		return
	}
	p.applyFault(w, r, next)
}

// applyRemembering handles a request and keeps its answer for later ones.
func (p plan) applyRemembering(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	kept := &answer{header: http.Header{}}
	p.applyFault(kept, r, next)
	kept.WriteHeader(http.StatusOK)
	if p.fault == nil && kept.body.Len() <= maxAnswer {
		p.faults.keep(p.remember, requestKey(r), kept)
	}
	kept.send(w)
}

// applyFault handles a request according to the fault, if there is one.
func (p plan) applyFault(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	f := p.fault
	if f == nil {
		next(w, r)
		return
	}
	switch f.Kind {
	case faultStatus:
		f.answerStatus(w)
	case faultStale:
		p.repeat.send(w)
	case faultSlow:
		next(&slowWriter{ResponseWriter: w, ctx: r.Context(), speed: f.BytesPerSecond}, r)
	case faultCut:
		if f.AfterBytes != nil {
			whole := &answer{header: http.Header{}}
			next(whole, r)
			whole.WriteHeader(http.StatusOK)
			whole.sendPart(w, *f.AfterBytes)
		}
		panic(http.ErrAbortHandler) // closes the connection
	}
}

// sendPart sends the headers, which announce the whole body, and the beginning of the body.
func (a *answer) sendPart(w http.ResponseWriter, size int) {
	maps.Copy(w.Header(), a.header)
	w.Header().Set("Content-Length", strconv.Itoa(a.body.Len()))
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body.Bytes()[:min(size, a.body.Len())])
	_ = http.NewResponseController(w).Flush()
}

// answerStatus answers with the status of the fault.
func (f *Fault) answerStatus(w http.ResponseWriter) {
	header := w.Header()
	if f.RetryAfter != nil {
		header.Set("Retry-After", strconv.Itoa(*f.RetryAfter))
	}
	body := ""
	if f.Body != nil {
		body = *f.Body
	} else {
		header.Set("Content-Type", "application/json")
		text, _ := json.Marshal(map[string]string{"message": fmt.Sprintf("%d %s", f.Status, http.StatusText(f.Status))})
		body = string(text)
	}
	for name, value := range f.Headers {
		header.Set(name, value)
	}
	w.WriteHeader(f.Status)
	_, _ = w.Write([]byte(body))
}

// slowWriter writes the body at a limited speed.
type slowWriter struct {
	http.ResponseWriter
	ctx   context.Context
	speed int // bytes per second
}

// slowSteps is how many parts are written in a second.
const slowSteps = 20

// Write writes the data in small parts.
func (s *slowWriter) Write(data []byte) (written int, err error) {
	step := max(1, s.speed/slowSteps)
	for len(data) > 0 {
		part := data[:min(step, len(data))]
		n, err := s.ResponseWriter.Write(part)
		written += n
		if err != nil {
			return written, err
		}
		_ = http.NewResponseController(s.ResponseWriter).Flush()
		data = data[len(part):]
		if !pause(s.ctx, seconds(float64(len(part))/float64(s.speed))) {
			return written, context.Cause(s.ctx)
		}
	}
	return written, nil
}

// Unwrap returns the writer below, for http.ResponseController.
func (s *slowWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// pause waits, and returns false if the context ends meanwhile.
func pause(ctx context.Context, wait time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(wait):
		return true
	}
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
