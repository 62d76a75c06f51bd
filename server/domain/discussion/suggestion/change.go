package suggestion

import (
	"cmp"
	"context"
	"slices"

	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// The reasons why suggestions cannot be applied.
const (
	linesChanged  = "Can't apply as these lines were changed in a more recent version."
	nothingToDo   = "Can't apply as the suggestion changes nothing."
	linesOverlap  = "Can't apply as the suggestions change the same lines."
	alreadyGone   = "Can't apply as this suggestion was already applied."
	requestMerged = "Can't apply as this merge request was merged."
	requestClosed = "Can't apply as this merge request was closed."
)

// Check refuses suggestions that were applied before, that change nothing, or whose merge request is not open.
func Check(mr model.MergeRequest, all []model.Suggestion) error {
	switch mr.State {
	case model.Merged:
		return apierr.Refused(requestMerged)
	case model.Opened:
	default:
		return apierr.Refused(requestClosed)
	}
	for _, s := range all {
		if s.Applied {
			return apierr.Refused(alreadyGone)
		}
		if s.FromContent == s.ToContent {
			return apierr.Refused(nothingToDo)
		}
	}
	return nil
}

// Changes returns the changes of files that apply suggestions to a commit. It refuses suggestions whose lines have
// changed, and suggestions that change the same lines.
func Changes(ctx context.Context, repo git.Repo, commit string, all []model.Suggestion) ([]git.Change, error) {
	byPath, paths := map[string][]model.Suggestion{}, []string(nil)
	for _, s := range all {
		if byPath[s.Path] == nil {
			paths = append(paths, s.Path)
		}
		byPath[s.Path] = append(byPath[s.Path], s)
	}
	changes := make([]git.Change, len(paths))
	for i, path := range paths {
		content, err := apply(ctx, repo, commit, path, byPath[path])
		if err != nil {
			return nil, err
		}
		changes[i] = git.Change{Action: git.ActionUpdate, Path: path, Content: []byte(content)}
	}
	return changes, nil
}

// apply returns the content of a file after suggestions.
func apply(ctx context.Context, repo git.Repo, commit, path string, some []model.Suggestion) (string, error) {
	lines, err := readLines(ctx, repo, commit, path)
	if err != nil {
		return "", err
	}
	slices.SortFunc(some, func(a, b model.Suggestion) int { return cmp.Compare(a.FromLine, b.FromLine) })
	edits := make([]edit, len(some))
	for i, s := range some {
		switch {
		case !fits(lines, s):
			return "", apierr.Refused(linesChanged)
		case i > 0 && s.FromLine <= some[i-1].ToLine:
			return "", apierr.Refused(linesOverlap)
		}
		edits[i] = edit{from: s.FromLine, to: s.ToLine, content: s.ToContent}
	}
	return replace(lines, edits), nil
}
