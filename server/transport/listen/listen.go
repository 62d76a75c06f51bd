// Package listen opens the listeners of the service and tells the service manager how it is doing.
//
//	listen.go     ports and UNIX sockets
//	inherited.go  sockets that the service manager has opened
//	proxy.go      connections that come through a proxy with the PROXY protocol
//	header.go     the header of the PROXY protocol
//	dial.go       connections from this machine to a listener of the service
//	notify.go     messages to the service manager
package listen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"syscall"
	"time"
)

// Port opens a listener on host:port.
func Port(ctx context.Context, address string) (net.Listener, error) {
	return (&net.ListenConfig{}).Listen(ctx, "tcp", address)
}

// Socket opens a listener on a UNIX socket with the given permissions. A socket that an earlier process has left behind
// is replaced; one that a process still serves is not. The socket disappears when the listener is closed.
func Socket(ctx context.Context, path string, mode fs.FileMode) (net.Listener, error) {
	if err := removeStale(ctx, path); err != nil {
		return nil, err
	}
	before := syscall.Umask(0o177) // nobody else can connect before the mode is set
	listener, err := (&net.ListenConfig{}).Listen(ctx, "unix", path)
	syscall.Umask(before)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, mode); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return local{listener}, nil
}

// staleTime is how long a process that serves a socket may take to accept a connection.
const staleTime = time.Second

// removeStale removes a socket that nobody serves.
func removeStale(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s exists and is not a socket", path)
	}
	conn, err := (&net.Dialer{Timeout: staleTime}).DialContext(ctx, "unix", path)
	if err == nil {
		conn.Close()
		return fmt.Errorf("%s is served by another process", path)
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return err
	}
	return os.Remove(path)
}

// localClient is the address of a client of a UNIX socket.
var localClient = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}

// local is a listener on a UNIX socket. Its clients have no addresses, so they count as clients from 127.0.0.1.
type local struct{ net.Listener }

// Accept waits for the next connection.
func (l local) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &connection{Conn: conn, remote: localClient}, nil
}

// connection is a connection with another address of its client.
type connection struct {
	net.Conn
	remote net.Addr
	begin  []byte // what was read before, and belongs to the client
}

// RemoteAddr returns the address of the client.
func (c *connection) RemoteAddr() net.Addr { return c.remote }

// Read reads what the client sends.
func (c *connection) Read(into []byte) (int, error) {
	if len(c.begin) > 0 {
		n := copy(into, c.begin)
		c.begin = c.begin[n:]
		return n, nil
	}
	return c.Conn.Read(into)
}

// CloseWrite ends the direction to the client.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
