package git

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
)

const (
	// batchedRefs is the number of refs from which on svc syncs them to disk in parallel. Git syncs them one by one,
	// which takes a minute for 10,000 refs on a busy disk.
	batchedRefs = 64
	// refSyncs is how many files are synced at once. The disk handles them together.
	refSyncs = 64
)

// updateMany runs a transaction that creates or moves refs. Git first writes all new values beside the refs; updateMany
// syncs them to disk and only then lets git commit, so the order is the same as in updateRefs. The text is the
// transaction without "prepare" and "commit".
func (l *Lock) updateMany(ctx context.Context, text string, commands []Command) error {
	in, feed := io.Pipe()
	defer in.Close() // git may end before it has read everything
	go func() { _, _ = io.WriteString(feed, text+"prepare\x00") }()
	var synced error
	args := []string{"-c", "core.fsync=none", "update-ref", "--stdin", "-z"}
	err := l.repo.run(ctx, call{wait: updateWait, stdin: in, args: args, keep: l.file}, func(out io.Reader) error {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if lines.Text() != "prepare: ok" {
				continue
			}
			if synced = l.syncDrafts(commands); synced == nil {
				_, _ = io.WriteString(feed, "commit\x00")
			}
			feed.Close() // without a commit git rolls everything back
		}
		return lines.Err()
	})
	return errors.Join(synced, err)
}

// syncDrafts syncs the new values of refs to disk. Git keeps them beside the refs, in the files by which it locks them.
func (l *Lock) syncDrafts(commands []Command) error {
	work, failed := make(chan string), make(chan error, refSyncs)
	var all sync.WaitGroup
	for range refSyncs {
		all.Go(func() {
			var first error
			for ref := range work {
				if err := syncFile(filepath.Join(l.repo.dir, ref+".lock")); first == nil {
					first = err
				}
			}
			failed <- first
		})
	}
	for _, c := range commands {
		if c.Refused == "" {
			work <- c.Ref
		}
	}
	close(work)
	all.Wait()
	close(failed)
	var errs []error
	for err := range failed {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func syncFile(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}
