package storetest

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Proxy is a proxy to a PostgreSQL server that can hang, or be cut.
type Proxy struct {
	URL   string
	mu    sync.Mutex
	flows *sync.Cond
	held  bool
	ends  []net.Conn
}

// NewProxy starts a proxy to the server of a database. It ends with the test.
func NewProxy(t testing.TB, address string) *Proxy {
	t.Helper()
	settings, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	network, server := pgconn.NetworkAddress(settings.Host, settings.Port)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &Proxy{}
	w.flows = sync.NewCond(&w.mu)
	u := url.URL{
		Scheme: "postgres", User: url.UserPassword(settings.User, settings.Password), Host: listener.Addr().String(),
		Path: "/" + settings.Database, RawQuery: "sslmode=disable",
	}
	w.URL = u.String()
	t.Cleanup(func() { listener.Close(); w.SetHanging(false); w.Cut() })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial(network, server)
			if err != nil {
				near.Close()
				continue
			}
			w.mu.Lock()
			w.ends = append(w.ends, near, far)
			w.mu.Unlock()
			go w.copyBytes(far, near)
			go w.copyBytes(near, far)
		}
	}()
	return w
}

// SetHanging makes the connections hang, or lets them go on.
func (w *Proxy) SetHanging(held bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = held
	w.flows.Broadcast()
}

// Cut closes all connections.
func (w *Proxy) Cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, end := range w.ends {
		end.Close()
	}
	w.ends = nil
}

// copyBytes copies bytes, unless the wire is held.
func (w *Proxy) copyBytes(to, from net.Conn) {
	defer to.Close()
	buffer := make([]byte, 1<<16)
	for {
		n, err := from.Read(buffer)
		w.mu.Lock()
		for w.held {
			w.flows.Wait()
		}
		w.mu.Unlock()
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			if err != io.EOF { //nolint:errorlint // a connection's own
				from.Close()
			}
			return
		}
	}
}
