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

// Grep describes a search for a text in the files of a commit.
type Grep struct {
	Text string // in any case of letters, as it is: it is no pattern
	// Within limits the search to files; each is a pathspec of git. Files must also pass Keep, if that is set.
	Within []string
	Keep   func(path string) bool
	Skip   int // of the chunks that are found
	Most   int
}

// Chunk is a part of a file: matching lines that are near each other, with a few lines around them.
type Chunk struct {
	Path string
	Line int    // the number of the first line of Text
	Text string // whole lines; long ones are cut
}

const (
	maxGrepTime   = 10 * time.Second
	maxGrepLine   = 1000    // bytes of a line that are kept
	maxGrepData   = 2 << 30 // bytes that git may allocate
	maxChunkLines = 50      // a longer chunk is divided
	grepContext   = "-C2"   // lines before and after a match
	grepThreads   = "--threads=2"
)

// ErrTooSlow means that a search was stopped because it took too long.
var ErrTooSlow = errors.New("the search took too long")

// Grep searches the files of a commit, in git's order. Binary files are left out. It reports whether there are more chunks
// than it returns, and ErrTooSlow if it was stopped before it had found all of them.
func (r Repo) Grep(ctx context.Context, commit string, g Grep) (found []Chunk, more bool, err error) {
	if !IsID(commit) || g.Text == "" || strings.ContainsAny(g.Text, "\x00\n") {
		return nil, false, ErrBadName
	}
	args := []string{"grep", "-n", "-I", "-z", "-i", "-F", "--full-name", grepContext, grepThreads, "-e", g.Text, commit, "--"}
	chunks := &chunkReader{prefix: commit + ":", keep: g.Keep, skip: g.Skip, most: g.Most}
	err = r.run(ctx, call{wait: maxGrepTime, args: append(args, g.Within...), data: maxGrepData}, chunks.readAll)
	switch {
	case errors.Is(err, errEnough):
		return chunks.found, true, nil
	case exitCode(err) == 1: // nothing was found
		return nil, false, nil
	}
	return chunks.found, false, orTooSlow(ctx, err)
}

// orTooSlow turns the error of a command that was stopped because of its own limit into ErrTooSlow.
func orTooSlow(ctx context.Context, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return ErrTooSlow
	}
	return err
}

// FirstLines returns the beginning of files of a commit, by path. Binary and empty files are left out.
func (r Repo) FirstLines(ctx context.Context, commit string, paths []string) (map[string]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	args := append([]string{"grep", "-n", "-I", "-z", "-F", "--full-name", "--max-count=5", "-e", "", commit, "--"}, paths...)
	chunks := &chunkReader{prefix: commit + ":", most: len(paths)}
	err := r.run(ctx, call{
		wait: maxGrepTime, args: args, data: maxGrepData, env: []string{"GIT_LITERAL_PATHSPECS=1"},
	}, chunks.readAll)
	if exitCode(err) == 1 || errors.Is(err, errEnough) {
		err = nil
	}
	texts := make(map[string]string, len(chunks.found))
	for _, c := range chunks.found {
		texts[c.Path] = c.Text
	}
	return texts, orTooSlow(ctx, err)
}

// chunkReader reads the output of git grep.
type chunkReader struct {
	prefix string // of every path
	keep   func(path string) bool
	skip   int
	most   int
	found  []Chunk

	path  string // of the chunk that is being read; its lines follow
	kept  bool
	first int
	lines int
	text  strings.Builder
}

// hunkMark divides chunks of one file.
const hunkMark = "--\n"

// readAll reads lines «commit:path NUL number NUL text LF». It returns errEnough once there are more chunks than wanted.
func (c *chunkReader) readAll(out io.Reader) error {
	in := bufio.NewReaderSize(out, 64<<10)
	for {
		path, err := in.ReadString(0)
		if errors.Is(err, io.EOF) {
			return c.end()
		}
		if err != nil {
			return err
		}
		number, err := in.ReadString(0)
		if err != nil {
			return err
		}
		text, err := readStart(in, maxGrepLine)
		if err != nil {
			return err
		}
		line, err := strconv.Atoi(strings.TrimSuffix(number, "\x00"))
		if err != nil {
			return err
		}
		if err := c.add(strings.TrimSuffix(path, "\x00"), line, text); err != nil {
			return err
		}
	}
}

// add takes a line of the output, which begins a new chunk or belongs to the last one.
func (c *chunkReader) add(path string, line int, text string) error {
	path, marked := strings.CutPrefix(path, hunkMark)
	if path = strings.TrimPrefix(path, c.prefix); marked || path != c.path || c.lines == maxChunkLines {
		if err := c.end(); err != nil {
			return err
		}
		if path != c.path {
			c.path, c.kept = path, c.keep == nil || c.keep(readable(path))
		}
		c.first = line
	}
	c.lines++
	if c.kept && c.skip == 0 {
		c.text.WriteString(text + "\n")
	}
	return nil
}

// end completes the chunk that is being read, if there is one.
func (c *chunkReader) end() error {
	begun := c.lines > 0 && c.kept
	c.lines = 0
	switch {
	case !begun:
		return nil
	case c.skip > 0:
		c.skip--
		return nil
	case len(c.found) == c.most:
		return errEnough
	}
	c.found = append(c.found, Chunk{Path: readable(c.path), Line: c.first, Text: c.text.String()})
	c.text.Reset()
	return nil
}

// readStart reads a line and returns its beginning, without the line break.
func readStart(in *bufio.Reader, most int) (string, error) {
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		text = append(text, part[:min(len(part), max(most-len(text), 0))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return strings.ToValidUTF8(strings.TrimSuffix(string(text), "\n"), "\uFFFD"), err
		}
	}
}
