// Package outbound makes HTTP requests to URLs that users have entered, such as those of webhooks. It connects only to
// addresses that its rules allow: a user must not reach the machines beside the server through it.
//
//	outbound.go   the client: one request, its limits and its response
//	address.go    which hosts and addresses are allowed
//	allowlist.go  hosts and ranges that an administrator has opened
//	header.go     a header that an administrator has set
//	stream.go     requests with large bodies and responses, and redirects
package outbound

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"svc/store/observe"
)

const (
	// Timeout is the time limit of a request, from the lookup of the host to the end of the response.
	Timeout = 10 * time.Second
	// MaxResponse is how many bytes of the body of a response are returned. The rest is not read.
	MaxResponse = 8 << 10

	maxHeader   = 64 << 10
	idleTimeout = 30 * time.Second
)

// Resolver looks up the addresses of a host.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Options configures a client.
type Options struct {
	Allow    Allowlist // hosts and ranges that are always allowed
	OwnURL   string    // URL of this service, which is always allowed
	Resolver Resolver  // the resolver of the system if nil
	Timeout  time.Duration
	// Around, if set, is called for every request instead of sending it. It may send it with the given function.
	Around func(ctx context.Context, r Request, send Send) (Response, error)
}

// Send makes a request.
type Send func(ctx context.Context, r Request) (Response, error)

// Client makes requests. It keeps connections for some seconds, so that many requests to one receiver need one
// connection.
type Client struct {
	rules
	timeout    time.Duration
	around     func(ctx context.Context, r Request, send Send) (Response, error)
	transports [4]*http.Transport // by local and insecure
}

// New returns a client.
func New(o Options) *Client {
	c := &Client{rules: newRules(o), timeout: o.Timeout, around: o.Around}
	if c.timeout == 0 {
		c.timeout = Timeout
	}
	for i := range c.transports {
		c.transports[i] = c.transport(i&1 != 0, i&2 != 0)
	}
	return c
}

// transport returns a transport that connects only to allowed addresses. The address that was checked is the one that it
// connects to: the host is not looked up a second time, when its name might lead elsewhere.
func (c *Client) transport(local, insecure bool) *http.Transport {
	dialer := &net.Dialer{Timeout: c.timeout}
	return &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			allowed, err := c.resolve(ctx, address, local)
			if err != nil {
				return nil, err
			}
			return dialFirst(ctx, dialer, network, allowed)
		},
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: insecure}, //nolint:gosec // by the owner
		TLSHandshakeTimeout:    c.timeout,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConnsPerHost:    2,
		MaxIdleConns:           100,
		IdleConnTimeout:        idleTimeout,
		DisableCompression:     true, // a small compressed body may be a very large one
	}
}

// dialFirst connects to the first of the addresses that accepts the connection.
func dialFirst(ctx context.Context, dialer *net.Dialer, network string, addresses []netip.AddrPort) (conn net.Conn, err error) {
	for _, address := range addresses {
		if conn, err = dialer.DialContext(ctx, network, address.String()); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// Request is a request with a body.
type Request struct {
	URL      *url.URL
	Header   http.Header
	Body     []byte
	Local    bool // loopback and private addresses are allowed
	Insecure bool // the certificate of the receiver is not verified
}

// Response is what a receiver responded.
type Response struct {
	Status int
	Header http.Header
	Body   []byte // at most MaxResponse bytes
}

// Post makes a POST request and returns its response. It does not follow redirects: the response is the redirect.
func (c *Client) Post(ctx context.Context, r Request) (Response, error) {
	return c.do(ctx, http.MethodPost, r)
}

// Put is Post with the method PUT.
func (c *Client) Put(ctx context.Context, r Request) (Response, error) {
	return c.do(ctx, http.MethodPut, r)
}

func (c *Client) do(ctx context.Context, method string, r Request) (Response, error) {
	send := func(ctx context.Context, r Request) (Response, error) { return c.send(ctx, method, r) }
	if c.around != nil {
		return c.around(ctx, r, send)
	}
	return send(ctx, r)
}

func (c *Client) send(ctx context.Context, method string, r Request) (Response, error) {
	span := observe.Start(ctx, method, observe.Client)
	response, err := c.sendTraced(ctx, method, r, span)
	if span != nil {
		span.SetText("http.request.method", method)
		span.SetText("server.address", r.URL.Hostname())
		span.SetNumber("http.response.status_code", int64(response.Status))
		if err != nil {
			span.Fail(err.Error())
		}
		span.Finish()
	}
	return response, err
}

// sendTraced makes a request that belongs to a span, or to none.
func (c *Client) sendTraced(ctx context.Context, method string, r Request, span *observe.Span) (Response, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, ErrTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, r.URL.String(), bytes.NewReader(r.Body))
	if err != nil {
		return Response{}, err
	}
	if user := r.URL.User; user != nil {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
		req.URL.User = nil
	}
	for name, values := range r.Header {
		req.Header[name] = values
	}
	if span != nil {
		req.Header.Set(observe.Header, span.AsParent().String())
	}
	res, err := c.transports[index(r.Local, r.Insecure)].RoundTrip(req)
	if err != nil {
		return Response{}, cause(ctx, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, MaxResponse))
	if err != nil {
		return Response{}, cause(ctx, err)
	}
	if res.ContentLength >= 0 && res.ContentLength <= MaxResponse {
		_, _ = io.CopyN(io.Discard, res.Body, 1) // reads the end, so that the connection can be used again
	}
	return Response{Status: res.StatusCode, Header: res.Header, Body: body}, nil
}

// ErrTimeout is the error of a receiver that did not respond in time.
var ErrTimeout = errors.New("the receiver did not respond in time")

// cause returns the reason of a failed request: the time limit of this package, if it was that. Errors of the network
// contain addresses of this machine, which the owner of a hook need not know.
func cause(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), ErrTimeout) {
		return ErrTimeout
	}
	var network *net.OpError
	if errors.As(err, &network) {
		return fmt.Errorf("cannot reach the receiver: %w", network.Err)
	}
	return err
}

func index(local, insecure bool) int {
	i := 0
	if local {
		i |= 1
	}
	if insecure {
		i |= 2
	}
	return i
}
