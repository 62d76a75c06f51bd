package outbound

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// StreamRequest is a request whose body, and whose response, may be large.
type StreamRequest struct {
	Method string
	URL    *url.URL // its user and password are sent as basic authentication
	Header http.Header
	Body   io.Reader
	Length int64 // of the body; 0 if it is not known
	Idle   time.Duration
}

// StreamResponse is a response whose body the caller reads and closes.
type StreamResponse struct {
	Status int
	Header http.Header
	Length int64 // of the body; -1 if it is not known
	Body   io.ReadCloser
}

// ErrIdle is the error of a server that has sent and taken nothing for too long.
var ErrIdle = errors.New("the server does not respond any more")

// Stream makes a request under the rules of the client. It follows no redirects, and sends nothing to an address that the
// rules do not allow. It has no limits of time and size besides the context, but fails if no byte moves for the time
// Idle.
func (c *Client) Stream(ctx context.Context, r StreamRequest) (*StreamResponse, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	watch := &idleWatch{after: r.Idle}
	watch.timer = time.AfterFunc(r.Idle, func() { cancel(ErrIdle) })
	stop := func() {
		watch.timer.Stop()
		cancel(context.Canceled)
	}
	var body io.Reader
	if r.Body != nil {
		body = &watchedReader{from: r.Body, watch: watch}
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, r.URL.String(), body)
	if err != nil {
		stop()
		return nil, err
	}
	req.ContentLength = r.Length
	if r.Body != nil && r.Length == 0 {
		req.ContentLength = -1
	}
	if user := r.URL.User; user != nil {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
		req.URL.User = nil
	}
	for name, values := range r.Header {
		req.Header[name] = values
	}
	res, err := c.transports[index(false, false)].RoundTrip(req) //nolint:bodyclose // the caller closes it
	if err != nil {
		defer stop()
		return nil, streamCause(ctx, err)
	}
	return &StreamResponse{
		Status: res.StatusCode, Header: res.Header, Length: res.ContentLength,
		Body: &streamBody{watchedReader{from: res.Body, watch: watch}, ctx, res.Body, stop},
	}, nil
}

// Follow is Stream for a GET request that follows at most a number of redirects, each under the rules. The user, the
// password and the header Authorization go only to the host of the request. It returns the URL of the response.
func (c *Client) Follow(ctx context.Context, r StreamRequest, most int) (*StreamResponse, *url.URL, error) {
	at := *r.URL
	r.Method, r.Body, r.URL = http.MethodGet, nil, &at
	for n := 0; ; n++ {
		res, err := c.Stream(ctx, r)
		if err != nil {
			return nil, nil, err
		}
		next := res.Header.Get("Location")
		if res.Status < 300 || res.Status > 399 || next == "" {
			return res, r.URL, nil
		}
		res.Body.Close()
		if n == most {
			return nil, nil, errors.New("the server redirects more than " + strconv.Itoa(most) + " times")
		}
		to, err := r.URL.Parse(next)
		if err != nil {
			return nil, nil, errUnresolved
		}
		if to, err = Parse(to.String()); err != nil {
			return nil, nil, err
		}
		to.User = nil
		if hostPort(to) == hostPort(r.URL) && (to.Scheme == r.URL.Scheme || to.Scheme == "https") {
			to.User = r.URL.User
		} else {
			r.Header = withoutCredentials(r.Header)
		}
		r.URL = to
	}
}

func withoutCredentials(h http.Header) http.Header {
	h = h.Clone()
	for _, name := range []string{"Authorization", "Private-Token"} {
		h.Del(name)
	}
	return h
}

// streamCause returns the reason of a failed request or response.
func streamCause(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), ErrIdle) {
		return ErrIdle
	}
	return cause(ctx, err)
}

// idleWatch ends a request when no byte moves any more.
type idleWatch struct {
	timer *time.Timer
	after time.Duration
}

// watchedReader reports each read to the watch.
type watchedReader struct {
	from  io.Reader
	watch *idleWatch
}

// Read reads, and begins to wait anew.
func (w *watchedReader) Read(p []byte) (int, error) {
	n, err := w.from.Read(p)
	if n > 0 {
		w.watch.timer.Reset(w.watch.after)
	}
	return n, err
}

// streamBody is the body of a response.
type streamBody struct {
	watchedReader
	ctx  context.Context //nolint:containedctx // the request's own, to find out why reading failed
	body io.Closer
	stop func()
}

// Read reads, and explains why reading failed.
func (b *streamBody) Read(p []byte) (int, error) {
	n, err := b.watchedReader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = streamCause(b.ctx, err)
	}
	return n, err
}

// Close ends the request.
func (b *streamBody) Close() error {
	err := b.body.Close()
	b.stop()
	return err
}
