// Package signature checks who has signed commits, against the keys and confirmed addresses of users.
package signature

import (
	"context"
	"strings"
	"unicode/utf8"

	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// maxSignature is the size of a signature that is looked at; real ones have a few hundred bytes.
const maxSignature = 64 << 10

// Checker checks signatures.
type Checker struct{ store *store.Store }

// New needs where keys and addresses are.
func New(st *store.Store) *Checker { return &Checker{st} }

// Check tells what the signature of a commit proves about its committer.
func (c *Checker) Check(ctx context.Context, signed git.Signed, committer string) (model.CommitSignature, error) {
	committer = strings.ToLower(committer)
	switch text := strings.TrimSpace(signed.Signature); {
	case strings.HasPrefix(text, sshBegin):
		return c.ssh(ctx, signed, committer)
	case strings.HasPrefix(text, "-----BEGIN SIGNED MESSAGE-----"):
		// Whom to believe would have to be set up first: there are no certificates of users, and no roots.
		return model.CommitSignature{Type: model.SignatureX509, Status: model.SignatureUnverified}, nil
	}
	return c.gpg(ctx, signed, committer)
}

// confirmed tells which of some addresses, in lower case, a user has confirmed.
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
