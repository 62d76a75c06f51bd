package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// client speaks just enough HTTP/1.1 over one connection. It shares the machine with the server under load, and
// net/http's client would use more CPU than the floor.
type client struct {
	conn        net.Conn
	reader      *bufio.Reader
	body        []byte // of the last answer
	contentType string
}

// patience is longer than any measurement. A server that hangs fails the bench instead of blocking it.
const patience = 10 * time.Minute

func dial(addr string) (*client, error) { return dialFrom(addr, nil) }

// dialFrom connects from an address of this machine; nil leaves the choice to the system.
func dialFrom(addr string, from net.Addr) (*client, error) {
	conn, err := (&net.Dialer{LocalAddr: from}).Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	return &client{conn: conn, reader: bufio.NewReaderSize(conn, 16<<10)}, nil
}

func (c *client) close() { _ = c.conn.Close() }

// rawRequest returns the bytes of a request with the administrator's token.
func rawRequest(method, path, body string) []byte { return rawAs(token, method, path, body) }

// rawAs returns the bytes of a request with the given token.
func rawAs(token, method, path, body string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: bench\r\nPRIVATE-TOKEN: %s\r\n", method, path, token)
	if body != "" {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n" + body)
	return []byte(b.String())
}

// do sends a request and reads the whole answer.
func (c *client) do(request []byte) (status int, err error) {
	if _, err := c.conn.Write(request); err != nil {
		return 0, err
	}
	line, err := c.line()
	if err != nil {
		return 0, err
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return 0, fmt.Errorf("%q is no status line", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, err
	}
	length, err := c.header()
	if err != nil {
		return 0, err
	}
	c.body = c.body[:0]
	if length >= 0 {
		return status, c.take(length)
	}
	return status, c.chunks()
}

// chunked is the length that header returns for a body in chunks.
const chunked = -1

// header reads the header and returns the length of the body.
func (c *client) header() (length int, err error) {
	for {
		line, err := c.line()
		if err != nil || len(line) == 0 {
			return length, err
		}
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch string(name) { // both servers use Go's net/http, which always writes names this way
		case "Content-Length":
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, err
			}
		case "Transfer-Encoding":
			length = chunked
		case "Content-Type":
			if string(value) != c.contentType {
				c.contentType = string(value)
			}
		}
	}
}

func (c *client) chunks() error {
	for {
		line, err := c.line()
		if err != nil {
			return err
		}
		n, err := strconv.ParseUint(string(line), 16, 31)
		if err != nil {
			return err
		}
		if err := c.take(int(n)); err != nil {
			return err
		}
		end, err := c.line()
		if err != nil {
			return err
		}
		if len(end) > 0 {
			return errors.New("a chunk does not end where it should")
		}
		if n == 0 {
			return nil
		}
	}
}

func (c *client) take(n int) error {
	had := len(c.body)
	c.body = append(c.body, make([]byte, n)...)
	_, err := io.ReadFull(c.reader, c.body[had:])
	return err
}

func (c *client) line() ([]byte, error) {
	line, err := c.reader.ReadSlice('\n')
	return bytes.TrimRight(line, "\r\n"), err
}
