package listen

import (
	"bufio"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"
)

const (
	headerTime = 5 * time.Second // for the whole header
	maxWaiting = 256             // connections whose header has not arrived yet
)

// Proxied returns a listener whose trusted clients are proxies: each of their connections must begin with a header of the
// PROXY protocol, and has the address that the header tells. Other clients are served as they are; a header that they
// send is not read. A connection is accepted when its header is complete, so that a slow proxy delays nobody else.
func Proxied(below net.Listener, trusted func() []netip.Prefix, logger *slog.Logger) net.Listener {
	return &proxied{
		Listener: below, trusted: trusted, logger: logger,
		ready: make(chan accepted), waiting: make(chan struct{}, maxWaiting), done: make(chan struct{}),
	}
}

type proxied struct {
	net.Listener
	trusted func() []netip.Prefix
	logger  *slog.Logger
	ready   chan accepted
	waiting chan struct{}
	done    chan struct{}
	start   sync.Once
	stop    sync.Once
}

// accepted is what Accept returns.
type accepted struct {
	conn net.Conn
	err  error
}

// Accept waits for the next connection.
func (l *proxied) Accept() (net.Conn, error) {
	l.start.Do(func() { go l.run() })
	select {
	case next := <-l.ready:
		return next.conn, next.err
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close closes the listener and the connections that it has not handed out.
func (l *proxied) Close() error {
	l.stop.Do(func() { close(l.done) })
	return l.Listener.Close()
}

// run accepts connections until the listener is closed.
func (l *proxied) run() {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			if !l.hand(accepted{err: err}) || errors.Is(err, net.ErrClosed) {
				return
			}
			continue
		}
		if !contains(l.trusted(), conn.RemoteAddr()) {
			l.hand(accepted{conn: conn})
			continue
		}
		select {
		case l.waiting <- struct{}{}:
			go l.greet(conn)
		default:
			conn.Close() // a proxy that opens so many connections without a header is broken
		}
	}
}

// hand gives a connection or an error to Accept; false if the listener is closed.
func (l *proxied) hand(next accepted) bool {
	select {
	case l.ready <- next:
		return true
	case <-l.done:
		if next.conn != nil {
			next.conn.Close()
		}
		return false
	}
}

// greet reads the header of a connection and hands the connection out.
func (l *proxied) greet(conn net.Conn) {
	opened, err := l.open(conn)
	<-l.waiting
	if err != nil {
		l.logger.Debug("refused a connection of a proxy", "address", conn.RemoteAddr().String(), "error", err)
		conn.Close()
		return
	}
	l.hand(accepted{conn: opened})
}

// open returns the connection behind the header.
func (l *proxied) open(conn net.Conn) (net.Conn, error) {
	if err := conn.SetReadDeadline(time.Now().Add(headerTime)); err != nil {
		return nil, err
	}
	reader := bufio.NewReaderSize(conn, 512)
	from, err := readHeader(reader)
	if err != nil {
		return nil, err
	}
	if from == nil {
		from = conn.RemoteAddr()
	}
	begin, err := reader.Peek(reader.Buffered())
	if err != nil {
		return nil, err
	}
	return &connection{Conn: conn, remote: from, begin: begin}, conn.SetReadDeadline(time.Time{})
}

// contains reports whether an address is in one of the networks.
func contains(networks []netip.Prefix, address net.Addr) bool {
	peer, err := netip.ParseAddrPort(address.String())
	if err != nil {
		return false
	}
	return slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(peer.Addr().Unmap()) })
}
