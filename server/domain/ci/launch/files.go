package launch

import (
	"context"
	"errors"
	"fmt"

	"svc/server/domain/ci/syntax"
	"svc/server/platform/access"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// files gives a CI file access to repositories: to its own commit, and to other projects whose code the user may read.
type files struct {
	*Launcher
	user   *store.Reader
	repo   git.Repo
	sha    string
	before string
	others map[[2]string]projectCommit // by project and ref
	read   []ReadFile
	extra  map[string][]byte // files of this pipeline that are in no repository
}

// projectCommit is a commit of a project.
type projectCommit struct {
	repo git.Repo
	sha  string
	path string // full path of the project
	err  error
}

// ReadFile is a file that was included while a CI file was loaded.
type ReadFile struct {
	Project, Ref, Path string // an empty project means the project of the pipeline
	SHA                string
}

func newFiles(l *Launcher, o Request, repo git.Repo) *files {
	if o.MergeRequest != nil && o.MergeRequest.BaseSHA != "" {
		o.Before = o.MergeRequest.BaseSHA // compare with the merge base, to see all changes of the merge request
	}
	return &files{
		Launcher: l, user: Reader(o.User), repo: repo, sha: o.SHA, before: o.Before, others: map[[2]string]projectCommit{}, extra: o.extra,
	}
}

// Reader returns the store.Reader of a user.
func Reader(u model.User) *store.Reader {
	return &store.Reader{UserID: u.ID, Admin: u.Admin, External: u.External}
}

// at finds a commit in a project. An empty project means the commit of the pipeline.
func (f *files) at(ctx context.Context, project, ref string) projectCommit {
	if project == "" && f.sha == git.Zero {
		return projectCommit{err: syntax.ErrNoFile}
	}
	if project == "" {
		return projectCommit{repo: f.repo, sha: f.sha}
	}
	key := [2]string{project, ref}
	found, known := f.others[key]
	if !known {
		found = f.find(ctx, project, ref)
		f.others[key] = found
	}
	return found
}

func (f *files) find(ctx context.Context, project, ref string) projectCommit {
	row, err := f.Store.Projects.Get(ctx, 0, project, f.user)
	switch {
	case store.IsNotFound(err) || err == nil && (!access.SeesProject(row, f.user) || !row.ReadsCode()):
		return projectCommit{err: syntax.ErrNoProject}
	case err != nil:
		return projectCommit{err: err}
	}
	repo, err := f.Launcher.repo(row.Project)
	if err != nil {
		return projectCommit{err: err}
	}
	found := projectCommit{repo: repo, path: row.Project.FullPath}
	if found.sha, err = found.repo.Resolve(ctx, ref); errors.Is(err, git.ErrNotFound) {
		err = syntax.ErrNoRef
	}
	found.err = err
	return found
}

// reader returns a function that reads included files.
func (f *files) reader(ctx context.Context) func(project, ref, path string) ([]byte, error) {
	return func(project, ref, path string) ([]byte, error) {
		if text, ok := f.extra[path]; ok && project == "" {
			return text, nil
		}
		found := f.at(ctx, project, ref)
		if found.err != nil {
			return nil, found.err
		}
		text, err := readFile(ctx, found.repo, found.sha, path)
		if err == nil {
			f.read = append(f.read, ReadFile{Project: project, Ref: ref, Path: path, SHA: found.sha})
		}
		return text, err
	}
}

const symlink = 0o120000

// readFile reads a file of a commit. It refuses files that are too large for a CI file.
func readFile(ctx context.Context, repo git.Repo, sha, path string) ([]byte, error) {
	clean, ok := git.CleanPath(path)
	if !ok || clean == "" {
		return nil, syntax.ErrNoFile
	}
	entry, err := repo.TreeAt(ctx, sha, clean)
	if errors.Is(err, git.ErrNotFound) || err == nil && (entry.Kind() != git.KindBlob || entry.Mode == symlink) {
		return nil, syntax.ErrNoFile
	}
	if err != nil {
		return nil, err
	}
	_, text, err := repo.Object(ctx, entry.ID, syntax.MaxFile)
	if errors.Is(err, git.ErrTooLarge) {
		return nil, syntax.Errors{{File: path, Message: fmt.Sprintf("The file `%.255s` is longer than %d bytes", path, syntax.MaxFile)}}
	}
	return text, err
}

// list returns a function that lists the files of a commit.
func (f *files) list(ctx context.Context) func(project, ref string) ([]string, error) {
	return func(project, ref string) ([]string, error) {
		found := f.at(ctx, project, ref)
		if errors.Is(found.err, syntax.ErrNoFile) {
			return nil, nil // there is no commit
		}
		if found.err != nil {
			return nil, found.err
		}
		return found.repo.Paths(ctx, found.sha)
	}
}

// changed returns a function that lists changed files: those of the push, or, with compareTo, those that differ from
// the merge base with that ref.
func (f *files) changed(ctx context.Context) func(compareTo string) ([]string, bool, error) {
	return func(compareTo string) ([]string, bool, error) {
		from := f.before
		if compareTo != "" {
			other, err := f.repo.Resolve(ctx, compareTo)
			if errors.Is(err, git.ErrNotFound) {
				return nil, false, syntax.ErrNoRef
			}
			if err != nil {
				return nil, false, err
			}
			if from, err = f.repo.MergeBase(ctx, other, f.sha); errors.Is(err, git.ErrNotFound) {
				from, err = other, nil
			}
			if err != nil {
				return nil, false, err
			}
		}
		if from == git.Zero {
			return nil, false, nil
		}
		paths, err := f.repo.ChangedPaths(ctx, from, f.sha)
		if errors.Is(err, git.ErrNotFound) { // after a forced push, the old commit may be missing
			return nil, false, nil
		}
		return paths, err == nil, err
	}
}
