package snippet

import (
	"context"

	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/git"
	"svc/store/model"
)

const maxUserAgent = 255

// Draft describes a new snippet.
type Draft struct {
	Project     *model.Project // nil for a personal snippet
	Title       string
	Description *string
	Visibility  *model.Visibility // nil for the default of the settings
	Files       []git.Change      // each creates a file
}

// Create creates a snippet of the caller, and its repository.
func (s *Service) Create(ctx context.Context, d Draft) (model.SnippetRow, error) {
	row, err := s.newRow(ctx, d)
	if err != nil {
		return model.SnippetRow{}, err
	}
	person, err := s.writer.Caller(ctx)
	if err != nil {
		return model.SnippetRow{}, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		if err := s.store.Snippets.Create(ctx, &row.Snippet); err != nil {
			return events.Change{}, err
		}
		head, err := s.repositories.New(ctx, Repository(row), lifecycle.Edit{
			Author: person, Message: "Create the snippet",
			Changes: func(git.Repo, string) ([]git.Change, error) { return d.Files, nil },
		})
		if err != nil {
			return events.Change{}, err
		}
		return auditChange(row, "snippet_created", "Created snippet"),
			s.store.OtherRepositories.SetHead(ctx, model.SnippetRepository, row.Snippet.ID, head)
	})
	return row, commit.Explain(err)
}

// newRow returns the row of a new snippet. It checks the number of files and reads the author.
func (s *Service) newRow(ctx context.Context, d Draft) (model.SnippetRow, error) {
	visibility := s.store.Settings.Current().SnippetVisibility()
	if d.Visibility != nil {
		visibility = *d.Visibility
	}
	if err := s.checkRestricted(ctx, visibility); err != nil {
		return model.SnippetRow{}, err
	}
	paths, err := pathsAfter(nil, d.Files)
	if err != nil {
		return model.SnippetRow{}, err
	}
	info := reqctx.Of(ctx)
	author, err := s.store.Users.Get(ctx, info.Actor.User.ID)
	if err != nil {
		return model.SnippetRow{}, err
	}
	agent := info.Header.Get("User-Agent")
	row := model.SnippetRow{Author: author, Project: d.Project, Snippet: model.Snippet{
		AuthorID: author.ID, Title: d.Title, Description: d.Description, Visibility: visibility,
		RepositoryStorage: model.DefaultStorage,
		UserAgent:         agent[:min(len(agent), maxUserAgent)], IPAddress: info.IP.String(),
	}}
	if d.Project != nil {
		row.Snippet.ProjectID = &d.Project.ID
	}
	err = row.Snippet.SetPaths(paths)
	return row, err
}

// checkRestricted refuses a visibility that the settings reserve for administrators.
func (s *Service) checkRestricted(ctx context.Context, to model.Visibility) error {
	if access.Restricted(ctx, s.store, to) {
		return apierr.Invalid("visibility_level", to.String()+" has been restricted by your administrator")
	}
	return nil
}
