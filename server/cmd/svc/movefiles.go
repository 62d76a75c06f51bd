package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"svc/server"
	"svc/server/domain/filemove"
)

// progressTime is how often a move prints its progress.
const progressTime = 5 * time.Second

// moveFiles runs svc admin move-files.
func moveFiles(ctx context.Context, c adminCall) error {
	if c.name != "bucket" && c.name != "folder" {
		return fmt.Errorf("%q is neither bucket nor folder", c.name)
	}
	move, err := server.FileMove(ctx, c.cfg, c.store, c.name == "bucket", c.storage)
	if err != nil {
		return err
	}
	release, serving := holdStopped(ctx, c)
	if serving == nil {
		defer release()
	}
	printed, progress := time.Now(), c.out
	if c.json {
		progress = os.Stderr
	}
	move.Progress = func(p filemove.Progress) {
		if time.Since(printed) >= progressTime {
			printed = time.Now()
			printLine(progress, "%d files, %d copied, %d MiB (%s).", p.Files, p.Copied, p.Bytes>>20, p.Kind) //nolint:errcheck // for people
		}
	}
	done, err := move.Run(ctx, serving == nil)
	moved := map[string]any{
		"place": move.To.Place(), "files": done.Files, "copied": done.Copied, "bytes": done.Bytes, "finished": serving == nil,
	}
	if errors.Is(err, filemove.ErrDone) {
		return c.printDone(moved, "All files are in %s already.", move.To.Place())
	}
	if err != nil {
		return fmt.Errorf("%w. Run the command again to go on; nothing is lost", err)
	}
	if c.json {
		return printJSON(c.out, moved)
	}
	if err := printLine(c.out, "%d files, %d copied, %d MiB.", done.Files, done.Copied, done.Bytes>>20); err != nil {
		return err
	}
	if serving != nil {
		return printLine(c.out, "The files are copied, but not moved yet: %v. Then run the command again, which copies the rest.", serving)
	}
	with := "with SVC_BLOB_URL"
	if c.name == "folder" {
		with = "without SVC_BLOB_URL"
	}
	return printLine(c.out, "All files are now in %s. Start the service %s. The files in %s are no longer used; remove them once "+
		"you have checked the service.", move.To.Place(), with, move.From.Place())
}
