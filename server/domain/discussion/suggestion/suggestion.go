// Package suggestion reads the changes of lines that notes on the diffs of merge requests suggest, and computes what
// becomes of the files.
package suggestion

import (
	"context"
	"sync"

	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Place is the line of a file that a note is about.
type Place struct {
	Commit string // the head of the merge request then
	Path   string
	Line   int64
}

// Read returns the suggestions of a text about a line. If the line does not exist, there are none.
func Read(ctx context.Context, repo git.Repo, at Place, text string) ([]model.Suggestion, error) {
	blocks := parse(text)
	if len(blocks) == 0 {
		return nil, nil
	}
	lines, err := readLines(ctx, repo, at.Commit, at.Path)
	if err != nil || at.Line < 1 || at.Line > int64(len(lines)) {
		return nil, err
	}
	found := make([]model.Suggestion, len(blocks))
	for i, b := range blocks {
		s := model.Suggestion{
			Path: at.Path, FromLine: max(at.Line-b.above, 1), ToLine: min(at.Line+b.below, int64(len(lines))),
			ToContent: b.content,
		}
		s.FromContent, _ = textOf(lines, s.FromLine, s.ToLine)
		found[i] = s
	}
	return found, nil
}

// Checker reports which suggestions of a merge request can be applied. It reads the merge request and each file once,
// and only when it is asked about a suggestion that was not applied.
type Checker struct {
	load  func() (head, error)
	files map[string][]string
}

// head is the state of a merge request and the repository that has its commits.
type head struct {
	mr   model.MergeRequest
	repo git.Repo
}

// NewChecker returns a Checker for the suggestions of a merge request. repo opens the repository of its project.
func NewChecker(
	ctx context.Context, st *store.Store, mergeRequestID int64, repo func() (git.Repo, error),
) *Checker {
	return &Checker{files: map[string][]string{}, load: sync.OnceValues(func() (h head, err error) {
		if h.mr, err = st.MergeRequests.Find(ctx, mergeRequestID); err == nil {
			h.repo, err = repo()
		}
		return h, err
	})}
}

// Appliable reports whether a suggestion can be applied now.
func (c *Checker) Appliable(ctx context.Context, s model.Suggestion) bool {
	if s.Applied || s.FromContent == s.ToContent {
		return false
	}
	now, err := c.load()
	if err != nil || now.mr.State != model.Opened {
		return false
	}
	lines, known := c.files[s.Path]
	if !known {
		if lines, err = readLines(ctx, now.repo, now.mr.HeadSHA, s.Path); err != nil {
			return false
		}
		c.files[s.Path] = lines
	}
	return fits(lines, s)
}
