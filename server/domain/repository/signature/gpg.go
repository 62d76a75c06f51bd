package signature

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	pgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

const gpgBegin = "-----BEGIN PGP SIGNATURE-----"

// gpgSignature is a signature and the id of the key that it names.
type gpgSignature struct {
	data  []byte
	keyID string
	more  bool // whether there is more than one signature
}

// readGPG parses an armored signature. It returns false if the text is not a signature.
func readGPG(text string) (gpgSignature, bool) {
	if len(text) > maxSignature {
		return gpgSignature{}, false
	}
	block, err := armor.Decode(strings.NewReader(text))
	if err != nil || block.Type != openpgp.SignatureType {
		return gpgSignature{}, false
	}
	data, err := io.ReadAll(block.Body)
	if err != nil {
		return gpgSignature{}, false
	}
	s := gpgSignature{data: data}
	found := 0
	packets := packet.NewReader(bytes.NewReader(data))
	for {
		p, err := packets.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		sig, ok := p.(*packet.Signature)
		if err != nil || !ok || sig.IssuerKeyId == nil {
			return gpgSignature{}, false
		}
		if found++; found == 1 {
			s.keyID = fmt.Sprintf("%016X", *sig.IssuerKeyId)
		}
	}
	s.more = found > 1 || strings.Count(text, gpgBegin) > 1
	return s, found > 0
}

func (c *Checker) gpg(ctx context.Context, signed git.Signed, committer string) (model.CommitSignature, error) {
	out := model.CommitSignature{Type: model.SignaturePGP, Status: model.SignatureUnverified}
	s, ok := readGPG(signed.Signature)
	if !ok {
		return out, nil
	}
	out.KeyID = &s.keyID
	if s.more {
		out.Status = model.SignatureMultipleSignatures
		return out, nil
	}
	signers, err := c.store.GPGKeys.Signers(ctx, s.keyID)
	if err != nil {
		return out, err
	}
	if len(signers) == 0 {
		out.Status = model.SignatureUnknownKey
		return out, nil
	}
	// Two keys can have the same id, if somebody has tried long enough. Then the key that verifies counts.
	for i, signer := range signers {
		entity, failed := s.verify(ctx, signer.Key.Key, signed.Content)
		if failed != nil && i+1 < len(signers) && !errors.Is(failed, pgperrors.ErrKeyRevoked) {
			continue
		}
		return c.judge(ctx, out, signer, entity, failed, committer)
	}
	return out, nil
}

// verify checks that a key has made the signature. It returns the key if the key can be parsed. An expired key does not
// verify, because anybody can set their clock back.
func (s gpgSignature) verify(ctx context.Context, key string, content []byte) (*openpgp.Entity, error) {
	ring, err := openpgp.ReadArmoredKeyRing(strings.NewReader(key))
	if err != nil || len(ring) != 1 {
		return nil, errors.Join(err, errors.New("not one key"))
	}
	at := &packet.Config{Time: func() time.Time { return clock.Now(ctx) }}
	_, err = openpgp.CheckDetachedSignature(ring, bytes.NewReader(content), bytes.NewReader(s.data), at)
	return ring[0], err
}

// judge sets the status of the signature and the name and address of its key.
func (c *Checker) judge(
	ctx context.Context, out model.CommitSignature, signer model.GPGSigner, entity *openpgp.Entity, failed error,
	committer string,
) (model.CommitSignature, error) {
	out.KeyID, out.GPG, out.SubkeyID = &signer.Key.KeyID, &signer.Key, signer.SubkeyID
	if entity == nil {
		return out, nil
	}
	people := userIDs(entity, clock.Now(ctx))
	addresses := []string{committer}
	for _, p := range people {
		addresses = append(addresses, strings.ToLower(p.Email))
	}
	own, err := c.confirmed(ctx, signer.Key.UserID, addresses)
	if err != nil {
		return out, err
	}
	out.Name, out.Email = shown(people, committer)
	ofKey := func(address string) bool { return slices.Contains(addresses[1:], address) }
	switch {
	case errors.Is(failed, pgperrors.ErrKeyRevoked):
		out.Status = model.SignatureRevokedKey
	case !slices.ContainsFunc(addresses[1:], func(address string) bool { return own[address] }):
		out.Status = model.SignatureUnverifiedKey
	case failed != nil:
		out.Status = model.SignatureUnverified
	case own[committer] && ofKey(committer):
		out.Status = model.SignatureVerified
	case own[committer]:
		out.Status = model.SignatureDifferentEmail
	default:
		out.Status = model.SignatureOtherUser
	}
	return out, nil
}

// userIDs returns the user ids of a key that are not revoked, sorted.
func userIDs(e *openpgp.Entity, now time.Time) []*packet.UserId {
	var people []*packet.UserId
	for _, id := range e.Identities {
		if !id.Revoked(now) {
			people = append(people, id.UserId)
		}
	}
	slices.SortFunc(people, func(a, b *packet.UserId) int { return strings.Compare(a.Id, b.Id) })
	return people
}

// shown returns the name and the address to show for a key: the user id with the committer's address if there is one.
func shown(people []*packet.UserId, committer string) (name, email *string) {
	for _, p := range people {
		if email == nil || strings.EqualFold(p.Email, committer) {
			name, email = &p.Name, &p.Email
		}
	}
	return name, email
}
