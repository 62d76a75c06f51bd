package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrUnsound is a pack that is damaged, or does not hold what it should.
var ErrUnsound = errors.New("the pack is not sound")

// Pack writes a commit and all that is behind it as one pack.
func (r Repo) Pack(ctx context.Context, id string, to io.Writer) error {
	if !IsID(id) {
		return ErrBadName
	}
	args := []string{"-c", "pack.threads=1", "pack-objects", "--revs", "--stdout", "--delta-base-offset", "-q"}
	return r.streamFor(ctx, maintainWait, nil, strings.NewReader(id+"\n"), args, func(from io.Reader) error {
		_, err := io.Copy(to, from)
		return err
	})
}

// Unpack takes in a pack that holds a commit and all that is behind it, held to the rules of a push. No ref leads to it yet.
func (r Repo) Unpack(ctx context.Context, id string, from io.Reader, limit int64) error {
	if !IsID(id) {
		return ErrUnsound
	}
	p := &Push{in: bufio.NewReaderSize(from, 64<<10), Commands: []Command{{Ref: "refs/heads/unpacked", Old: Zero, New: id}}}
	q, err := r.Receive(ctx, p, limit, io.Discard)
	defer q.Discard()
	var failed *CommandError
	switch {
	case errors.As(err, &failed):
		return fmt.Errorf("%w: %s", ErrUnsound, failed.Stderr)
	case err != nil:
		return err
	case p.Commands[0].Refused != "":
		return ErrUnsound
	}
	if kind, err := q.run(ctx, nil, "cat-file", "-t", id); err != nil || strings.TrimSpace(string(kind)) != KindCommit {
		return ErrUnsound
	}
	return q.Accept()
}
