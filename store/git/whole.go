package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrBadPack is returned for a pack that is damaged, or that lacks objects.
var ErrBadPack = errors.New("the pack is damaged or incomplete")

// Pack writes a commit and its complete history as one pack.
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

// Unpack reads a pack with a commit and its complete history, under the rules of a push. No ref points to the commit
// yet.
func (r Repo) Unpack(ctx context.Context, id string, from io.Reader, limit int64) error {
	if !IsID(id) {
		return ErrBadPack
	}
	p := &Push{in: bufio.NewReaderSize(from, 64<<10), Commands: []Command{{Ref: "refs/heads/unpacked", Old: Zero, New: id}}}
	q, err := r.Receive(ctx, p, limit)
	defer q.Discard()
	var failed *CommandError
	switch {
	case errors.As(err, &failed):
		return fmt.Errorf("%w: %s", ErrBadPack, failed.Stderr)
	case err != nil:
		return err
	case p.Commands[0].Refused != "":
		return ErrBadPack
	}
	if kind, err := q.run(ctx, nil, "cat-file", "-t", id); err != nil || strings.TrimSpace(string(kind)) != KindCommit {
		return ErrBadPack
	}
	return q.Accept()
}
