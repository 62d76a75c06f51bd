package suggestion

import (
	"context"
	"errors"
	"slices"
	"strings"

	"svc/store/git"
	"svc/store/model"
)

// maxFile is the size of the largest file that suggestions can change.
const maxFile = 5 << 20

// readLines returns the lines of a file at a commit, each with its line break. It returns nil if there is no such file, or
// if it is too large or not a text.
func readLines(ctx context.Context, repo git.Repo, commit, path string) ([]string, error) {
	entry, err := repo.TreeAt(ctx, commit, path)
	var data []byte
	if err == nil && entry.Kind() == git.KindBlob {
		_, data, err = repo.Object(ctx, entry.ID, maxFile)
	}
	switch {
	case errors.Is(err, git.ErrNotFound), errors.Is(err, git.ErrTooLarge), errors.Is(err, git.ErrBadName):
		return nil, nil
	case err != nil || slices.Contains(data, 0):
		return nil, err
	}
	return split(string(data)), nil
}

// split splits a text into lines that keep their line breaks.
func split(text string) []string { return slices.Collect(strings.Lines(text)) }

// textOf returns some lines, counted from 1, and false if they are not all there.
func textOf(lines []string, from, to int64) (string, bool) {
	if from < 1 || to < from || to > int64(len(lines)) {
		return "", false
	}
	return strings.Join(lines[from-1:to], ""), true
}

// fits reports whether the lines that a suggestion changes are still as they were.
func fits(lines []string, s model.Suggestion) bool {
	text, ok := textOf(lines, s.FromLine, s.ToLine)
	return ok && text == s.FromContent
}

// edit replaces some lines.
type edit struct {
	from, to int64
	content  string
}

// replace makes edits in lines. The edits are sorted and do not touch the same lines.
func replace(lines []string, edits []edit) string {
	lines = slices.Clone(lines)
	for _, e := range slices.Backward(edits) {
		lines = slices.Replace(lines, int(e.from-1), int(e.to), e.content)
	}
	return strings.Join(lines, "")
}
