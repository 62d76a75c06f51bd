package commits

import (
	"context"
	"fmt"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/repository/commit"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// readEdit reads the requested commit from the request body.
func (c *Commits) readEdit(ctx context.Context, p model.Project, b gen.CommitCreate) (commit.Edit, error) {
	start, err := commit.StartAt(b.StartBranch, b.StartSha)
	if err != nil {
		return commit.Edit{}, err
	}
	start.Force = b.Force != nil && *b.Force
	if b.StartProject != nil {
		if start.Project, err = c.startProject(ctx, p, *b.StartProject); err != nil {
			return commit.Edit{}, err
		}
		if start.Project != nil && start.Branch == "" && start.SHA == "" {
			return commit.Edit{}, apierr.BadParameter("start_branch, start_sha are missing, exactly one parameter must be provided")
		}
	}
	e := commit.Edit{
		Branch: b.Branch, Start: start, Message: b.CommitMessage, AuthorName: wire.Value(b.AuthorName),
		AuthorEmail: wire.Value(b.AuthorEmail),
	}
	for i, a := range b.Actions {
		change, err := readAction(i, a)
		if err != nil {
			return commit.Edit{}, err
		}
		e.Changes = append(e.Changes, change)
		if a.LastCommitID != nil && a.Action != gen.CommitActionKindCreate {
			path := change.Path
			if change.Previous != "" {
				path = change.Previous
			}
			e.Seen = append(e.Seen, commit.Seen{
				Path: path, Commit: *a.LastCommitID, Text: "The file has changed since you started editing it: " + path,
			})
		}
	}
	return e, nil
}

// startProject returns the project that a new branch starts from; nil means the same project. Another project must be in the
// same fork network.
func (c *Commits) startProject(ctx context.Context, p model.Project, ref string) (*model.Project, error) {
	from, err := c.access.Project(ctx, ref, access.ReadCode)
	if err != nil || from.Project.ID == p.ID {
		return nil, err
	}
	related, err := c.store.Projects.SameNetwork(ctx, p.ID, from.Project.ID)
	if err != nil {
		return nil, err
	}
	if !related {
		return nil, apierr.Forbidden("Project is not included in the fork network for " + p.FullName)
	}
	return &from.Project, nil
}

// readAction reads the change of one file. i is the index of the action in the request.
func readAction(i int, a gen.CommitAction) (git.Change, error) {
	name := func(member string) string { return fmt.Sprintf("actions[%d][%s]", i, member) }
	change := git.Change{Action: string(a.Action), Path: a.FilePath, Previous: wire.Value(a.PreviousPath), Executable: a.ExecuteFilemode}
	switch {
	case !isClean(a.FilePath):
		return change, apierr.BadParameter(name("file_path") + " should be a valid file path")
	case a.PreviousPath != nil && !isClean(*a.PreviousPath):
		return change, apierr.BadParameter(name("previous_path") + " should be a valid file path")
	case a.Action == gen.CommitActionKindMove && a.PreviousPath == nil:
		return change, apierr.BadParameter(name("previous_path") + " is missing")
	case a.Action == gen.CommitActionKindChmod && a.ExecuteFilemode == nil:
		return change, apierr.BadParameter(name("execute_filemode") + " is missing")
	case a.Action == gen.CommitActionKindUpdate && a.Content == nil:
		return change, apierr.BadParameter(name("content") + " is missing")
	case a.Content == nil || a.Action == gen.CommitActionKindDelete || a.Action == gen.CommitActionKindChmod:
		return change, nil
	}
	var err error
	change.Content, err = commit.Content(name("content"), *a.Content, a.Encoding != nil && *a.Encoding == gen.ContentEncodingBase64)
	return change, err
}

func isClean(path string) bool {
	p, ok := git.CleanPath(path)
	return ok && p == path
}
