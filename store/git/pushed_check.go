package git

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
)

// PushedCommit is a commit that no ref leads to yet.
type PushedCommit struct {
	Commit
	Signed bool // it has a signature, whether valid or not
}

// PushedFile is a file that a new commit adds.
type PushedFile struct{ Commit, Path string }

// NewCommits calls give for new commits: the ids and those of their ancestors that no ref leads to yet. An id that begins
// with ^ excludes a commit and its ancestors. NewCommits ends when give returns false.
func (q *Quarantine) NewCommits(ctx context.Context, ids []string, give func(PushedCommit) bool) error {
	return q.repo.newCommits(ctx, q.env(), ids, give)
}

// NewCommits does the same as Quarantine.NewCommits for commits that are in the repository already.
func (r Repo) NewCommits(ctx context.Context, ids []string, give func(PushedCommit) bool) error {
	return r.newCommits(ctx, nil, ids, give)
}

func (r Repo) newCommits(ctx context.Context, env, ids []string, give func(PushedCommit) bool) error {
	return r.listNew(ctx, env, ids, []string{"rev-list", "--stdin", "--header"}, 0, func(text string) bool {
		id, raw, ok := strings.Cut(text, "\n")
		if !ok || !IsID(id) {
			return true
		}
		return give(readHeader(id, raw))
	})
}

// readHeader reads a commit in the form that rev-list prints: as it is stored, with four spaces before each line of the
// message.
func readHeader(id, raw string) PushedCommit {
	headers, message, _ := strings.Cut(raw, "\n\n")
	lines := strings.Split(message, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, "    ")
	}
	return PushedCommit{
		Commit: parseCommit(id, headers+"\n\n"+strings.Join(lines, "\n")),
		Signed: strings.Contains("\n"+headers, "\ngpgsig"),
	}
}

// NewFiles calls give for the files that new commits add, as NewCommits lists them. A merge adds a file that none of its
// parents has.
func (q *Quarantine) NewFiles(ctx context.Context, ids []string, give func(PushedFile) bool) error {
	return q.repo.newFiles(ctx, q.env(), ids, give)
}

// NewFiles does the same as Quarantine.NewFiles for commits that are in the repository already.
func (r Repo) NewFiles(ctx context.Context, ids []string, give func(PushedFile) bool) error {
	return r.newFiles(ctx, nil, ids, give)
}

func (r Repo) newFiles(ctx context.Context, env, ids []string, give func(PushedFile) bool) error {
	args := []string{"log", "--stdin", "--format=%H", "--raw", "-z", "-r", "-c", "--no-renames", "--no-abbrev"}
	commit, status := "", "" // the status of a file has a letter for each parent; its path follows
	return r.listNew(ctx, env, ids, args, 0, func(word string) bool {
		if status != "" {
			added := strings.Trim(status, "A") == ""
			status = ""
			return !added || give(PushedFile{Commit: commit, Path: word})
		}
		if word = strings.TrimLeft(word, "\n"); strings.HasPrefix(word, ":") {
			status = word[strings.LastIndexByte(word, ' ')+1:]
		} else if word != "" {
			commit = word
		}
		return true
	})
}

// NewLargeBlob returns the id of a file of new commits that is larger than the given number of bytes, or "".
func (q *Quarantine) NewLargeBlob(ctx context.Context, ids []string, most int64) (string, error) {
	return q.repo.newLargeBlob(ctx, q.env(), ids, most)
}

// NewLargeBlob does the same as Quarantine.NewLargeBlob for commits that are in the repository already.
func (r Repo) NewLargeBlob(ctx context.Context, ids []string, most int64) (string, error) {
	return r.newLargeBlob(ctx, nil, ids, most)
}

func (r Repo) newLargeBlob(ctx context.Context, env, ids []string, most int64) (found string, err error) {
	// The filter leaves out what is not smaller than its limit, and prints that with a tilde.
	filter := "--filter=blob:limit=" + strconv.FormatInt(most+1, 10)
	args := []string{"rev-list", "--stdin", "--objects", "--no-object-names", filter, "--filter-print-omitted"}
	err = r.listNew(ctx, env, ids, args, '\n', func(line string) bool {
		if id, omitted := strings.CutPrefix(line, "~"); omitted {
			found = id
		}
		return found == ""
	})
	return found, err
}

// NewPathOf returns the path of a file of new commits by the id of its content, or "" if there is none.
func (q *Quarantine) NewPathOf(ctx context.Context, ids []string, blob string) (string, error) {
	return q.repo.newPathOf(ctx, q.env(), ids, blob)
}

// NewPathOf does the same as Quarantine.NewPathOf for commits that are in the repository already.
func (r Repo) NewPathOf(ctx context.Context, ids []string, blob string) (string, error) {
	return r.newPathOf(ctx, nil, ids, blob)
}

func (r Repo) newPathOf(ctx context.Context, env, ids []string, blob string) (path string, err error) {
	err = r.listNew(ctx, env, ids, []string{"rev-list", "--stdin", "--objects"}, '\n', func(line string) bool {
		if rest, ok := strings.CutPrefix(line, blob+" "); ok {
			path = rest
		}
		return path == ""
	})
	return path, err
}

// listNew runs a git command that lists what is new in the commits of ids, and calls give for each part of its output. The
// parts end with the given byte.
func (r Repo) listNew(ctx context.Context, env, ids, args []string, end byte, give func(string) bool) error {
	for _, id := range ids {
		if !IsID(strings.TrimPrefix(id, "^")) {
			return ErrBadName
		}
	}
	in := strings.NewReader(strings.Join(ids, "\n") + "\n")
	args = append(args[:len(args):len(args)], "--not", "--all")
	err := r.run(ctx, call{wait: connectWait, env: env, stdin: in, args: args, data: receiveMemory}, func(from io.Reader) error {
		parts := bufio.NewReader(from)
		for {
			part, err := parts.ReadString(end)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if !give(part[:len(part)-1]) {
				return errFound
			}
		}
	})
	if errors.Is(err, errFound) {
		return nil
	}
	return err
}
