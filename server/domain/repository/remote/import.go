package remote

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/server/domain/project"
	"svc/server/domain/repository/contribution"
	"svc/server/domain/repository/lifecycle"
	"svc/server/domain/repository/push"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Create creates a project whose repository a job then copies from a URL.
func (s *Service) Create(
	ctx context.Context, projects *project.Service, in project.Place, n project.New, from string,
) (made model.Project, err error) {
	if !s.Store.Settings.Current().ImportsFrom(model.ImportedFromGit) {
		return made, apierr.Forbidden("import_url is disabled")
	}
	if n.Readme {
		return made, apierr.BadParameter("initialize_with_readme cannot be used together with import_url")
	}
	u, err := s.checkAddress(ctx, "import_url", from)
	if err != nil {
		return made, err
	}
	user := reqctx.Of(ctx).Actor.User.ID
	err = s.Store.Tx(ctx, func(ctx context.Context) error {
		if made, err = projects.Create(ctx, in, n); err != nil {
			return err
		}
		i := model.ProjectImport{ProjectID: made.ID, UserID: &user, Sealed: s.vault.Seal([]byte(from), owner(made.ID))}
		if err := s.Store.ProjectImports.Create(ctx, i, model.ImportedFromGit, shownAddress(u)); err != nil {
			return err
		}
		return s.Enqueue(ctx, Import{ProjectID: made.ID})
	})
	return made, err
}

// owner is the owner that the address of a project's import is sealed for.
func owner(projectID int64) string { return "project " + strconv.FormatInt(projectID, 10) }

// Import is the job that copies the repository of a project from a URL.
type Import struct {
	ProjectID int64 `json:"project_id"`
}

// Kind returns the name of the job in the queue.
func (Import) Kind() string { return "import_repository" }

// importTime is how long an import may take. The job may take a little longer.
const importTime = 55 * time.Minute

var errTooLong = &FailedError{fmt.Sprintf("The import took longer than %d minutes.", int(importTime.Minutes()))}

// RunImport copies the repository of a project. If it is interrupted at any point, it begins again: refs are written last
// and all at once. An import that fails ends with its reason; the project stays, and its repository is empty.
func (s *Service) RunImport(ctx context.Context, job Import) error {
	i, err := s.Store.ProjectImports.Get(ctx, job.ProjectID)
	if store.IsNotFound(err) {
		return nil // done, or the project is deleted
	}
	if err != nil {
		return err
	}
	row, err := s.Store.Projects.Get(ctx, job.ProjectID, "", &store.Reader{Admin: true})
	if err != nil {
		return ignoreNotFound(err)
	}
	if err := s.Store.ProjectImports.Start(ctx, i.ProjectID); err != nil {
		return err
	}
	limited, cancel := context.WithTimeoutCause(ctx, importTime, errTooLong)
	defer cancel()
	repo := s.Repos.Project(row.Project.RepositoryStorage, row.Project.ID)
	result, u, err := s.copy(limited, i, row, repo)
	if err == nil {
		return s.finish(ctx, i, row, result)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx) // the service is stopping; the job starts again
	}
	return s.fail(ctx, i, row, s.reason(ctx, err, row.Project, u))
}

// ignoreNotFound returns nil for a project or mirror that was deleted.
func ignoreNotFound(err error) error {
	if store.IsNotFound(err) {
		return nil
	}
	return err
}

// copied is a copied repository.
type copied struct {
	empty bool
	head  string // the default branch
}

// copy copies the branches and tags of the remote repository into an empty one.
func (s *Service) copy(
	ctx context.Context, i model.ProjectImport, row model.ProjectRow, repo git.Repo,
) (c copied, u *url.URL, err error) {
	if u, err = s.openSealed(i.Sealed, i.ProjectID); err != nil {
		return c, nil, err
	}
	o, err := s.open(ctx, u, git.UploadPack)
	if err != nil {
		return c, u, err
	}
	refs := o.Copied()
	if len(refs) == 0 {
		return copied{empty: true}, u, repo.Create(row.Project.DefaultBranch)
	}
	c.head = s.headOf(row.Project, o.Head, refs)
	if err := repo.Create(row.Project.DefaultBranch); err != nil {
		return c, u, err
	}
	if err := s.receive(ctx, o, repo, refs, nil); err != nil {
		return c, u, err
	}
	return c, u, repo.Adopt(ctx, refs, o.Peeled, c.head)
}

// receive fetches the objects of refs into a repository. Refs whose objects are not as they must be are left out.
func (s *Service) receive(ctx context.Context, o *session, repo git.Repo, refs map[string]string, haves []string) error {
	wants := slices.Compact(slices.Sorted(maps.Values(refs)))
	body, err := o.fetch(ctx, wants, haves)
	if err != nil {
		return err
	}
	defer body.Close()
	q, err := repo.ReceiveFetched(ctx, body, s.maxBytes())
	defer q.Discard()
	if err != nil {
		return err
	}
	bad, err := q.Tips(ctx, refs)
	if err != nil {
		return err
	}
	for _, name := range bad {
		if strings.HasPrefix(name, "refs/heads/") {
			return &FailedError{"The server has not sent the commit of the branch " + strings.TrimPrefix(name, "refs/heads/") + "."}
		}
		delete(refs, name)
	}
	return q.Accept()
}

// maxBytes returns the largest number of bytes that may be fetched; 0 if there is no limit.
func (s *Service) maxBytes() int64 { return s.Store.Settings.Current().MaxImportSize << 20 }

// headOf returns the default branch of an imported project: the one that was chosen for the project if the repository has
// it, or else that of the remote, a usual one, or the first.
func (s *Service) headOf(p model.Project, remote string, refs map[string]string) string {
	usual := s.Store.Settings.Current().BranchName()
	first := []string{remote, p.DefaultBranch, "main", "master"}
	if p.DefaultBranch != usual {
		first = append([]string{p.DefaultBranch}, first...)
	}
	for _, name := range first {
		if refs["refs/heads/"+name] != "" {
			return name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		if branch, ok := strings.CutPrefix(name, "refs/heads/"); ok {
			return branch
		}
	}
	return ""
}

// finish stores that an import has succeeded, and queues what follows.
func (s *Service) finish(ctx context.Context, i model.ProjectImport, row model.ProjectRow, c copied) error {
	return s.Store.Tx(ctx, func(ctx context.Context) error {
		ended, err := s.Store.ProjectImports.End(ctx, store.Imported{
			ProjectID: i.ProjectID, Empty: c.empty, DefaultBranch: c.head, Protect: push.FirstRule(row, c.head),
		})
		if err != nil || !ended {
			return err
		}
		p := row.Project
		p.EmptyRepo = c.empty
		if c.head != "" {
			p.DefaultBranch = c.head
		}
		if err := s.Measurer.Readme(ctx, p); err != nil {
			return err
		}
		if err := s.Store.Repositories.MarkChanged(ctx, p.ID); err != nil {
			return err
		}
		for _, job := range []Job{lifecycle.MaintainJob{ProjectID: p.ID}, contribution.CountJob{ProjectID: p.ID}} {
			if err := s.Enqueue(ctx, job); err != nil {
				return err
			}
		}
		return s.audit(ctx, i, p, "project_imported", "Imported the repository of the project")
	})
}

// fail stores that an import has failed, and why.
func (s *Service) fail(ctx context.Context, i model.ProjectImport, row model.ProjectRow, reason string) error {
	return s.Store.Tx(ctx, func(ctx context.Context) error {
		ended, err := s.Store.ProjectImports.End(ctx, store.Imported{ProjectID: i.ProjectID, Error: &reason, Empty: true})
		if err != nil || !ended {
			return err
		}
		return s.audit(ctx, i, row.Project, "project_import_failed", "Could not import the repository of the project: "+reason)
	})
}

// audit writes the audit event of the end of an import.
func (s *Service) audit(ctx context.Context, i model.ProjectImport, p model.Project, kind, message string) error {
	c := events.OfProject(p, kind, message)
	c.Author = events.System
	if i.UserID != nil {
		u, err := s.Store.Users.Get(ctx, *i.UserID)
		if err != nil && !store.IsNotFound(err) {
			return err
		}
		if err == nil {
			c.Author = &events.Author{ID: u.ID, Name: u.Name}
		}
	}
	return events.Audit(ctx, s.Store, c)
}

// reason returns why a copy failed, in a text that maintainers may read. It logs errors of this service.
func (s *Service) reason(ctx context.Context, err error, p model.Project, u *url.URL) string {
	var failed *FailedError
	var remote *git.RemoteError
	switch {
	case errors.As(err, &failed):
		return failed.Text
	case errors.As(err, &remote):
		text := withoutSecrets(remote.Why, u)
		return strings.ToUpper(text[:1]) + text[1:] + "."
	case errors.Is(err, git.ErrTooLarge):
		return fmt.Sprintf("The repository is larger than %d MiB, the limit for imports.", s.maxBytes()>>20)
	case errors.Is(err, context.DeadlineExceeded):
		return errTooLong.Text
	}
	s.Logger.ErrorContext(ctx, "a repository could not be copied", "project_id", p.ID, "error", withoutSecrets(err.Error(), u))
	return "An error of this service has ended the import. An administrator finds it in the log."
}
