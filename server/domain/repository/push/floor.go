package push

import (
	"errors"
	"io"
	"os"
	"time"
)

// ErrTooSlow means that a client sends more slowly than it must.
var ErrTooSlow = errors.New("the transfer is too slow")

// MinSpeed is the minimum speed at which a client must send a push or a request. Time that the service itself takes does
// not count.
type MinSpeed struct {
	Rate  int64         // bytes per second; 0 means no minimum
	Pause time.Duration // how long a client may send nothing
}

// Reader returns a reader that fails with ErrTooSlow if the client is too slow. deadline, if not nil, sets the time at
// which a read is aborted.
func (f MinSpeed) Reader(in io.Reader, deadline func(time.Time) error) io.Reader {
	if f.Rate <= 0 || f.Pause <= 0 {
		return in
	}
	return &paced{in: in, floor: f, deadline: deadline, left: f.Pause}
}

// paced holds a budget of time: waiting spends it, and each byte earns the time that it may take.
type paced struct {
	in       io.Reader
	floor    MinSpeed
	deadline func(time.Time) error
	left     time.Duration
}

// Read implements io.Reader.
func (r *paced) Read(p []byte) (int, error) {
	begin := time.Now()
	if r.deadline != nil {
		_ = r.deadline(begin.Add(r.left)) // if it cannot be set, the time is checked after the read
	}
	n, err := r.in.Read(p)
	r.left -= time.Since(begin)
	if errors.Is(err, os.ErrDeadlineExceeded) || err == nil && r.left <= 0 {
		return n, ErrTooSlow
	}
	earned := min(time.Duration(float64(n)/float64(r.floor.Rate)*float64(time.Second)), r.floor.Pause)
	r.left = min(r.left+earned, r.floor.Pause)
	return n, err
}
