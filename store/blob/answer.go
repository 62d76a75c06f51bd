package blob

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// defaultTimeout is how long a bucket may take to begin its answer, once it has the whole request, and how long it may
// send nothing in the middle of an answer.
const defaultTimeout = 20 * time.Second

// StatusError is an error response of a bucket.
type StatusError struct {
	Status int
	Code   string
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("the blob store answered %d %s", e.Status, e.Code)
}

// UnreachableError is returned if a bucket does not answer, or answers something that is no answer of a bucket. It does
// not wrap the error of the network, which would count as an error of the database inside a transaction.
type UnreachableError struct{ Place, Reason string }

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("the blob store at %s does not answer: %s", e.Place, e.Reason)
}

// unreachable returns the error of a request that failed: the reason of the caller if the caller gave up.
func (b *bucket) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return &UnreachableError{Place: b.place, Reason: err.Error()}
}

// body is the body of an answer. Reading it fails if the bucket sends nothing for a while.
type body struct {
	io.ReadCloser
	ctx    context.Context // of the caller
	bucket *bucket
	cancel context.CancelFunc
	timer  *time.Timer
}

// newBody returns the body of an answer. cancel ends its request.
func (b *bucket) newBody(ctx context.Context, res *http.Response, cancel context.CancelFunc) *body {
	timer := time.AfterFunc(b.timeout, cancel)
	timer.Stop()
	return &body{ReadCloser: res.Body, ctx: ctx, bucket: b, cancel: cancel, timer: timer}
}

// Read reads on. The time between two calls, in which the caller may be slow, does not count.
func (r *body) Read(p []byte) (int, error) {
	r.timer.Reset(r.bucket.timeout)
	n, err := r.ReadCloser.Read(p)
	r.timer.Stop()
	if err != nil && err != io.EOF { //nolint:errorlint // a reader returns io.EOF itself
		err = r.bucket.unreachable(r.ctx, err)
	}
	return n, err
}

// Close ends the request.
func (r *body) Close() error {
	r.timer.Stop()
	err := r.ReadCloser.Close()
	r.cancel()
	return err
}
