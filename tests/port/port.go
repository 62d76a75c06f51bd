// Package port finds a free port for a server that a test starts.
package port

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
)

// The ports below the system's dynamic range, so that no connection of another program gets one before its server starts,
// or while it is down.
const (
	first = 21000
	count = 11000
)

var given sync.Map

// Free returns a port of 127.0.0.1 on which nothing listens. It never returns one twice.
func Free() (int, error) {
	for range 100 {
		port := first + rand.IntN(count) //nolint:gosec // no secret
		if _, before := given.LoadOrStore(port, true); before {
			continue
		}
		if l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port)); err == nil {
			return port, l.Close()
		}
	}
	return 0, errors.New("no port is free")
}
