package push

import (
	"context"

	"svc/store/git"
)

// since lists what commits bring that tip does not reach. Refs do not lead to the earlier commits of a round yet.
type since struct {
	repo git.Repo
	tip  string
}

// without returns the ids and the exclusion of what tip reaches.
func (s since) without(ids []string) []string {
	if s.tip == "" {
		return ids
	}
	return append(ids[:len(ids):len(ids)], "^"+s.tip)
}

// NewCommitPaths calls give with the paths of the changed files.
func (s since) NewCommitPaths(ctx context.Context, ids []string, give func(path string) bool) error {
	return s.repo.NewCommitPaths(ctx, s.without(ids), give)
}

// NewCommits calls give with the commits.
func (s since) NewCommits(ctx context.Context, ids []string, give func(git.PushedCommit) bool) error {
	return s.repo.NewCommits(ctx, s.without(ids), give)
}

// NewFiles calls give with the files that the commits add.
func (s since) NewFiles(ctx context.Context, ids []string, give func(git.PushedFile) bool) error {
	return s.repo.NewFiles(ctx, s.without(ids), give)
}

// NewLargeBlob returns the id of a file that is larger than the given number of bytes, or "".
func (s since) NewLargeBlob(ctx context.Context, ids []string, most int64) (string, error) {
	return s.repo.NewLargeBlob(ctx, s.without(ids), most)
}

// NewPathOf returns the path of a file by the id of its content, or "".
func (s since) NewPathOf(ctx context.Context, ids []string, blob string) (string, error) {
	return s.repo.NewPathOf(ctx, s.without(ids), blob)
}
