package git

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// literalPaths makes git treat paths as paths, not as patterns.
var literalPaths = []string{"GIT_LITERAL_PATHSPECS=1"}

// LastCommit returns the last commit that changed a path, in the history of a commit.
func (r Repo) LastCommit(ctx context.Context, commit, path string) (string, error) {
	path, ok := CleanPath(path)
	if !IsID(commit) || !ok {
		return "", ErrBadName
	}
	key := r.dir + commit + path
	if id, ok := r.all.cache.last.Get(key); ok {
		return id, nil
	}
	args := []string{"rev-list", "-1", commit, "--"}
	if path != "" {
		args = append(args, path)
	}
	out, err := r.outputWith(ctx, literalPaths, small, nil, args...)
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(string(out))
	if !IsID(id) {
		return "", ErrNotFound
	}
	r.all.cache.last.Set(key, id)
	return id, nil
}

// Digest returns the SHA-256 of a blob of any size, in hexadecimal.
func (r Repo) Digest(ctx context.Context, id string) (string, error) {
	if sum, ok := r.all.cache.digests.Get(r.dir + id); ok {
		return sum, nil
	}
	h := sha256.New()
	if err := r.Stream(ctx, id, h); err != nil {
		return "", err
	}
	sum := hex.EncodeToString(h.Sum(nil))
	r.all.cache.digests.Set(r.dir+id, sum)
	return sum, nil
}

// BlameRange is a run of lines of a file that come from one commit.
type BlameRange struct {
	Commit string
	Lines  []string
}

// Blame returns which commits the lines of a file come from, in order: all lines, or those from first to last, counted
// from 1.
func (r Repo) Blame(ctx context.Context, commit, path string, first, last int64) ([]BlameRange, error) {
	path, ok := CleanPath(path)
	if !IsID(commit) || !ok || path == "" {
		return nil, ErrBadName
	}
	args := []string{"blame", "--porcelain"}
	if first > 0 {
		args = append(args, "-L", strconv.FormatInt(first, 10)+","+strconv.FormatInt(last, 10))
	}
	out, err := r.outputWith(ctx, literalPaths, large, nil, append(args, commit, "--", path)...)
	if err != nil {
		if first > 0 && strings.Contains(err.Error(), "has only") {
			return nil, nil // no such lines
		}
		return nil, err
	}
	return parseBlame(out), nil
}

// parseBlame reads git's porcelain format: for each line the commit, some headers, and the line itself after a tab.
func parseBlame(out []byte) []BlameRange {
	var all []BlameRange
	commit := ""
	for len(out) > 0 {
		var row []byte
		row, out, _ = bytes.Cut(out, []byte("\n"))
		if text, isLine := bytes.CutPrefix(row, []byte("\t")); isLine {
			if n := len(all); n == 0 || all[n-1].Commit != commit {
				all = append(all, BlameRange{Commit: commit})
			}
			group := &all[len(all)-1]
			group.Lines = append(group.Lines, readable(string(text)))
			continue
		}
		if len(row) > len(Zero) && row[len(Zero)] == ' ' && IsID(string(row[:len(Zero)])) {
			commit = string(row[:len(Zero)])
		}
	}
	return all
}
