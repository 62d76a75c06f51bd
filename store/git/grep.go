package git

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
)

// Match is a line of a file that has a text.
type Match struct {
	Path string
	Line int
	Text string
}

const (
	maxGrepTime = 5 * time.Second
	maxGrepLine = 500     // bytes of a line that are kept
	maxGrepData = 2 << 30 // bytes that git may allocate
	perFile     = 5       // lines of one file
)

// Grep finds the lines of files of a commit that have a text, in any case of letters: at most the given number, and few of one
// file. Binary files are left out. It reports whether something may be missing, because there are more or it took too long.
func (r Repo) Grep(ctx context.Context, commit, text string, most int) ([]Match, bool, error) {
	if !IsID(commit) || text == "" || strings.ContainsAny(text, "\x00\n") {
		return nil, false, ErrBadName
	}
	args := []string{
		"grep", "-n", "-I", "-z", "-i", "-F", "--full-name", "--threads=1",
		"--max-count=" + strconv.Itoa(perFile), "-e", text, commit, "--",
	}
	var found []Match
	err := r.run(ctx, call{wait: maxGrepTime, args: args, data: maxGrepData}, func(out io.Reader) error {
		in := bufio.NewReader(out)
		for len(found) < most {
			m, err := readMatch(in, commit+":")
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			found = append(found, m)
		}
		return errEnough
	})
	var failed *CommandError
	switch {
	case errors.Is(err, errEnough), errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return found, true, nil
	case errors.As(err, &failed) && failed.Code == 1: // nothing was found
		return nil, false, nil
	}
	return found, false, err
}

// readMatch reads «commit:path NUL line NUL text LF».
func readMatch(in *bufio.Reader, prefix string) (Match, error) {
	path, err := in.ReadString(0)
	if err != nil {
		return Match{}, io.EOF
	}
	number, err := in.ReadString(0)
	if err != nil {
		return Match{}, err
	}
	text, err := readStart(in, maxGrepLine)
	if err != nil {
		return Match{}, err
	}
	line, err := strconv.Atoi(strings.TrimSuffix(number, "\x00"))
	return Match{
		Path: readable(strings.TrimPrefix(strings.TrimSuffix(path, "\x00"), prefix)), Line: line, Text: readable(text),
	}, err
}

// readStart reads a line and returns its beginning.
func readStart(in *bufio.Reader, most int) (string, error) {
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		text = append(text, part[:min(len(part), max(most-len(text), 0))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return strings.TrimRight(string(text), "\r\n"), err
		}
	}
}
