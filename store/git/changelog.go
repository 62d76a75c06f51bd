package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
)

// CommitTrailers is a commit with the trailers of its message, as git parses them.
type CommitTrailers struct {
	ID       string
	Email    string // of the author
	Message  string
	Trailers map[string]string // if a key occurs several times, the last value
}

// CountRange counts the commits in the history of "to" but not of "from", up to a limit. Both are ids.
func (r Repo) CountRange(ctx context.Context, from, to string, most int) (int, error) {
	if !IsID(from) || !IsID(to) {
		return 0, ErrBadName
	}
	out, err := r.output(ctx, small, nil, "rev-list", "--count", "--max-count="+strconv.Itoa(most), to, "^"+from)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

// EachWithTrailers calls each for the commits in the history of "to" but not of "from", up to a limit. A commit comes before
// its parents; otherwise the newest comes first. Both are ids.
func (r Repo) EachWithTrailers(ctx context.Context, from, to string, most int, each func(CommitTrailers)) error {
	if !IsID(from) || !IsID(to) {
		return ErrBadName
	}
	args := []string{
		"log", "--date-order", "--no-notes", "--no-mailmap", "--encoding=UTF-8", "--max-count=" + strconv.Itoa(most),
		"--format=%H%x00%ae%x00%B%x00%(trailers:only=true,unfold=true)%x00", to, "^" + from,
	}
	return r.stream(ctx, nil, nil, args, func(from io.Reader) error { return readCommitTrailers(from, each) })
}

const trailedFields = 4

// readCommitTrailers reads fields that end with NUL. A line break separates commits.
func readCommitTrailers(from io.Reader, each func(CommitTrailers)) error {
	fields := bufio.NewScanner(from)
	fields.Buffer(nil, maxCommit)
	fields.Split(func(data []byte, _ bool) (int, []byte, error) {
		if end := bytes.IndexByte(data, 0); end >= 0 {
			return end + 1, data[:end], nil
		}
		return 0, nil, nil // only the last line break is left
	})
	var read [trailedFields]string
	for i := 0; fields.Scan(); i = (i + 1) % trailedFields {
		read[i] = fields.Text()
		if i == trailedFields-1 {
			each(CommitTrailers{
				ID: strings.TrimSpace(read[0]), Email: readable(read[1]), Message: readable(read[2]),
				Trailers: parseTrailers(readable(read[3])),
			})
		}
	}
	if errors.Is(fields.Err(), bufio.ErrTooLong) {
		return ErrTooLarge
	}
	return fields.Err()
}

// parseTrailers reads lines like «Key: value».
func parseTrailers(text string) map[string]string {
	trailers := map[string]string{}
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ":"); ok {
			trailers[key] = strings.TrimSpace(value)
		}
	}
	return trailers
}
