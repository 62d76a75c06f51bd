package remote

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"svc/server/platform/outbound"
	"svc/store/git"
)

const (
	idleTime     = time.Minute // in which a server must send or take something
	maxRedirects = 5
)

// FailedError says why a remote repository could not be read or written, in a text that the user may read.
type FailedError struct{ Text string }

func (e *FailedError) Error() string { return e.Text }

// session is a conversation with a remote repository.
type session struct {
	git.Advertised
	client  *outbound.Client
	agent   string
	base    *url.URL // with the credentials
	service git.Service
}

// open asks a remote repository for its refs. Redirects are followed, each under the rules of the client.
func (s *Service) open(ctx context.Context, at *url.URL, service git.Service) (*session, error) {
	u := *at
	u.Path = strings.TrimRight(u.Path, "/") + "/info/refs"
	u.RawPath, u.RawQuery = "", "service="+string(service)
	res, final, err := s.Client.Follow(ctx, outbound.StreamRequest{
		URL: &u, Idle: idleTime, Header: http.Header{"User-Agent": {s.Agent}, "Accept": {"*/*"}},
	}, maxRedirects)
	if err != nil {
		return nil, connectionFault(ctx, err)
	}
	defer res.Body.Close()
	if err := statusFault(res.Status); err != nil {
		return nil, err
	}
	path, ok := strings.CutSuffix(final.Path, "/info/refs")
	if !ok || res.Header.Get("Content-Type") != "application/x-"+string(service)+"-advertisement" {
		return nil, &FailedError{"The URL is not that of a git repository that is served over HTTP."}
	}
	base := *final
	base.Path, base.RawPath, base.RawQuery = path, "", ""
	o := &session{client: s.Client, agent: s.Agent, base: &base, service: service}
	o.Advertised, err = git.ReadAdvertised(&remoteBody{ctx, res.Body}, service)
	return o, err
}

// post sends a request to the remote repository, and returns the body of the response.
func (o *session) post(ctx context.Context, body io.Reader, length int64) (io.ReadCloser, error) {
	u := *o.base
	u.Path += "/" + string(o.service)
	res, err := o.client.Stream(ctx, outbound.StreamRequest{
		Method: http.MethodPost, URL: &u, Body: body, Length: length, Idle: idleTime,
		Header: http.Header{
			"User-Agent": {o.agent}, "Content-Type": {"application/x-" + string(o.service) + "-request"},
			"Accept": {"application/x-" + string(o.service) + "-result"},
		},
	})
	if err != nil {
		return nil, connectionFault(ctx, err)
	}
	if err := statusFault(res.Status); err != nil {
		res.Body.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{&remoteBody{ctx, res.Body}, res.Body}, nil
}

// fetch asks for objects.
func (o *session) fetch(ctx context.Context, wants, haves []string) (io.ReadCloser, error) {
	request := git.FetchRequest(wants, haves)
	return o.post(ctx, bytes.NewReader(request), int64(len(request)))
}

// statusFault explains a status other than 200.
func statusFault(status int) error {
	switch {
	case status == http.StatusOK:
		return nil
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return &FailedError{"The server refuses access to the repository: the credentials are missing or wrong."}
	case status == http.StatusNotFound:
		return &FailedError{"The server does not have the repository, or hides it from these credentials."}
	case status >= 300 && status <= 399:
		return &FailedError{"The server redirects, which is not followed here."}
	}
	return &FailedError{"The server responded with the status " + strconv.Itoa(status) + "."}
}

// connectionFault explains an error of the connection, unless the caller's own context has ended.
func connectionFault(ctx context.Context, err error) error {
	var blocked *outbound.BlockedError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &blocked):
		return &FailedError{"The URL is blocked: " + blocked.Reason + "."}
	case errors.Is(err, outbound.ErrIdle), errors.Is(err, outbound.ErrTimeout):
		return &FailedError{"The server does not respond."}
	}
	return &FailedError{"The connection to the server failed: " + firstPart(err.Error())}
}

// remoteBody reads a response and explains why reading failed.
type remoteBody struct {
	ctx  context.Context //nolint:containedctx // of the job, to tell its end from errors of the server
	from io.Reader
}

// Read reads.
func (b *remoteBody) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = connectionFault(b.ctx, err)
	}
	return n, err
}

// firstPart returns the beginning of a text.
func firstPart(text string) string { return strings.ToValidUTF8(text[:min(len(text), 200)], "?") }
