// Package signature verifies the signatures of commits against the keys and confirmed addresses of users.
package signature

import (
	"context"
	"strings"
	"unicode/utf8"

	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// maxSignature is the maximum size of a signature that is parsed; real ones have a few hundred bytes.
const maxSignature = 64 << 10

// Checker verifies signatures.
type Checker struct{ store *store.Store }

// New returns a Checker.
func New(st *store.Store) *Checker { return &Checker{st} }

// Check returns what the signature of a commit proves about its committer.
func (c *Checker) Check(ctx context.Context, signed git.Signed, committer string) (model.CommitSignature, error) {
	committer = strings.ToLower(committer)
	switch text := strings.TrimSpace(signed.Signature); {
	case strings.HasPrefix(text, sshBegin):
		return c.ssh(ctx, signed, committer)
	case strings.HasPrefix(text, "-----BEGIN SIGNED MESSAGE-----"):
		// Certificates cannot be verified: the service stores neither certificates of users nor trusted roots.
		return model.CommitSignature{Type: model.SignatureX509, Status: model.SignatureUnverified}, nil
	}
	return c.gpg(ctx, signed, committer)
}

// confirmed reports which of the addresses, in lower case, a user has confirmed.
func (c *Checker) confirmed(ctx context.Context, userID int64, addresses []string) (map[string]bool, error) {
	var fit []string
	for _, address := range addresses {
		if address != "" && utf8.ValidString(address) && !strings.ContainsRune(address, 0) {
			fit = append(fit, address)
		}
	}
	owners, err := c.store.Users.ByConfirmedEmail(ctx, fit)
	own := map[string]bool{}
	for address, owner := range owners {
		own[address] = owner.ID == userID
	}
	return own, err
}
