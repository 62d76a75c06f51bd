package projectpages

import (
	"context"
	"errors"

	"svc/store/git"
	"svc/store/model"
)

// signatureTexts say what the statuses of signatures mean.
var signatureTexts = map[string]string{
	model.SignatureVerified:           "Verified: the committer has signed it",
	model.SignatureUnverified:         "Not verified: the signature does not fit, or cannot be checked",
	model.SignatureDifferentEmail:     "Not verified: the key of the committer is for another mail address",
	model.SignatureOtherUser:          "Not verified: the key belongs to another user",
	model.SignatureUnverifiedKey:      "Not verified: the owner of the key has confirmed none of its mail addresses",
	model.SignatureUnknownKey:         "Not verified: no user has this key",
	model.SignatureMultipleSignatures: "Not verified: there is more than one signature",
	model.SignatureRevokedKey:         "Not verified: the key was revoked",
}

// signatureText returns what the signature of a commit proves; empty for a commit without one.
func (p *Pages) signatureText(ctx context.Context, repo git.Repo, commit git.Commit) (string, error) {
	signed, err := repo.Signed(ctx, commit.ID)
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrTooLarge) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	found, err := p.signatures.Check(ctx, signed, commit.Committer.Email)
	if err != nil {
		return "", err
	}
	text, kind := signatureTexts[found.Status], found.Type
	if kind == model.SignaturePGP {
		kind = "GPG"
	}
	if text += " (" + kind; found.KeyID != nil {
		text += " key " + *found.KeyID
	}
	return text + ")", nil
}
