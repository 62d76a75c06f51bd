package tags

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/domain/repository/signature"
	"svc/server/domain/repository/tag"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/git"
)

// GetProjectRepositoryTagSignature checks the signature of a tag.
// GET /projects/{id}/repository/tags/{tag_name}/signature
func (t *Tags) GetProjectRepositoryTagSignature(
	ctx context.Context, req gen.GetProjectRepositoryTagSignatureRequestObject,
) (gen.GetProjectRepositoryTagSignatureResponseObject, error) {
	_, repo, err := t.open(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	found, err := tag.Find(ctx, repo, req.TagName)
	if err != nil {
		return nil, err
	}
	signed, err := repo.SignedTag(ctx, found.Target)
	if errors.Is(err, git.ErrNotFound) {
		return nil, apierr.NotFound("Signature")
	}
	if err != nil {
		return nil, err
	}
	checked, err := signature.New(t.store).Check(ctx, signed, found.Tagger.Email)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryTagSignature200JSONResponse{
		SignatureType:      gen.CommitSignatureType(checked.Type),
		VerificationStatus: gen.CommitSignatureStatus(checked.Status),
	}, nil
}
