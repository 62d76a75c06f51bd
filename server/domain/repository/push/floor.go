package push

import (
	"errors"
	"io"
	"os"
	"time"
)

// ErrTooSlow is a client that sends more slowly than it must.
var ErrTooSlow = errors.New("the transfer is too slow")

// Floor is how fast a client must send what it pushes or asks for. The time that the service itself takes does not count.
type Floor struct {
	Rate  int64         // bytes a second; 0 for any
	Pause time.Duration // how long a client may stand still
}

// Reader reads at the pace of the client, and fails with ErrTooSlow where that is too slow. The deadline, if there is one, breaks off a read.
func (f Floor) Reader(in io.Reader, deadline func(time.Time) error) io.Reader {
	if f.Rate <= 0 || f.Pause <= 0 {
		return in
	}
	return &paced{in: in, floor: f, deadline: deadline, left: f.Pause}
}

// paced has an account of time: waiting takes from it, and bytes bring as much as they may take.
type paced struct {
	in       io.Reader
	floor    Floor
	deadline func(time.Time) error
	left     time.Duration
}

// Read reads, if there is time left.
func (r *paced) Read(p []byte) (int, error) {
	begin := time.Now()
	if r.deadline != nil {
		_ = r.deadline(begin.Add(r.left)) // where it cannot be set the time is looked at afterwards
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
