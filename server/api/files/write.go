package files

import (
	"context"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/repository/commit"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store/git"
)

// CreateProjectRepositoryFile creates a file.
// POST /projects/{id}/repository/files/{file_path}
func (f *Files) CreateProjectRepositoryFile(
	ctx context.Context, req gen.CreateProjectRepositoryFileRequestObject,
) (gen.CreateProjectRepositoryFileResponseObject, error) {
	path, err := f.write(ctx, req.ID, req.FilePath, git.ActionCreate, *req.Body, nil)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryFile201JSONResponse{FilePath: path, Branch: req.Body.Branch}, nil
}

// UpdateProjectRepositoryFile changes a file.
// PUT /projects/{id}/repository/files/{file_path}
func (f *Files) UpdateProjectRepositoryFile(
	ctx context.Context, req gen.UpdateProjectRepositoryFileRequestObject,
) (gen.UpdateProjectRepositoryFileResponseObject, error) {
	path, err := f.write(ctx, req.ID, req.FilePath, git.ActionUpdate, *req.Body, nil)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectRepositoryFile200JSONResponse{FilePath: path, Branch: req.Body.Branch}, nil
}

// DeleteProjectRepositoryFile deletes a file.
// DELETE /projects/{id}/repository/files/{file_path}
func (f *Files) DeleteProjectRepositoryFile(
	ctx context.Context, req gen.DeleteProjectRepositoryFileRequestObject,
) (gen.DeleteProjectRepositoryFileResponseObject, error) {
	b := req.Body
	_, err := f.write(ctx, req.ID, req.FilePath, git.ActionDelete, gen.FileWrite{
		Branch: b.Branch, CommitMessage: b.CommitMessage, StartBranch: b.StartBranch, StartSha: b.StartSha,
		AuthorName: b.AuthorName, AuthorEmail: b.AuthorEmail, LastCommitID: b.LastCommitID,
	}, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectRepositoryFile204Response{}, nil
}

const fileChangedText = "You are attempting to update a file that has changed since you started editing it."

// write commits one action on one file and returns the path of the file. It fails if the file was changed after
// unchangedSince.
func (f *Files) write(ctx context.Context, id, path, action string, b gen.FileWrite, unchangedSince *time.Time) (string, error) {
	row, err := f.access.Project(ctx, id, access.PushCode)
	if err != nil {
		return "", err
	}
	if path, err = clean(path); err != nil {
		return "", err
	}
	start, err := commit.StartAt(b.StartBranch, b.StartSha)
	if err != nil {
		return "", err
	}
	change := git.Change{Action: action, Path: path, Executable: b.ExecuteFilemode}
	if action != git.ActionDelete {
		if change.Content, err = commit.Content(
			"content", b.Content, b.Encoding != nil && *b.Encoding == gen.ContentEncodingBase64,
		); err != nil {
			return "", err
		}
	}
	edit := commit.Edit{
		Branch: b.Branch, Start: start, Message: b.CommitMessage, AuthorName: wire.Value(b.AuthorName),
		AuthorEmail: wire.Value(b.AuthorEmail),
		Changes:     []git.Change{change},
	}
	if action != git.ActionCreate && (b.LastCommitID != nil || unchangedSince != nil) {
		edit.Seen = []commit.Seen{{Path: path, Commit: wire.Value(b.LastCommitID), Text: fileChangedText, Since: unchangedSince}}
	}
	_, err = f.writer.Write(ctx, row, edit)
	return path, err
}
