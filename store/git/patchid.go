package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Pair is two commits that are compared. An empty From is the empty tree.
type Pair struct{ From, To string }

// patchWait is how long all patch ids of one question may take.
const patchWait = 10 * time.Second

// PatchIDs returns the output of `git patch-id --stable` for the changes between pairs of commits. An id is empty if
// nothing differs, if a commit does not exist any more, and if git takes too long. Two processes answer for all pairs
// together; the answers are cached.
func (r Repo) PatchIDs(ctx context.Context, pairs []Pair) ([]string, error) {
	out := make([]string, len(pairs))
	var open []int
	var questions strings.Builder
	for i, p := range pairs {
		if id, known := r.all.cache.patches.Get(r.dir + p.From + p.To); known {
			out[i] = id
			continue
		}
		from, to, err := r.treesOf(ctx, p)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		open = append(open, i)
		fmt.Fprintln(&questions, from, to)
	}
	if len(open) == 0 {
		return out, nil
	}
	found := map[int]string{}
	err := r.patches(ctx, questions.String(), func(number int, id string) { found[number] = id })
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	for number, i := range open {
		out[i] = found[number]
		r.all.cache.patches.Set(r.dir+pairs[i].From+pairs[i].To, out[i])
	}
	return out, nil
}

func (r Repo) treesOf(ctx context.Context, p Pair) (from, to string, err error) {
	after, err := r.Commit(ctx, p.To)
	if err != nil || p.From == "" {
		return EmptyTree, after.Tree, err
	}
	before, err := r.Commit(ctx, p.From)
	return before.Tree, after.Tree, err
}

// patches pipes the diffs between trees, one pair a line, into git patch-id.
func (r Repo) patches(ctx context.Context, pairs string, found func(number int, id string)) error {
	args := []string{
		"-c", "core.bigFileThreshold=16m", "diff-tree", "--stdin", "-r", "--patch", "--full-index", "--find-renames", "--no-color",
		"--no-ext-diff", "--no-textconv", "--submodule=short",
	}
	return r.streamFor(ctx, patchWait, nil, strings.NewReader(pairs), args, func(diffs io.Reader) error {
		named, into := io.Pipe()
		defer named.Close()
		go func() { into.CloseWithError(numberDiffs(into, diffs)) }()
		return r.streamFor(ctx, patchWait, nil, named, []string{"patch-id", "--stable"}, func(ids io.Reader) error {
			lines := bufio.NewScanner(ids)
			for lines.Scan() {
				id, name, _ := strings.Cut(lines.Text(), " ")
				if number, err := strconv.ParseInt(name, 16, 64); err == nil {
					found(int(number), id)
				}
			}
			return lines.Err()
		})
	})
}

// numberDiffs copies diffs. It replaces the line that names the two trees of a diff by the line of a commit whose id is
// a number, from 0.
func numberDiffs(to io.Writer, from io.Reader) error {
	in, out := bufio.NewReaderSize(from, 64<<10), bufio.NewWriter(to)
	begins, number := true, 0
	for {
		line, err := in.ReadSlice('\n')
		if begins && namesTrees(line) {
			fmt.Fprintf(out, "commit %040x\n", number)
			number++
		} else {
			_, _ = out.Write(line) // Flush reports the error
		}
		begins = bytes.HasSuffix(line, []byte("\n"))
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return out.Flush()
		case err != nil:
			return err
		}
	}
}

// namesTrees reports whether a line is the ids of two trees. No line of a diff is.
func namesTrees(line []byte) bool {
	from, to, ok := strings.Cut(strings.TrimSuffix(string(line[:min(len(line), 2*len(Zero)+2)]), "\n"), " ")
	return ok && IsID(from) && IsID(to)
}
