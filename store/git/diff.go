package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// FileDiff describes how one file differs.
type FileDiff struct {
	OldPath, NewPath string
	OldMode, NewMode string // as git prints them; six zeros if the file does not exist
	Status           byte   // A, D, M, R, T as in git
	Head             string // the lines --- and +++
	Text             string // the hunks, without these lines
	TooLarge         bool   // the text was left out because it is too long
	Collapsed        bool   // the text was left out because the whole diff is too long
}

// EmptyTree is the id of a tree without entries; git accepts it in every repository.
const EmptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// The limits of a diff.
const (
	maxDiffFiles = 1000
	maxDiffFile  = 200 << 10
	maxDiffBytes = 5 << 20
)

// errEnough stops reading a diff that is over a limit.
var errEnough = errors.New("enough")

// diff returns how two commits or trees, named by their ids, differ, and whether something was left out.
func (r Repo) diff(ctx context.Context, env []string, from, to string) ([]FileDiff, bool, error) {
	d := &diffReader{most: maxDiffFiles}
	cut, err := r.readDiff(ctx, env, from, to, d)
	return d.files, cut, err
}

// readDiff lets a reader read how two commits or trees differ, and reports whether something was left out.
func (r Repo) readDiff(ctx context.Context, env []string, from, to string, d *diffReader) (bool, error) {
	if !IsID(from) || !IsID(to) {
		return false, ErrBadName
	}
	args := []string{
		"-c", "core.bigFileThreshold=16m", "-c", "core.quotePath=false", "diff-tree", "-r", "-z", "--raw", "--patch",
		"--full-index", "--find-renames", "--no-color",
		"--no-ext-diff", "--no-textconv", "--submodule=short", "--no-commit-id", from, to, "--",
	}
	args = append(args, d.paths...)
	read := func(out io.Reader) error { return d.read(bufio.NewReaderSize(out, 32<<10)) }
	err := r.stream(ctx, append(env, literalPaths...), nil, args, read)
	d.close()
	switch {
	case errors.Is(err, errEnough):
		return true, nil
	case errors.Is(err, context.DeadlineExceeded):
		for i := max(d.at, 0); i < len(d.files); i++ { // files that were not read to the end
			d.files[i].Head, d.files[i].Text, d.files[i].Collapsed = "", "", true
		}
		return true, nil
	}
	return d.total > len(d.files), err
}

// diffReader reads the list of files, and then the changes of each file, in the same order. It keeps at most the given
// number of files, after some that it skips, and counts all.
type diffReader struct {
	paths      []string // only these files, if any
	skip, most int
	files      []FileDiff
	total      int
	listed     bool // the list of files was read to its end
	skipped    int  // how many parts in the text belong to skipped files
	at         int  // the file that is being read
	parts      int  // how many more parts this file has: a file that becomes a link is removed and created
	inText     bool
	text       bytes.Buffer
	bytes      int
}

func (d *diffReader) read(in *bufio.Reader) error {
	if err := d.list(in); err != nil {
		return err
	}
	d.at, d.listed = -1, true
	if len(d.files) == 0 && d.total > 0 {
		return errEnough
	}
	for whole := true; ; {
		line, err := in.ReadSlice('\n')
		if len(line) > 0 {
			if err := d.line(line, whole); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			whole = false
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		default:
			whole = true
		}
	}
}

// list reads «:mode mode id id status NUL path NUL» for each file, and the NUL after the last.
func (d *diffReader) list(in *bufio.Reader) error {
	for {
		meta, err := in.ReadString(0)
		if errors.Is(err, io.EOF) && meta == "" {
			return nil
		}
		if err != nil {
			return err
		}
		if meta == "\x00" {
			return nil
		}
		parts := strings.Fields(strings.TrimSuffix(strings.TrimPrefix(meta, ":"), "\x00"))
		if len(parts) != 5 {
			return fmt.Errorf("cannot parse the diff")
		}
		f := FileDiff{OldMode: parts[0], NewMode: parts[1], Status: parts[4][0]}
		if f.OldPath, err = readPath(in); err != nil {
			return err
		}
		f.NewPath = f.OldPath
		if f.Status == 'R' || f.Status == 'C' {
			if f.NewPath, err = readPath(in); err != nil {
				return err
			}
		}
		d.add(f)
	}
}

// add counts a file, and keeps it if it is one of those that are wanted.
func (d *diffReader) add(f FileDiff) {
	d.total++
	switch {
	case d.total > d.skip && len(d.files) < d.most:
		d.files = append(d.files, f)
	case d.total <= d.skip && f.Status == 'T':
		d.skipped += 2
	case d.total <= d.skip:
		d.skipped++
	}
}

func readPath(in *bufio.Reader) (string, error) {
	text, err := in.ReadString(0)
	return readable(strings.TrimSuffix(text, "\x00")), err
}

var fileStart = []byte("diff --git ")

// line handles a line, or the rest of a long one.
func (d *diffReader) line(line []byte, whole bool) error {
	if whole && bytes.HasPrefix(line, fileStart) {
		return d.next()
	}
	if d.at < 0 {
		return nil
	}
	if whole && !d.inText {
		switch {
		case bytes.HasPrefix(line, []byte("--- ")) || bytes.HasPrefix(line, []byte("+++ ")):
			d.head(line)
			return nil
		case bytes.HasPrefix(line, []byte("@@")) || bytes.HasPrefix(line, []byte("Binary files ")):
			d.inText = true
		default:
			return nil
		}
	}
	if d.text.Len() <= maxDiffFile {
		d.text.Write(line)
	}
	return nil
}

// head keeps the lines before the text. A file that becomes a link has two pairs; head keeps the outer lines.
func (d *diffReader) head(line []byte) {
	f := &d.files[d.at]
	if f.Status == 'T' && (d.parts == 1) == (line[0] == '+') {
		return
	}
	f.Head += readable(string(line))
}

// next moves on to the next file.
func (d *diffReader) next() error {
	d.inText = false
	if d.skipped > 0 {
		d.skipped--
		return nil
	}
	if d.parts > 0 {
		d.parts--
		return nil
	}
	d.close()
	if d.bytes > maxDiffBytes || d.at+1 == len(d.files) {
		d.at++
		for i := d.at; i < len(d.files); i++ {
			d.files[i].Collapsed = true
		}
		return errEnough
	}
	d.at++
	if d.files[d.at].Status == 'T' {
		d.parts = 1
	}
	return nil
}

// close ends the text of a file.
func (d *diffReader) close() {
	if d.at < 0 || d.at >= len(d.files) {
		return
	}
	f := &d.files[d.at]
	if d.text.Len() > maxDiffFile {
		f.TooLarge, f.Head = true, ""
	} else if d.text.Len() > 0 {
		f.Text = readableLines(d.text.String())
		d.bytes += d.text.Len()
	}
	d.text.Reset()
}

// readableLines makes a text readable line by line, because a diff that changes the encoding of a file has both encodings.
func readableLines(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(readable(line))
	}
	return b.String()
}
