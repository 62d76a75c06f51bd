package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"svc/server/domain/account"
	"svc/server/domain/fixture"
	"svc/server/platform/config"
)

// firstFile is in the data folder of the process that created an instance, until somebody has used the password or
// token that it printed. Other processes on the same database do not replace these secrets.
const firstFile = "first-start"

const firstText = "The first password and token of the administrator have not been used yet. " +
	"The next start generates new ones and prints them.\n"

// firstStart is what a start has created.
type firstStart struct {
	root     *account.Root // nil if somebody has used the secrets of the first start
	repeated bool          // root existed already and has new secrets
	data     *testData     // what the instance began with; nil without any
}

// createFirst creates the administrator of a new instance, and the test data. At later starts, the administrator
// gets new secrets as long as nobody has used the earlier ones: perhaps nobody saw them.
func createFirst(ctx context.Context, cfg config.Config, to fixture.Target, data *testData) (f firstStart, err error) {
	st := to.Store
	path := filepath.Join(cfg.Data, firstFile)
	if f.repeated, err = st.Users.Any(ctx); err != nil {
		return f, err
	}
	if f.repeated {
		if _, err := os.Stat(path); err != nil {
			return f, nil //nolint:nilerr // another process has made the instance, or all is seen
		}
		f.root, err = account.RenewFirstSecrets(ctx, st, cfg.RootPassword, cfg.RootToken)
	} else {
		if err := os.WriteFile(path, []byte(firstText), 0o600); err != nil {
			return f, fmt.Errorf("write to the data folder: %w", err)
		}
		f.root, err = account.CreateFirstAdmin(ctx, st, cfg.RootPassword, cfg.RootToken)
	}
	if err != nil {
		return f, err
	}
	if f.root == nil {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return f, err
		}
		return f, nil
	}
	if !f.repeated && data != nil {
		f.data = data
		if f.root.Password == fixture.RootPassword {
			if err := fixture.SetPassword(ctx, st, f.root.Username, f.root.Password); err != nil {
				return f, err
			}
		}
		_, err = fixture.Load(ctx, to, data.document, nil)
	}
	return f, err
}

// show prints the secrets of the administrator.
func (f firstStart) show(out io.Writer, url string) {
	if f.root == nil {
		return
	}
	if f.repeated {
		fmt.Fprint(out,
			"\nNobody has used the password or token of the first start yet. Here are new ones; the old ones no longer work.\n",
		)
	} else {
		fmt.Fprint(out, "\nThis is the first start. Store these secrets: once one of them is used, they are not shown again.\n")
	}
	fmt.Fprintf(out, "\n  administrator  %s\n", f.root.Username)
	if f.root.Password != "" {
		fmt.Fprintf(out, "  password       %s\n", f.root.Password)
	}
	if f.root.Token != "" {
		fmt.Fprintf(
			out, "  token          %s\n\nTry it:\n\n  curl --header \"PRIVATE-TOKEN: %s\" %s/api/v4/user\n",
			f.root.Token, f.root.Token, url,
		)
	}
	fmt.Fprintf(out, "\nSign in at %s/users/sign_in; the documentation is at %s/-/docs\n", url, url)
}
