package snippet

import (
	"context"

	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/events"
	"svc/store/git"
	"svc/store/model"
)

// Change describes what to change in a snippet; nil fields stay as they are.
type Change struct {
	Title       *string
	Description *string
	Visibility  *model.Visibility
	Files       *[]FileAction // what becomes of the files, in this order
	// FileName and Content change the only file of a snippet, if Files is nil.
	FileName, Content *string
}

// columns returns the columns to set.
func (c Change) columns() map[string]any {
	set := map[string]any{}
	if c.Title != nil {
		set["title"] = *c.Title
	}
	if c.Description != nil {
		set["description"] = *c.Description
	}
	if c.Visibility != nil {
		set["visibility"] = *c.Visibility
	}
	return set
}

// Apply changes the fields of a snippet, and its files if the change has any.
func (s *Service) Apply(ctx context.Context, row model.SnippetRow, c Change) (model.SnippetRow, error) {
	set := c.columns()
	if c.Visibility != nil && *c.Visibility != row.Snippet.Visibility {
		if err := s.checkRestricted(ctx, *c.Visibility); err != nil {
			return model.SnippetRow{}, err
		}
	}
	var err error
	switch {
	case c.Files != nil || c.Content != nil || c.FileName != nil:
		err = s.rewrite(ctx, row, c, set)
	case len(set) > 0:
		err = s.update(ctx, row, set)
	}
	if err != nil {
		return model.SnippetRow{}, commit.Explain(err)
	}
	return s.store.Snippets.Get(ctx, row.Snippet.ID)
}

// update sets columns of a snippet.
func (s *Service) update(ctx context.Context, row model.SnippetRow, set map[string]any) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		return auditChange(row, "snippet_updated", "Changed snippet"), s.store.Snippets.Update(ctx, row.Snippet.ID, set)
	})
}

// rewrite changes the files of a snippet, and the columns in set.
func (s *Service) rewrite(ctx context.Context, row model.SnippetRow, c Change, set map[string]any) error {
	person, err := s.writer.Caller(ctx)
	if err != nil {
		return err
	}
	none := false
	_, err = s.repositories.Write(ctx, Repository(row), lifecycle.Edit{
		Author: person, Message: "Update the snippet",
		Changes: func(git.Repo, string) ([]git.Change, error) {
			// Read again, now that other writers of this repository have to wait.
			now, err := s.store.Snippets.Get(ctx, row.Snippet.ID)
			if err != nil {
				return nil, err
			}
			all, err := c.fileChanges(now.Snippet.Paths())
			if none = len(all) == 0; err != nil || none {
				return nil, err
			}
			left, err := pathsAfter(now.Snippet.Paths(), all)
			if err != nil {
				return nil, err
			}
			if err := now.Snippet.SetPaths(left); err != nil {
				return nil, err
			}
			set["files"] = now.Snippet.Files
			return all, nil
		},
		Record: func(ctx context.Context, _ string) error { return s.update(ctx, row, set) },
	})
	if err == nil && none && len(set) > 0 {
		return s.update(ctx, row, set)
	}
	return err
}
