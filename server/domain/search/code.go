package search

import (
	"context"
	"errors"
	"path"
	"strings"
	"time"

	"svc/server/domain/repository/lifecycle"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Limits of searches in files and commits.
const (
	maxFound = 1000             // results of one search; there are no pages after them
	maxRepos = 100              // repositories that a search in a group or on the instance reads
	maxTime  = 10 * time.Second // that such a search takes
)

// Blob is a part of a file that has the text, or the beginning of a file whose path has it.
type Blob struct {
	git.Chunk

	Match     int    // the number of the first line that has the text
	Ref       string // the branch, tag or commit that was searched
	ProjectID *int64 // nil for the wiki of a group
	GroupID   *int64 // only of the wiki of a group

	in     place
	opened bool // the text still has to be read: the file was found by its path
}

// Basename returns the path without its last extension.
func (b Blob) Basename() string { return strings.TrimSuffix(b.Path, path.Ext(b.Path)) }

// place is a commit of a repository that is searched.
type place struct {
	repo      git.Repo
	commit    string
	ref       string
	projectID *int64
	groupID   *int64
}

// Blobs finds files in the repository of a project, or in those of the projects with the latest activity.
func (s *Service) Blobs(ctx context.Context, in Place, q Query, p store.Page) ([]Blob, bool, error) {
	if q.term() == "" || in.Project != nil && !readsCode(*in.Project) {
		return nil, false, nil
	}
	rows := []model.ProjectRow{}
	if in.Project != nil {
		rows = append(rows, *in.Project)
	} else {
		var err error
		if rows, err = s.store.Projects.ListWithCode(ctx, in.scope(ctx, q), maxRepos); err != nil {
			return nil, false, err
		}
	}
	var places []place
	for _, row := range rows {
		found, exists, err := s.projectPlace(ctx, row.Project, q.Ref)
		if err != nil {
			return nil, false, explain(err)
		}
		if exists {
			places = append(places, found)
		}
	}
	return s.files(ctx, places, q, p)
}

// readsCode reports whether a search looks into the repository of a project.
func readsCode(row model.ProjectRow) bool {
	return row.ReadsCode() && row.Project.RepositoryAccessLevel != model.FeatureDisabled
}

// projectPlace returns a revision of a project, or its default branch. It does not exist if nothing was pushed yet.
func (s *Service) projectPlace(ctx context.Context, p model.Project, ref string) (place, bool, error) {
	if p.EmptyRepo && ref == "" {
		return place{}, false, nil
	}
	repo, err := s.repos.OpenProject(p.RepositoryStorage, p.ID, p.EmptyRepo)
	if err != nil {
		return place{}, false, err
	}
	found := place{repo: repo, ref: ref, projectID: &p.ID}
	if ref == "" {
		found.ref, found.commit = repo.Head()
		return found, found.commit != "", nil
	}
	found.commit, err = repo.Resolve(ctx, ref)
	return found, true, err
}

// WikiBlobs finds pages in the wiki of a project, or in the wikis of a place that changed last.
func (s *Service) WikiBlobs(ctx context.Context, in Place, q Query, p store.Page) ([]Blob, bool, error) {
	if q.term() == "" {
		return nil, false, nil
	}
	wikis, err := s.store.OtherRepositories.ListWikis(ctx, in.scope(ctx, q), maxRepos)
	if err != nil {
		return nil, false, err
	}
	places := make([]place, len(wikis))
	for i, w := range wikis {
		repo := lifecycle.Owner{Kind: w.Kind, ID: w.OwnerID}.On(s.repos, w.Storage)
		if err := repo.CheckReadable(); err != nil {
			return nil, false, err
		}
		places[i] = place{repo: repo, commit: w.Head, ref: model.SideBranch, projectID: &w.OwnerID}
		if w.Kind == model.GroupWikiRepository {
			places[i].projectID, places[i].groupID = nil, &w.OwnerID
		}
		if q.Ref != "" {
			places[i].ref = q.Ref
			if places[i].commit, err = repo.Resolve(ctx, q.Ref); err != nil {
				return nil, false, explain(err)
			}
		}
	}
	return s.files(ctx, places, q, p)
}

// files searches repositories one after the other until the page is full.
func (s *Service) files(ctx context.Context, places []place, q Query, p store.Page) ([]Blob, bool, error) {
	term, err := readFileTerm(q.term())
	if err != nil || len(places) == 0 || p.Offset >= maxFound {
		return nil, false, err
	}
	leave, err := s.turn(ctx)
	if err != nil {
		return nil, false, err
	}
	defer leave()
	var found []Blob
	var more bool
	if len(places) == 1 {
		found, more, err = places[0].files(ctx, term, p.Offset, min(p.Limit, maxFound-p.Offset))
	} else {
		found, more, err = filesOfMany(ctx, places, term, p)
	}
	if err != nil {
		return nil, false, explain(err)
	}
	if more && p.Offset+p.Limit >= maxFound {
		more = false
	}
	found, err = openBlobs(ctx, found)
	return found, more, explain(err)
}

// filesOfMany searches several repositories. It stops after a time and returns what it has found until then.
func filesOfMany(ctx context.Context, places []place, term fileTerm, p store.Page) ([]Blob, bool, error) {
	limited, stop := context.WithTimeout(ctx, maxTime)
	defer stop()
	var found []Blob
	want := min(p.Offset+p.Limit+1, maxFound)
	for _, in := range places {
		some, _, err := in.files(limited, term, 0, want-len(found))
		if limited.Err() != nil || errors.Is(err, git.ErrTooSlow) {
			found = append(found, some...)
			break
		}
		if err != nil {
			return nil, false, err
		}
		if found = append(found, some...); len(found) >= want {
			break
		}
	}
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	found = found[min(p.Offset, len(found)):]
	return found[:min(p.Limit, len(found))], len(found) > p.Limit, nil
}

// files returns the files of a repository that are found: first those that are found by their paths, then those by their lines.
func (in place) files(ctx context.Context, term fileTerm, skip, most int) ([]Blob, bool, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	named := in.findPaths(ctx, term, skip+most+1)
	var chunks []git.Chunk
	var more bool
	var err error
	if skip == 0 && term.text != "" { // git searches the lines at the same time
		chunks, more, err = in.repo.Grep(ctx, in.commit, term.grep(0, most))
	}
	byPath := <-named
	if err = errors.Join(err, byPath.err); err != nil {
		return nil, false, err
	}
	var found []Blob
	for _, path := range byPath.paths[min(skip, len(byPath.paths)):] {
		found = append(found, Blob{
			Chunk: git.Chunk{Path: path, Line: 1}, Match: 1, Ref: in.ref, ProjectID: in.projectID, GroupID: in.groupID,
			in: in, opened: true,
		})
	}
	if skip > 0 && term.text != "" && len(found) <= most {
		chunks, more, err = in.repo.Grep(ctx, in.commit, term.grep(max(skip-len(byPath.paths), 0), most-len(found)+1))
	}
	for _, c := range chunks {
		found = append(found, Blob{Chunk: c, Match: term.lineIn(c), Ref: in.ref, ProjectID: in.projectID, GroupID: in.groupID, in: in})
	}
	if len(found) > most {
		found, more = found[:most], true
	}
	return found, more, err
}

// foundPaths are files that were found by their paths.
type foundPaths struct {
	paths []string
	err   error
}

// findPaths lists files by their paths, in the background.
func (in place) findPaths(ctx context.Context, term fileTerm, most int) <-chan foundPaths {
	named := make(chan foundPaths, 1)
	go func() {
		paths, err := in.repo.FindPaths(ctx, in.commit, term.names, most)
		named <- foundPaths{paths, err}
	}()
	return named
}

// openBlobs reads the beginning of files that were found by their paths, and leaves out binary ones.
func openBlobs(ctx context.Context, found []Blob) ([]Blob, error) {
	var kept []Blob
	for len(found) > 0 {
		n := 0 // results of the same repository
		var paths []string
		for n < len(found) && found[n].in.repo == found[0].in.repo {
			if found[n].opened {
				paths = append(paths, found[n].Path)
			}
			n++
		}
		texts, err := found[0].in.repo.FirstLines(ctx, found[0].in.commit, paths)
		if err != nil {
			return nil, err
		}
		for _, b := range found[:n] {
			text, isText := texts[b.Path]
			if b.opened && !isText {
				continue
			}
			if b.opened {
				b.Text = text
			}
			kept = append(kept, b)
		}
		found = found[n:]
	}
	return kept, nil
}
