package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"svc/server/domain/seed"
	"svc/store"
)

// adminSeed creates demonstration data and prints the accounts worth trying.
func adminSeed(ctx context.Context, st *store.Store, number int, size seed.Size, out io.Writer) error {
	if size.Users < 1 || size.Groups < 0 || size.Projects < 0 {
		return errors.New("--users must be at least 1, --groups and --projects at least 0")
	}
	made, err := seed.Fill(ctx, st, uint64(max(1, number)), size, func(kind string, done, of int) {
		fmt.Fprintf(out, "%d of %d %s\n", done, of, kind)
	})
	if err != nil {
		return err
	}
	showSeed(out, &made)
	return nil
}

// showSeed prints what was created, if anything was.
func showSeed(out io.Writer, made *seed.Result) {
	if made == nil {
		return
	}
	fmt.Fprintf(out, "\nDemonstration data: %d users, %d groups, %d projects. Anyone can compute these secrets.\n\n  "+
		"password of all  %s\n\n",
		made.Users, made.Groups, made.Projects, made.Password)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, p := range made.ExampleUsers {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", p.Username, p.Token, p.About)
	}
	table.Flush()
}
