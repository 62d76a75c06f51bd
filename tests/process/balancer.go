package process

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
	"time"
)

// Balancer is a small reverse proxy in front of several processes. It sends each request to the next process that is ready.
// If a process accepts no connection, nothing was sent yet, and the request goes to another one.
type Balancer struct {
	*httptest.Server
	client *http.Client // asks for readiness
	mu     sync.Mutex
	nodes  []*balanced
	next   int
}

// balanced is a process behind a Balancer.
type balanced struct {
	url     *url.URL
	ready   bool
	noticed time.Time // when the balancer last saw that the process is not ready
}

// NewBalancer returns a Balancer without processes. It stops when the test ends.
func NewBalancer(t testing.TB) *Balancer {
	t.Helper()
	b := &Balancer{client: &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}}
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(*httputil.ProxyRequest) {}, // RoundTrip chooses the process
		Transport:     b,
		FlushInterval: -1,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			w.WriteHeader(http.StatusBadGateway)
			io.WriteString(w, err.Error()) //nolint:errcheck // the client is gone
		},
	}
	b.Server = httptest.NewServer(proxy)
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(func() { stop(); b.CloseClientConnections(); b.Close() })
	go b.watch(ctx)
	return b
}

// Set makes a process the one with a number. The balancer uses it once it is ready.
func (b *Balancer) Set(t testing.TB, number int, s *Server) {
	t.Helper()
	address, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.nodes) <= number {
		b.nodes = append(b.nodes, &balanced{url: &url.URL{}})
	}
	b.nodes[number] = &balanced{url: address, ready: true}
}

// Noticed returns when the balancer saw that a process is not ready, or the zero time if it is ready.
func (b *Balancer) Noticed(number int) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.nodes[number].ready {
		return time.Time{}
	}
	return b.nodes[number].noticed
}

// watch asks all processes again and again whether they are ready.
func (b *Balancer) watch(ctx context.Context) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		b.mu.Lock()
		nodes := append([]*balanced{}, b.nodes...)
		b.mu.Unlock()
		for _, node := range nodes {
			b.record(node, b.asks(ctx, node))
		}
	}
}

func (b *Balancer) asks(ctx context.Context, node *balanced) bool {
	req, err := http.NewRequestWithContext(ctx, "GET", node.url.String()+"/-/readiness", nil)
	if err != nil {
		return false
	}
	res, err := b.client.Do(req)
	if err != nil {
		return false
	}
	res.Body.Close()
	return res.StatusCode == http.StatusOK
}

func (b *Balancer) record(node *balanced, ready bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if node.ready && !ready {
		node.noticed = time.Now()
	}
	node.ready = ready
}

// choose returns the next process that is ready and was not tried, or nil.
func (b *Balancer) choose(tried map[*balanced]bool) *balanced {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range b.nodes {
		b.next++
		if node := b.nodes[b.next%len(b.nodes)]; node.ready && !tried[node] {
			return node
		}
	}
	return nil
}

// transport opens a connection for each request: a kept one may be closed by a process that stops.
var transport = &http.Transport{DisableKeepAlives: true}

// RoundTrip sends a request to a process.
func (b *Balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	tried := map[*balanced]bool{}
	body := r.Body
	if body != nil {
		defer body.Close()
	}
	for {
		node := b.choose(tried)
		if node == nil {
			return nil, errors.New("no process is ready")
		}
		tried[node] = true
		out := r.Clone(r.Context())
		out.URL.Scheme, out.URL.Host = node.url.Scheme, node.url.Host
		if body != nil {
			out.Body = io.NopCloser(body)
		}
		res, err := transport.RoundTrip(out)
		var failed *net.OpError
		if errors.As(err, &failed) && failed.Op == "dial" {
			b.record(node, false)
			continue
		}
		return res, err
	}
}
