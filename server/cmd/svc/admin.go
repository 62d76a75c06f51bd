package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"svc/server/access"
	"svc/server/account"
	"svc/server/config"
	"svc/server/seed"
	"svc/store"
	"svc/store/secret"
)

const adminUsage = `svc admin works on the database directly; the server may be running.

  svc admin create-user NAME --email ADDRESS [--full-name NAME] [--password TEXT] [--admin]
  svc admin set-password NAME [--password TEXT]
  svc admin create-token NAME [--name TEXT] [--scopes api,read_user] [--expires 2027-01-31]
  svc admin make-admin NAME
  svc admin seed [--seed NUMBER] [--users 20] [--groups 12] [--projects 36]

seed makes demonstration data in a new instance. The same number makes the same data, tokens and password, which others can
work out, too: keep it to instances that nobody else reaches.
A password that is not given is made up and printed. A token ends on the day given, or as late as max-token-lifetime allows. The settings of svc serve say which database.
`

// adminFlags are what the admin commands take beside the settings.
type adminFlags struct {
	email, fullName, password, tokenName, scopes, expires string
	admin                                                 bool
	size                                                  seed.Size
	lifetime                                              access.Lifetime // a setting
}

func (f *adminFlags) add(set *flag.FlagSet) {
	set.StringVar(&f.email, "email", "", "mail address of the new user")
	set.StringVar(&f.fullName, "full-name", "", "full name of the new user")
	set.StringVar(&f.password, "password", "", "password; made up if not given")
	set.StringVar(&f.tokenName, "name", "command line", "name of the token")
	set.StringVar(&f.scopes, "scopes", "api", "scopes of the token, separated by commas")
	set.StringVar(&f.expires, "expires", "", "day on which the token ends, YYYY-MM-DD; as late as may be if not given")
	set.IntVar(&f.size.Users, "users", seed.Small.Users, "how many users to make")
	set.IntVar(&f.size.Groups, "groups", seed.Small.Groups, "how many groups to make")
	set.IntVar(&f.size.Projects, "projects", seed.Small.Projects, "how many projects to make")
	set.BoolVar(&f.admin, "admin", false, "make the new user an administrator")
}

func admin(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		_, err := io.WriteString(out, adminUsage)
		return err
	}
	var f adminFlags
	cfg, names, err := config.LoadWith(args[1:], os.Environ(), f.add)
	if errors.Is(err, flag.ErrHelp) {
		_, err = io.WriteString(out, adminUsage)
		return err
	}
	if err != nil {
		return fmt.Errorf("%w\n\n%s", err, adminUsage)
	}
	one := args[0] != "seed"
	if one != (len(names) == 1) {
		if !one {
			return fmt.Errorf("svc admin seed takes no username\n\n%s", adminUsage)
		}
		return fmt.Errorf("svc admin %s takes one username\n\n%s", args[0], adminUsage)
	}
	st, err := openStore(ctx, cfg)
	if err != nil {
		return err
	}
	defer st.Close()
	if _, err := st.Migrate(ctx); err != nil {
		return err
	}
	if !one {
		return adminSeed(ctx, st, cfg.Seed, f.size, out)
	}
	f.lifetime = access.Lifetime(cfg.MaxTokenLifetime)
	return adminRun(ctx, st, args[0], names[0], f, out)
}

func adminRun(ctx context.Context, st *store.Store, command, name string, f adminFlags, out io.Writer) error {
	switch command {
	case "create-user":
		password, shown := madeUp(f.password)
		u, err := account.Create(ctx, st, account.NewUser{Username: name, Name: f.fullName, Email: f.email, Password: password, Admin: f.admin})
		if err != nil {
			return err
		}
		return say(out, "User %s has id %d.%s", u.Username, u.ID, shown)
	case "set-password":
		password, shown := madeUp(f.password)
		if err := account.SetPassword(ctx, st, name, password); err != nil {
			return err
		}
		return say(out, "The password of %s is set.%s", name, shown)
	case "create-token":
		expires, err := expiry(f.expires)
		if err != nil {
			return err
		}
		token, err := account.CreateToken(ctx, st, account.NewToken{
			Username: name, Name: f.tokenName, Expires: expires, Lifetime: f.lifetime,
			Scopes: strings.FieldsFunc(f.scopes, func(r rune) bool { return r == ',' || r == ' ' }),
		})
		if err != nil {
			return err
		}
		return say(out, "%s", token)
	case "make-admin":
		if err := account.MakeAdmin(ctx, st, name); err != nil {
			return err
		}
		return say(out, "%s is an administrator.", name)
	}
	return fmt.Errorf("%q is not an admin command\n\n%s", command, adminUsage)
}

// madeUp is the given password, or a new one with the text that shows it.
func madeUp(given string) (password, shown string) {
	if given != "" {
		return given, ""
	}
	password = secret.Random()[:20]
	return password, " Password: " + password
}

func expiry(day string) (*time.Time, error) {
	if day == "" {
		return nil, nil
	}
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return nil, fmt.Errorf("--expires %q is not a day like 2027-01-31", day)
	}
	return &t, nil
}

func say(out io.Writer, format string, args ...any) error {
	_, err := fmt.Fprintf(out, format+"\n", args...)
	return err
}
