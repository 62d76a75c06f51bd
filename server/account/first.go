package account

import (
	"context"

	"svc/server/access"
	"svc/store"
	"svc/store/secret"
)

// Root is the administrator of a new instance.
type Root struct{ Username, Password, Token string }

// First makes the administrator of an instance that has no users yet; otherwise it returns nil. Empty secrets are made up.
func First(ctx context.Context, st *store.Store, password, token string) (*Root, error) {
	if found, err := st.Users.Any(ctx); err != nil || found {
		return nil, err
	}
	root := &Root{Username: "root", Password: password, Token: token}
	if root.Password == "" {
		root.Password = secret.Random()[:20]
	}
	if root.Token == "" {
		root.Token = secret.NewToken()
	}
	made := false
	err := st.Once(ctx, "first start", func(ctx context.Context) error {
		// Another process may have been quicker while we waited.
		if found, err := st.Users.Any(ctx); err != nil || found {
			return err
		}
		u, err := Create(ctx, st, NewUser{Username: root.Username, Name: "Administrator", Email: "admin@example.com", Password: root.Password, Admin: true})
		if err != nil {
			return err
		}
		made = true
		return addToken(ctx, st, u.ID, "first start", root.Token, access.Scopes, nil)
	})
	if err != nil || !made {
		return nil, err
	}
	return root, nil
}
