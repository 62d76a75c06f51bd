package account

import (
	"context"

	"svc/server/domain/token"
	"svc/server/platform/access"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// Root is the administrator of a new instance.
type Root struct{ Username, Password, Token string }

// CreateFirstAdmin creates the administrator of an instance that has no users yet. If the instance has users, it
// returns nil. It generates the secrets that are empty.
func CreateFirstAdmin(ctx context.Context, st *store.Store, password, plainToken string) (*Root, error) {
	if found, err := st.Users.Any(ctx); err != nil || found {
		return nil, err
	}
	root := &Root{Username: "root", Password: password, Token: plainToken}
	if root.Password == "" {
		root.Password = newPassword()
	}
	if root.Token == "" {
		root.Token = secret.NewToken()
	}
	made := false
	err := st.Exclusive(ctx, "first start", func(ctx context.Context) error {
		// Another process may have created the administrator while this one waited.
		if found, err := st.Users.Any(ctx); err != nil || found {
			return err
		}
		u, err := Create(ctx, st, NewUser{
			Username: root.Username, Name: "Administrator", Email: "admin@example.com", Password: root.Password, Admin: true,
		})
		if err != nil {
			return err
		}
		row := token.Row(u.ID, "first start", root.Token, access.Scopes, nil)
		if err := token.Add(ctx, st, row); err != nil {
			return err
		}
		made = true
		return recordGenerated(ctx, st, u, row, password == "", plainToken == "")
	})
	if err != nil || !made {
		return nil, err
	}
	return root, nil
}

func newPassword() string { return secret.Random()[:20] }

// recordGenerated records which secrets were generated, so that RenewFirstSecrets can replace them.
func recordGenerated(
	ctx context.Context, st *store.Store, u model.User, token *model.PersonalAccessToken, password, tokenToo bool,
) error {
	if _, err := st.Instance.Get(ctx); err != nil {
		return err
	}
	set := map[string]any{}
	if password {
		set["first_password"] = u.PasswordHash
	}
	if tokenToo {
		set["first_token_id"] = token.ID
	}
	if len(set) == 0 {
		return nil
	}
	return st.Instance.Set(ctx, set)
}

// RenewFirstSecrets replaces the secrets that CreateFirstAdmin generated, as long as nobody has used them, because
// nobody may have seen the first ones. They count as used once the administrator has signed in, has made a request, or
// has another password or token. From then on RenewFirstSecrets returns nil.
func RenewFirstSecrets(ctx context.Context, st *store.Store, password, token string) (*Root, error) {
	instance, err := st.Instance.Get(ctx)
	if err != nil || instance.FirstPassword == nil && instance.FirstTokenID == nil {
		return nil, err
	}
	u, err := st.Users.GetByUsername(ctx, "root")
	if err != nil && !store.IsNotFound(err) {
		return nil, err
	}
	used := err != nil
	if !used {
		if used, err = firstSecretsUsed(ctx, st, instance, u); err != nil {
			return nil, err
		}
	}
	if used {
		return nil, st.Instance.Set(ctx, map[string]any{"first_password": nil, "first_token_id": nil})
	}
	root := &Root{Username: u.Username, Password: password, Token: token}
	return root, st.Tx(ctx, func(ctx context.Context) error { return replace(ctx, st, instance, u, root) })
}

// firstSecretsUsed reports whether the administrator has used the password or the token of the first start.
func firstSecretsUsed(ctx context.Context, st *store.Store, instance model.Instance, u model.User) (bool, error) {
	if u.SignInCount > 0 || u.LastActivityOn != nil ||
		instance.FirstPassword != nil && *instance.FirstPassword != u.PasswordHash {
		return true, nil
	}
	if instance.FirstTokenID != nil {
		if used, err := tokenUsed(ctx, st, *instance.FirstTokenID); used || err != nil {
			return used, err
		}
	}
	// The use of a token is stored a few seconds later, but its writes at once.
	return st.AuditEvents.AnyBy(ctx, u.ID)
}

// tokenUsed reports whether a token was used, was revoked or is gone.
func tokenUsed(ctx context.Context, st *store.Store, id int64) (bool, error) {
	row, err := st.Tokens.Get(ctx, id)
	if store.IsNotFound(err) {
		return true, nil
	}
	return row.Revoked || row.LastUsedAt != nil, err
}

// replace sets new secrets in place of the unused ones.
func replace(ctx context.Context, st *store.Store, instance model.Instance, u model.User, root *Root) error {
	if instance.FirstPassword != nil {
		if root.Password == "" {
			root.Password = newPassword()
		}
		if err := NewPassword(ctx, st, u.ID, root.Password); err != nil {
			return err
		}
		now, err := st.Users.Get(ctx, u.ID)
		if err != nil {
			return err
		}
		if err := st.Instance.Set(ctx, map[string]any{"first_password": now.PasswordHash}); err != nil {
			return err
		}
	}
	if instance.FirstTokenID == nil {
		return nil
	}
	if root.Token == "" {
		root.Token = secret.NewToken()
	}
	return st.Tokens.SetDigest(ctx, *instance.FirstTokenID, secret.Digest(root.Token))
}

// ReplaceToken gives a token another text.
func ReplaceToken(ctx context.Context, st *store.Store, old, text string) error {
	found, err := st.Tokens.FindByDigest(ctx, secret.Digest(old), nil)
	if err != nil {
		return err
	}
	return st.Tokens.SetDigest(ctx, found.ID, secret.Digest(text))
}
