package load

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"svc/server/domain/webhook/payload"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

const (
	branchPrefix = "refs/heads/"
	tagPrefix    = "refs/tags/"
)

// Protections are the rules of a project that protect branches and tags.
type Protections struct {
	branches []model.ProtectedBranch
	tags     []model.ProtectedTag
}

// Protections reads the rules of a project once, for use with many refs.
func (l *Loader) Protections(ctx context.Context, projectID int64) (Protections, error) {
	branches, err := l.store.Protections.Branches(ctx, projectID)
	if err != nil {
		return Protections{}, err
	}
	tags, err := l.store.Protections.Tags(ctx, projectID)
	return Protections{branches, tags}, err
}

// Protect reports whether a ref, named in full, is protected.
func (p Protections) Protect(ref string) bool {
	if branch, ok := strings.CutPrefix(ref, branchPrefix); ok {
		return slices.ContainsFunc(p.branches, func(b model.ProtectedBranch) bool { return store.Matches(b.Name, branch) })
	}
	tag, ok := strings.CutPrefix(ref, tagPrefix)
	return ok && slices.ContainsFunc(p.tags, func(t model.ProtectedTag) bool { return store.Matches(t.Name, tag) })
}

// RecordedPush is a push without what is read from the repository later. It is stored as JSON.
type RecordedPush struct {
	Body  payload.Push `json:"body"`
	Known string       `json:"known,omitempty"` // the tip of the default branch, which the commits of a new branch are compared with
}

// Sends reports whether a changed ref sends a hook: a branch or a tag.
func Sends(c git.Command) bool {
	return strings.HasPrefix(c.Ref, branchPrefix) || strings.HasPrefix(c.Ref, tagPrefix)
}

// RecordPush returns what to record of a push. in needs no Commits, Total and Tag. It starts no git process.
func (l *Loader) RecordPush(to payload.Instance, in payload.PushInput) RecordedPush {
	recorded := RecordedPush{Body: to.Push(in)}
	if in.Change.Old == git.Zero && in.Change.Ref != branchPrefix+in.Project.DefaultBranch {
		if id, err := l.repository(in.Project).Ref(branchPrefix + in.Project.DefaultBranch); err == nil {
			recorded.Known = id
		}
	}
	return recorded
}

func (l *Loader) repository(p model.Project) git.Repo {
	return l.repos.Project(p.RepositoryStorage, p.ID)
}

// mostPaths is how many paths of files the body of a push lists.
const mostPaths = 10000

// CompletePush adds the commits, and the message of a tag, to a recorded push. If the project or the commits are gone,
// the body stays as it is. It can be repeated.
func (l *Loader) CompletePush(ctx context.Context, to payload.Instance, recorded RecordedPush) (payload.Push, error) {
	body := recorded.Body
	if body.After == git.Zero {
		return body, nil
	}
	project, err := l.Project(ctx, body.ProjectID)
	if store.IsNotFound(err) {
		return body, nil
	}
	if err != nil {
		return body, err
	}
	repo := l.repository(project)
	project.FullPath = body.Project.PathWithNamespace // its path may have changed since
	in := payload.PushInput{Project: project, Change: git.Command{Ref: body.Ref, Old: body.Before, New: body.After}}
	if strings.HasPrefix(body.Ref, tagPrefix) {
		err = readTag(ctx, repo, &in)
	} else {
		err = readCommits(ctx, repo, recorded.Known, &in)
	}
	if errors.Is(err, git.ErrNotFound) {
		return body, nil
	}
	if err == nil {
		to.Complete(&body, in)
	}
	return body, err
}

// readCommits reads the commits of a push to a branch, oldest first, with their files.
func readCommits(ctx context.Context, repo git.Repo, known string, in *payload.PushInput) error {
	commits, total, err := repo.PushedCommits(ctx, in.Change, known, payload.MaxCommits)
	if err != nil {
		return err
	}
	slices.Reverse(commits)
	in.Total = total
	in.Commits, err = withFiles(ctx, repo, commits)
	return err
}

// readTag reads the message of a tag and its commit.
func readTag(ctx context.Context, repo git.Repo, in *payload.PushInput) error {
	tags, err := repo.ReadTags(ctx, []git.Ref{{Name: in.Change.Ref, ID: in.Change.New}})
	if err != nil {
		return err
	}
	in.Tag = &tags[0]
	if in.Tag.Commit == "" {
		return nil
	}
	c, err := repo.Commit(ctx, in.Tag.Commit)
	if err != nil {
		return err
	}
	in.Total = 1
	in.Commits, err = withFiles(ctx, repo, []git.Commit{c})
	return err
}

// withFiles adds the files that commits change.
func withFiles(ctx context.Context, repo git.Repo, commits []git.Commit) ([]payload.CommitFiles, error) {
	ids := make([]string, len(commits))
	for i, c := range commits {
		ids[i] = c.ID
	}
	paths, err := repo.CommitPaths(ctx, ids, mostPaths)
	if err != nil {
		return nil, err
	}
	all := make([]payload.CommitFiles, len(commits))
	for i, c := range commits {
		files := paths[c.ID]
		all[i] = payload.CommitFiles{Commit: c, Added: files.Added, Modified: files.Modified, Removed: files.Removed}
	}
	return all, nil
}

const (
	maxDiff     = 64 << 10        // how many bytes of a diff are shown
	diffTimeout = 5 * time.Second // what git has not said by then is left out
)

// Diff returns how two commits of a project differ, as text. It is empty if the project or a commit is gone.
func (l *Loader) Diff(ctx context.Context, projectID int64, from, to string) (string, error) {
	project, err := l.Project(ctx, projectID)
	if store.IsNotFound(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, diffTimeout)
	defer cancel()
	files, cut, err := l.repository(project).Diff(ctx, from, to)
	if errors.Is(err, git.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, f := range files {
		hunks := f.Head + f.Text
		if f.TooLarge || f.Collapsed || text.Len()+len(hunks) > maxDiff {
			hunks, cut = "", true
		}
		if text.Len() > maxDiff {
			break
		}
		text.WriteString("diff " + f.OldPath + " " + f.NewPath + "\n" + hunks)
	}
	if cut {
		text.WriteString("\nThe diff is too long to be shown completely.\n")
	}
	return text.String(), nil
}
