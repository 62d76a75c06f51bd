package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

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

	json                                       bool // print JSON for programs
	search, state, kind, user, to, project     string
	storage                                    string
	newKey                                     string
	admins, external, all, impersonation, hard bool
	withoutSecondFactor                        bool
	limit                                      int
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
	name, argument, flagSummary, about string // flagSummary lists the flags in the overview
	flags                              func(f *adminFlags, set *flag.FlagSet)
	run                                func(ctx context.Context, c adminCall) error
}

var adminCommands = slices.Concat(
	accountCommands, userCommands, tokenCommands, runnerCommands, storageCommands, jobCommands, keyCommands,
)

// accountCommands create users and tokens.
var accountCommands = []adminCommand{
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
		adminSeed,
	},
}

// keyCommands change the secret key.
var keyCommands = []adminCommand{
	{
		"rotate-secret-key", "", "[--new-key TEXT]",
		"encrypts everything that is encrypted with the secret key with a new one. Without --new-key, it generates the key. " +
			"Stop all processes of the service first. Afterwards, users sign in to sites again, links to unsubscribe in earlier mails " +
			"stop working, and the generated names of sites change.",
		func(f *adminFlags, set *flag.FlagSet) {
			set.StringVar(&f.newKey, "new-key", "", "the new key, at least 32 characters (default: generated)")
		}, rotateKey,
	},
	{
		"replace-secret-key", "", "",
		"is for an instance whose secret key is lost. It removes everything that was encrypted with the key: second factors of " +
			"users, keys of alert and error tracking integrations, private keys and certificates of sites, tokens of webhooks, and " +
			"integrations. The next start uses the key that it finds, or generates a new one. Stop all processes of the service first.",
		nil, replaceKey,
	},
	{
		"set-url", "URL", "",
		"changes the external URL of an instance on PostgreSQL. Stop all processes of the service first, and start them with the " +
			"new SVC_URL afterwards: a process with another URL is refused.",
		nil, setURL,
	},
	{
		"replace-host-keys", "", "",
		"forgets the SSH host keys that the processes of an instance on PostgreSQL share. Stop all processes of the service first, " +
			"and remove the files ssh_host_*_key from their data folders, or put new ones into one of the folders. The process that " +
			"starts first then uses the keys in its data folder, or generates new ones, and the others get copies.",
		nil, replaceHostKeys,
	},
	{
		"move-files", "bucket|folder", "[--storage NAME]",
		"moves logs, artifacts, packages, uploads, sites and Git LFS files from the data folder into the bucket of SVC_BLOB_URL, or " +
			"from the bucket into the data folder. While the service runs, the command only copies. Stop the service and run it " +
			"again: it copies the rest and makes the new place the one in use. An interrupted run can be repeated.",
		func(f *adminFlags, set *flag.FlagSet) {
			set.StringVar(&f.storage, "storage", "default", "storage for Git LFS files that leave the bucket")
		}, moveFiles,
	},
}

// addFlags adds the flags of the command, and the one for programs, which all commands have.
func (c adminCommand) addFlags(f *adminFlags, set *flag.FlagSet) {
	if c.flags != nil {
		c.flags(f, set)
	}
	set.BoolVar(&f.json, "json", false, "print JSON")
}

// addLimit adds the flag that limits a list.
func (f *adminFlags) addLimit(set *flag.FlagSet) {
	set.IntVar(&f.limit, "limit", 100, "maximum number of rows")
}

func (f *adminFlags) addPassword(set *flag.FlagSet) {
	set.StringVar(&f.password, "password", "", "password (default: generated and printed)")
}

// line returns the command line of the command.
func (c adminCommand) line() string {
	return strings.Join(strings.Fields("svc admin "+c.name+" "+c.argument+" "+c.flagSummary+" [--json]"), " ")
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

// adminParts returns the commands for the manual page and the completion in shells.
func adminParts() (parts []part) {
	for _, c := range adminCommands {
		about, _, _ := strings.Cut(c.about, ". ")
		parts = append(parts, part{name: c.name, about: strings.TrimSuffix(about, "."), usage: c.usage()})
	}
	return parts
}

// usage returns the help text of one command.
func (c adminCommand) usage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s\n\nsvc admin %s %s\n", c.line(), c.name, c.about)
	set := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.addFlags(&adminFlags{}, set)
	b.WriteString("\n")
	set.VisitAll(func(f *flag.Flag) { fmt.Fprintf(&b, "  --%-12s %s\n", f.Name, f.Usage) })
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
	cfg, names, err := config.LoadWith(args[1:], os.Environ(), func(set *flag.FlagSet) { command.addFlags(&call.adminFlags, set) })
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
	password, fresh := passwordOrRandom(c.password)
	u, err := account.Create(ctx, c.store, account.NewUser{
		Username: c.name, Name: c.fullName, Email: c.email, Password: password, Admin: c.admin,
	})
	if err != nil {
		return err
	}
	return c.printDone(map[string]any{"id": u.ID, "username": u.Username, "admin": u.Admin, "password": fresh},
		"Created user %s with ID %d.%s", u.Username, u.ID, passwordText(fresh))
}

func setPassword(ctx context.Context, c adminCall) error {
	password, fresh := passwordOrRandom(c.password)
	if err := account.SetPassword(ctx, c.store, c.name, password); err != nil {
		return err
	}
	return c.printDone(map[string]any{"username": c.name, "password": fresh},
		"Changed the password of %s.%s", c.name, passwordText(fresh))
}

func createToken(ctx context.Context, c adminCall) error {
	expires, err := expiry(c.expires)
	if err != nil {
		return err
	}
	scopes := strings.FieldsFunc(c.scopes, func(r rune) bool { return r == ',' || r == ' ' })
	plain, err := token.CreateByUsername(ctx, c.store, token.NewToken{
		Username: c.name, Name: c.tokenName, Expires: expires, Lifetime: access.Lifetime(c.cfg.MaxTokenLifetime), Scopes: scopes,
	})
	if err != nil {
		return err
	}
	return c.printDone(map[string]any{"username": c.name, "name": c.tokenName, "scopes": scopes, "token": plain}, "%s", plain)
}

func makeAdmin(ctx context.Context, c adminCall) error {
	if err := account.MakeAdmin(ctx, c.store, c.name); err != nil {
		return err
	}
	return c.printDone(map[string]any{"username": c.name, "admin": true}, "%s is now an administrator.", c.name)
}

func replaceKey(ctx context.Context, c adminCall) error {
	lock, err := lockData(c.cfg.Data) // a running server has the old key
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := refuseRunning(ctx, c.store); err != nil {
		return err
	}
	f, err := c.store.Instance.RemoveSealed(ctx)
	if err != nil {
		return err
	}
	return c.printDone(f, "Removed: %d second factors of users, %d alert integrations, %d keys of error tracking, "+
		"%d certificates of sites, %d waiting mails. %d webhooks have lost their tokens, custom headers and URL variables, and %d "+
		"integrations are switched off: set them up again.",
		f.SecondFactors, f.AlertKeys, f.ErrorKeys, f.Certificates, f.Mails, f.Webhooks, f.Integrations)
}

// passwordOrRandom returns the given password, or a new one, which fresh is then, too.
func passwordOrRandom(given string) (password string, fresh *string) {
	if given != "" {
		return given, nil
	}
	password = secret.Random()[:20]
	return password, &password
}

// passwordText returns the text that shows a new password.
func passwordText(fresh *string) string {
	if fresh == nil {
		return ""
	}
	return " Password: " + *fresh
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
