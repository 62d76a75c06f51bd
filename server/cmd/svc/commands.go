package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"svc/server/domain/doctor"
	"svc/server/platform/build"
	"svc/server/platform/config"
)

// runner runs a command with the arguments after its name.
type runner func(ctx context.Context, args []string, out io.Writer) error

// command is a command of the program. The overview, the help, the manual page and the completion in shells are made of
// these texts.
type command struct {
	name  string
	about string // one line for the overview
	usage string // what --help prints
	parts []part // commands of the command
	run   runner
}

// part is a command of a command, such as svc admin create-user.
type part struct{ name, about, usage string }

// commands returns all commands, in the order of the overview.
func commands() []command {
	return []command{
		{name: "serve", about: "start the service", usage: settingsUsage(serveAbout), run: serve},
		{
			name: "migrate", about: "update the database to the schema of this version",
			usage: settingsUsage(migrateAbout), run: migrate,
		},
		{name: "backup", about: "write a backup of the whole instance to a file", usage: backupUsage, run: saveInstance},
		{name: "restore", about: "read a backup into a new instance", usage: restoreUsage, run: restoreInstance},
		{
			name: "migrate-database", about: "copy the database from SQLite to PostgreSQL, or back",
			usage: moveDatabaseUsage, run: moveDatabase,
		},
		{
			name: "config", about: "check the settings, and show where they come from", usage: configUsage,
			parts: []part{{name: "check", about: "print mistakes, or the settings in force"}},
			run:   withoutContext(checkConfig),
		},
		{
			name: "doctor", about: "check an installation, and say how to repair it",
			usage: doctorUsage + doctor.Describe(), run: runDoctor,
		},
		{
			name: "admin", about: "manage users, tokens, storages and background jobs",
			usage: adminUsage(), parts: adminParts(), run: admin,
		},
		{
			name: "healthcheck", about: "ask the running service whether it is ready",
			usage: settingsUsage(healthcheckAbout), run: checkHealth,
		},
		{
			name: "fixtures", about: "check a file of test data, or print its format", usage: fixturesUsage,
			parts: []part{
				{name: "schema", about: "print the JSON schema of the file"},
				{name: "check", about: "report mistakes in a file"},
			},
			run: withoutContext(fixtures),
		},
		{
			name: "snapshot", about: "write the content of a running instance to a file of test data",
			usage: snapshotUsage, run: takeSnapshot,
		},
		{name: "conformance", about: "test an installation against the contract", usage: conformanceUsage, run: testConformance},
		{
			name: "abilities", about: "print what callers may do and which role they need",
			usage: abilitiesUsage, run: withoutContext(abilities),
		},
		{name: "openapi", about: "print the OpenAPI document", usage: openapiUsage, run: withoutContext(printDocument)},
		{
			name: "completion", about: "print the script that completes commands in a shell", usage: completionUsage,
			parts: completionParts(), run: withoutContext(printCompletion),
		},
		{name: "help", about: "describe a command, or print the manual page", usage: helpUsage, run: withoutContext(printHelp)},
		{name: "version", about: "print the version of this program", usage: versionUsage, run: withoutContext(printVersion)},
	}
}

// withoutContext adapts a command that does not wait for anything.
func withoutContext(run func(args []string, out io.Writer) error) runner {
	return func(_ context.Context, args []string, out io.Writer) error { return run(args, out) }
}

// findCommand returns the command with a name.
func findCommand(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

// overview returns the list of commands.
func overview() string {
	var b strings.Builder
	b.WriteString("svc hosts source-code projects and their CI/CD.\n\n")
	width := 0
	for _, c := range commands() {
		width = max(width, len(c.name))
	}
	for _, c := range commands() {
		fmt.Fprintf(&b, "  svc %-*s  %s\n", width, c.name, c.about)
	}
	b.WriteString("\nsvc COMMAND --help describes a command.\n")
	return b.String()
}

// settingsUsage returns the help of a command that reads the settings of the service.
func settingsUsage(about string) string {
	var b strings.Builder
	b.WriteString(about + "\n")
	config.Usage(&b)
	return b.String()
}

const versionUsage = "svc version prints the version of the API, the commit and the version of Go that this program was built with.\n"

// printVersion runs svc version.
func printVersion(args []string, out io.Writer) error {
	if wantsHelp(args) {
		_, err := io.WriteString(out, versionUsage)
		return err
	}
	b := build.Read()
	_, err := fmt.Fprintf(out, "svc %s, revision %s, %s\n", b.Version, b.Revision, b.Go)
	return err
}

// wantsHelp reports whether the first argument asks for help.
func wantsHelp(args []string) bool {
	return len(args) > 0 && (args[0] == "--help" || args[0] == "-h")
}
