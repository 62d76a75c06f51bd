package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxSmallBlob limits the size of the files that SmallBlobs reads.
const maxSmallBlob = 4096

// SmallBlobs calls give for the pushed files whose sizes are within the limits, each with its content. Files that were
// there before may be among them if the client sent a thin pack.
func (q *Quarantine) SmallBlobs(ctx context.Context, least, most int64, give func(id string, data []byte)) error {
	most = min(most, maxSmallBlob)
	only := []string{"GIT_OBJECT_DIRECTORY=" + q.dir} // without the objects of the repository
	args := []string{
		"cat-file", "--batch-all-objects", "--unordered", "--buffer",
		"--batch-check=%(objecttype) %(objectsize) %(objectname)",
	}
	var ids strings.Builder
	err := q.repo.run(ctx, call{wait: connectWait, env: only, args: args}, func(from io.Reader) error {
		lines := bufio.NewScanner(from)
		for lines.Scan() {
			kind, rest, _ := strings.Cut(lines.Text(), " ")
			size, id, _ := strings.Cut(rest, " ")
			n, err := strconv.ParseInt(size, 10, 64)
			if kind == KindBlob && err == nil && n >= least && n <= most {
				ids.WriteString(id + "\n")
			}
		}
		return lines.Err()
	})
	if err != nil || ids.Len() == 0 {
		return err
	}
	return q.repo.giveBlobs(ctx, only, ids.String(), give)
}

// SmallBlobs calls give for the files up to a size that are in the history of "to" and not of "from", each with its
// content.
func (r Repo) SmallBlobs(ctx context.Context, from, to string, most int64, give func(id string, data []byte)) error {
	if !IsID(from) || !IsID(to) {
		return ErrBadName
	}
	few := "--filter=combine:object:type=blob+blob:limit=" + strconv.FormatInt(min(most, maxSmallBlob)+1, 10)
	ids, err := r.output(ctx, large, nil, "rev-list", "--objects", "--no-object-names", few, "--filter-provided-objects", to, "^"+from)
	if err != nil || len(ids) == 0 {
		return err
	}
	return r.giveBlobs(ctx, nil, string(ids), give)
}

// giveBlobs calls give for files, each with its content. The ids are one on a line.
func (r Repo) giveBlobs(ctx context.Context, env []string, ids string, give func(id string, data []byte)) error {
	args := []string{"cat-file", "--batch", "--buffer"}
	return r.run(ctx, call{wait: connectWait, env: env, stdin: strings.NewReader(ids), args: args}, func(from io.Reader) error {
		return readBlobs(bufio.NewReader(from), give)
	})
}

// readBlobs reads the output of cat-file: a line with id, kind and size, the content, and a line break.
func readBlobs(in *bufio.Reader, give func(id string, data []byte)) error {
	for {
		head, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) && head == "" {
			return nil
		}
		if err != nil {
			return err
		}
		parts := strings.Fields(head)
		if len(parts) != 3 {
			return fmt.Errorf("unexpected output of git cat-file: %q", head)
		}
		size, err := strconv.Atoi(parts[2])
		if err != nil || size < 0 || size > maxSmallBlob {
			return fmt.Errorf("unexpected output of git cat-file: %q", head)
		}
		data := make([]byte, size+1)
		if _, err := io.ReadFull(in, data); err != nil {
			return err
		}
		give(parts[0], data[:size])
	}
}

// NewCommitPaths calls give for the paths of files that new commits change: the ids and those of their ancestors that no ref
// leads to yet. A merge changes a file if its version differs from that of each parent. Changed ends when give returns
// false.
func (q *Quarantine) NewCommitPaths(ctx context.Context, ids []string, give func(path string) bool) error {
	return q.repo.newCommitPaths(ctx, q.env(), ids, give)
}

// NewCommitPaths does the same as Quarantine.Changed for commits that are in the repository already.
func (r Repo) NewCommitPaths(ctx context.Context, ids []string, give func(path string) bool) error {
	return r.newCommitPaths(ctx, nil, ids, give)
}

func (r Repo) newCommitPaths(ctx context.Context, env, ids []string, give func(path string) bool) error {
	in := strings.NewReader(strings.Join(ids, "\n") + "\n")
	args := []string{"log", "--stdin", "--format=", "--name-only", "-z", "-c", "--no-renames", "--not", "--all"}
	err := r.run(ctx, call{wait: connectWait, env: env, stdin: in, args: args, data: receiveMemory}, func(from io.Reader) error {
		names := bufio.NewReader(from)
		for {
			name, err := names.ReadString(0)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if name = strings.TrimLeft(strings.TrimSuffix(name, "\x00"), "\n"); name != "" && !give(name) {
				return errFound
			}
		}
	})
	if errors.Is(err, errFound) {
		return nil
	}
	return err
}
