package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"svc/server"
	"svc/server/domain/account"
	"svc/server/domain/seed"
	"svc/server/domain/token"
	"svc/server/platform/access"
	"svc/server/platform/config"
	"svc/store"
	"svc/store/secret"
)

// adminFlags are the flags of the admin commands, in addition to the settings.
type adminFlags struct {
	email, fullName, password, tokenName, scopes, expires string
	admin                                                 bool
	size                                                  seed.Size
}

// adminCall is one call of an admin command.
type adminCall struct {
	adminFlags
	cfg   config.Config
	store *store.Store
	name  string // the argument, if the command has one
	out   io.Writer
}

// adminCommand is a subcommand of svc admin.
type adminCommand struct {
	name, argument, flagSummary, about string // takes names the argument; shown lists the flags in the overview of commands
	flags                              func(f *adminFlags, set *flag.FlagSet)
	run                                func(ctx context.Context, c adminCall) error
}

var adminCommands = []adminCommand{
	{
		"create-user", "USERNAME", "--email ADDRESS [--full-name NAME] [--password TEXT] [--admin]",
		"creates a user with a confirmed address. Without --password, it generates a password and prints it.",
		func(f *adminFlags, set *flag.FlagSet) {
			set.StringVar(&f.email, "email", "", "mail address of the new user")
			set.StringVar(&f.fullName, "full-name", "", "full name of the new user (default: the username)")
			f.addPassword(set)
			set.BoolVar(&f.admin, "admin", false, "make the new user an administrator")
		}, createUser,
	},
	{
		"set-password", "USERNAME", "[--password TEXT]",
		"sets the password of a user and ends all sessions of the user. Without --password, it generates a password and prints it.",
		(*adminFlags).addPassword, setPassword,
	},
	{
		"create-token", "USERNAME", "[--name TEXT] [--scopes api,read_user] [--expires 2027-01-31]",
		"creates a personal access token and prints it. Without --expires, the token expires as late as max-token-lifetime allows.",
		func(f *adminFlags, set *flag.FlagSet) {
			set.StringVar(&f.tokenName, "name", "command line", "name of the token")
			set.StringVar(&f.scopes, "scopes", "api", "scopes of the token, separated by commas")
			set.StringVar(&f.expires, "expires", "", "day on which the token expires, YYYY-MM-DD (default: as late "+
				"as max-token-lifetime allows)")
		}, createToken,
	},
	{"make-admin", "USERNAME", "", "makes a user an administrator.", nil, makeAdmin},
	{
		"seed", "", "[--seed NUMBER] [--users 20] [--groups 12] [--projects 36]",
		"generates demonstration data in an instance that has only its first user. The same number generates the same data, " +
			"tokens and password. Anyone can compute them, so use it only for instances that nobody else can reach.",
		func(f *adminFlags, set *flag.FlagSet) {
			set.IntVar(&f.size.Users, "users", seed.Small.Users, "number of users to create")
			set.IntVar(&f.size.Groups, "groups", seed.Small.Groups, "number of groups to create")
			set.IntVar(&f.size.Projects, "projects", seed.Small.Projects, "number of projects to create")
		},
		func(ctx context.Context, c adminCall) error {
			return adminSeed(ctx, c.cfg, c.store, c.size, c.out)
		},
	},
	{
		"adopt-storage", "STORAGE", "",
		"marks a storage as a storage of this instance, whatever it contains. Missing repositories stay missing. " +
			"The name blobs stands for the blob store, which holds logs and artifacts.",
		nil, adoptStorage,
	},
	{
		"replace-secret-key", "", "",
		"is for an instance whose secret key is lost. It removes everything that was encrypted with the key: second factors of " +
			"users, keys of alert and error tracking integrations, private keys and certificates of sites. The next start uses the " +
			"key that it finds, or generates a new one. Stop all processes of the service first.",
		nil, replaceKey,
	},
}

func (f *adminFlags) addPassword(set *flag.FlagSet) {
	set.StringVar(&f.password, "password", "", "password (default: generated and printed)")
}

// line returns the command line of the command.
func (c adminCommand) line() string {
	return strings.Join(strings.Fields("svc admin "+c.name+" "+c.argument+" "+c.flagSummary), " ")
}

// adminUsage returns the list of commands.
func adminUsage() string {
	var b strings.Builder
	b.WriteString("svc admin works directly on the database of an instance. The server may be running.\n\n")
	for _, c := range adminCommands {
		b.WriteString("  " + c.line() + "\n")
	}
	b.WriteString("\nsvc admin COMMAND --help describes a command. The settings of svc serve select the instance.\n")
	return b.String()
}

// usage returns the help text of one command.
func (c adminCommand) usage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s\n\nsvc admin %s %s\n", c.line(), c.name, c.about)
	if c.flags != nil {
		set := flag.NewFlagSet(c.name, flag.ContinueOnError)
		c.flags(&adminFlags{}, set)
		b.WriteString("\n")
		set.VisitAll(func(f *flag.Flag) { fmt.Fprintf(&b, "  --%-12s %s\n", f.Name, f.Usage) })
	}
	b.WriteString("\nThe settings of svc serve select the instance; svc serve --help lists them.\n")
	return b.String()
}

// admin runs svc admin.
func admin(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || args[0] == "help" {
		_, err := io.WriteString(out, adminUsage())
		return err
	}
	at := slices.IndexFunc(adminCommands, func(c adminCommand) bool { return c.name == args[0] })
	if at < 0 {
		return fmt.Errorf("%q is not an admin command\n\n%s", args[0], adminUsage())
	}
	command := adminCommands[at]
	call := adminCall{out: out}
	extra := func(set *flag.FlagSet) {
		if command.flags != nil {
			command.flags(&call.adminFlags, set)
		}
	}
	cfg, names, err := config.LoadWith(args[1:], os.Environ(), extra)
	if errors.Is(err, flag.ErrHelp) {
		_, err = io.WriteString(out, command.usage())
		return err
	}
	if err != nil {
		return fmt.Errorf("%w\n\n%s", err, command.usage())
	}
	warn(os.Stderr)
	switch {
	case command.argument == "" && len(names) > 0:
		return fmt.Errorf("svc admin %s takes no argument\n\n%s", command.name, command.usage())
	case command.argument != "" && len(names) != 1:
		return fmt.Errorf("svc admin %s takes one argument, %s\n\n%s", command.name, command.argument, command.usage())
	case command.argument != "":
		call.name = names[0]
	}
	call.cfg = cfg
	if call.store, err = openInstance(ctx, cfg); err != nil {
		return err
	}
	defer call.store.Close()
	return command.run(ctx, call)
}

func createUser(ctx context.Context, c adminCall) error {
	password, shown := passwordOrRandom(c.password)
	u, err := account.Create(ctx, c.store, account.NewUser{
		Username: c.name, Name: c.fullName, Email: c.email, Password: password, Admin: c.admin,
	})
	if err != nil {
		return err
	}
	return printLine(c.out, "Created user %s with ID %d.%s", u.Username, u.ID, shown)
}

func setPassword(ctx context.Context, c adminCall) error {
	password, shown := passwordOrRandom(c.password)
	if err := account.SetPassword(ctx, c.store, c.name, password); err != nil {
		return err
	}
	return printLine(c.out, "Changed the password of %s.%s", c.name, shown)
}

func createToken(ctx context.Context, c adminCall) error {
	expires, err := expiry(c.expires)
	if err != nil {
		return err
	}
	plain, err := token.CreateByUsername(ctx, c.store, token.NewToken{
		Username: c.name, Name: c.tokenName, Expires: expires, Lifetime: access.Lifetime(c.cfg.MaxTokenLifetime),
		Scopes: strings.FieldsFunc(c.scopes, func(r rune) bool { return r == ',' || r == ' ' }),
	})
	if err != nil {
		return err
	}
	return printLine(c.out, "%s", plain)
}

func makeAdmin(ctx context.Context, c adminCall) error {
	if err := account.MakeAdmin(ctx, c.store, c.name); err != nil {
		return err
	}
	return printLine(c.out, "%s is now an administrator.", c.name)
}

func adoptStorage(ctx context.Context, c adminCall) error {
	if err := server.Adopt(ctx, c.cfg, c.store, c.name, slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	return printLine(c.out, "The storage %s is now marked as a storage of this instance.", c.name)
}

func replaceKey(ctx context.Context, c adminCall) error {
	lock, err := lockData(c.cfg.Data) // a running server has the old key
	if err != nil {
		return err
	}
	defer lock.Close()
	f, err := c.store.Instance.RemoveSealed(ctx)
	if err != nil {
		return err
	}
	return printLine(c.out, "Removed: %d second factors of users, %d alert integrations, %d keys of error tracking, "+
		"%d certificates of sites.",
		f.SecondFactors, f.AlertKeys, f.ErrorKeys, f.Certificates)
}

// passwordOrRandom returns the given password, or a new one and a text that shows it.
func passwordOrRandom(given string) (password, shown string) {
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

func printLine(out io.Writer, format string, args ...any) error {
	_, err := fmt.Fprintf(out, format+"\n", args...)
	return err
}
