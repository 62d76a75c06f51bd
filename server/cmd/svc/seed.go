package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"text/tabwriter"

	"svc/server"
	"svc/server/cmd/svc/control"
	"svc/server/domain/fixture"
	"svc/server/domain/seed"
	"svc/server/platform/config"
)

// testData is what a new instance begins with.
type testData struct {
	document *fixture.Document
	seed     *seed.Result // nil for fixtures
}

// readTestData returns what the settings want a new instance to begin with, or nil. A file with mistakes is an error, so
// that nothing starts.
func readTestData(cfg config.Config) (*testData, error) {
	switch {
	case cfg.Fixtures != "":
		doc, err := fixture.ReadFile(cfg.Fixtures)
		return &testData{document: doc}, err
	case cfg.Seed != 0:
		doc, made := seed.Document(uint64(cfg.Seed), seed.Small)
		return &testData{document: doc, seed: &made}, nil
	}
	return nil, nil
}

// users returns the users with a token: the examples of demonstration data, or all users of fixtures.
func (d *testData) users() (users []control.User) {
	if d.seed != nil {
		for _, u := range d.seed.ExampleUsers {
			users = append(users, control.User{Username: u.Username, Token: u.Token, About: u.About})
		}
		return users
	}
	return control.UsersOf(d.document)
}

// show prints what was created, if anything was.
func (d *testData) show(out io.Writer) {
	if d == nil {
		return
	}
	if d.seed != nil {
		showSeed(out, *d.seed)
		return
	}
	doc := d.document
	fmt.Fprintf(out, "\nFixtures: %d users, %d groups, %d projects.\n\n", len(doc.Users), len(doc.Groups), len(doc.Projects))
	tokens := doc.Tokens()
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, username := range slices.Sorted(maps.Keys(tokens)) {
		fmt.Fprintf(table, "  %s\t%s\n", username, tokens[username])
	}
	table.Flush()
}

// adminSeed creates demonstration data and prints the accounts worth trying.
func adminSeed(ctx context.Context, c adminCall) error {
	cfg, st, size, progress := c.cfg, c.store, c.size, c.out
	if c.json {
		progress = os.Stderr
	}
	if size.Users < 1 || size.Groups < 0 || size.Projects < 0 {
		return errors.New("--users must be at least 1, --groups and --projects at least 0")
	}
	if _, err := setKey(ctx, &cfg, st); err != nil {
		return err
	}
	ops, err := server.LoadOperations()
	if err != nil {
		return err
	}
	s, err := server.New(cfg, st, ops, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	if err != nil {
		return err
	}
	made, err := seed.Fill(ctx, s.Fixtures(), uint64(max(1, cfg.Seed)), size, func(kind string, done, of int) {
		fmt.Fprintf(progress, "%d of %d %s\n", done, of, kind)
	})
	if err != nil {
		return err
	}
	if c.json {
		return printJSON(c.out, made)
	}
	showSeed(c.out, made)
	return nil
}

// showSeed prints the accounts of demonstration data.
func showSeed(out io.Writer, made seed.Result) {
	fmt.Fprintf(out, "\nDemonstration data: %d users, %d groups, %d projects. Anyone can compute these secrets.\n\n  "+
		"password of all  %s\n\n",
		made.Users, made.Groups, made.Projects, made.Password)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, p := range made.ExampleUsers {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", p.Username, p.Token, p.About)
	}
	table.Flush()
}
