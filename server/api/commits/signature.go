package commits

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/git"
)

// GetProjectRepositoryCommitSignature checks the signature of a commit.
// GET /projects/{id}/repository/commits/{sha}/signature
func (c *Commits) GetProjectRepositoryCommitSignature(
	ctx context.Context, req gen.GetProjectRepositoryCommitSignatureRequestObject,
) (gen.GetProjectRepositoryCommitSignatureResponseObject, error) {
	_, repo, commit, err := c.find(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	signed, err := repo.Signed(ctx, commit.ID)
	if errors.Is(err, git.ErrNotFound) {
		return nil, apierr.NotFound("Signature")
	}
	if err != nil {
		return nil, err
	}
	found, err := c.signatures.Check(ctx, signed, commit.Committer.Email)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryCommitSignature200JSONResponse(present.CommitSignature(found)), nil
}
