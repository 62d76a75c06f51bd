package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
)

// The history that git is measured with is synthetic, but has the size and shape of a real one.
const (
	historyCommits = 20000
	historyFiles   = 6000
	historyAuthors = 400
	mergeEvery     = 25
)

// newHistory creates the history in a bare repository: in one pack, with the bitmap and the commit graph that make git
// fast.
func newHistory(ctx context.Context, folder string) error {
	if err := runGit(ctx, "", "init", "-q", "--bare", "-b", "main", folder); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "git", "--git-dir", folder, "fast-import", "--quiet", "--depth=10")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	w := bufio.NewWriterSize(in, 1<<20)
	writeHistory(w)
	if err := w.Flush(); err != nil {
		return err
	}
	if err := in.Close(); err != nil {
		return err
	}
	if err := cmd.Wait(); err != nil {
		return err
	}
	if err := runGit(ctx, folder, "repack", "-adq", "--write-bitmap-index"); err != nil {
		return err
	}
	return runGit(ctx, folder, "commit-graph", "write", "--reachable", "--changed-paths")
}

func runGit(ctx context.Context, folder string, args ...string) error {
	if folder != "" {
		args = append([]string{"--git-dir", folder}, args...)
	}
	out, err := exec.CommandContext(ctx, "git", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

func historyPath(n int) string {
	return fmt.Sprintf("dir%02d/sub%d/file%04d.go", n%60, n%7, n)
}

// writeHistory writes the commits for git fast-import. The first commit creates all files, and each later one changes
// two. Every mergeEvery-th commit is a merge, and every thousandth is tagged.
func writeHistory(w *bufio.Writer) {
	r := rand.New(rand.NewPCG(1, 2))
	file := func(n, version int) string {
		var b strings.Builder
		fmt.Fprintf(&b, "package dir%d\n\n// version %d\n", n%60, version)
		for range 20 + r.IntN(40) {
			fmt.Fprintf(&b, "var value%d = %d // %x\n", r.IntN(1000), r.IntN(1<<30), r.Uint64())
		}
		return b.String()
	}
	put := func(path, text string) { fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text) }
	for i := range historyCommits {
		author, message := r.IntN(historyAuthors), fmt.Sprintf("Change %d\n\nChangelog: changed\n", i)
		fmt.Fprintf(w, "commit refs/heads/main\nmark :%d\nauthor Author %d <author%d@example.com> %d "+
			"+0100\ncommitter Author %d <author%d@example.com> %d +0100\ndata %d\n%s\n",
			i+1, author, author, 1500000000+i*3600, author, author, 1500000000+i*3600, len(message), message)
		if i > 0 {
			fmt.Fprintf(w, "from :%d\n", i)
		}
		if i > 2*mergeEvery && i%mergeEvery == 0 {
			fmt.Fprintf(w, "merge :%d\n", i-mergeEvery/2)
		}
		if i == 0 {
			for n := range historyFiles {
				put(historyPath(n), file(n, 0))
			}
			put("large.bin", strings.Repeat("0123456789abcdef", 1<<16)) // 1 MiB
			put("README.md", "# History\n")
		}
		put(historyPath(r.IntN(historyFiles)), file(r.IntN(historyFiles), i))
		put(historyPath(r.IntN(historyFiles)), file(r.IntN(historyFiles), i))
		if i%1000 == 999 {
			fmt.Fprintf(w, "\nreset refs/tags/v0.%d.0\nfrom :%d\n", i/1000, i+1)
		}
		fmt.Fprintln(w)
	}
}

// newWork clones a repository and adds commits to push. Of the branches part0, part1 and so on, each contains the
// commits of the one before.
func newWork(ctx context.Context, from, folder string, parts, commits int) error {
	if err := runGit(ctx, "", "clone", "-q", "--bare", "--no-local", from, folder); err != nil {
		return err
	}
	var stream strings.Builder
	for i := range parts * commits {
		text := fmt.Sprintf("%d\n", i)
		fmt.Fprintf(&stream, "commit refs/heads/work\ncommitter Bench <bench@example.com> %d +0000\ndata 5\nPush\n\n", 1800000000+i)
		if i == 0 {
			stream.WriteString("from refs/heads/main^0\n")
		}
		fmt.Fprintf(&stream, "M 100644 inline dir%02d/pushed%d\ndata %d\n%s\n", i%60, i, len(text), text)
		if i%commits == commits-1 {
			fmt.Fprintf(&stream, "reset refs/heads/part%d\nfrom refs/heads/work\n\n", i/commits)
		}
	}
	cmd := exec.CommandContext(ctx, "git", "--git-dir", folder, "fast-import", "--quiet")
	cmd.Stdin, cmd.Stderr = strings.NewReader(stream.String()), os.Stderr
	return cmd.Run()
}

// newLarge creates a repository of many megabytes that cannot be compressed.
func newLarge(ctx context.Context, folder string, megabytes int) error {
	if err := runGit(ctx, "", "init", "-q", "--bare", "-b", "main", folder); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "git", "--git-dir", folder, "-c", "core.compression=0", "fast-import", "--quiet")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	random := rand.NewChaCha8([32]byte{1})
	data := make([]byte, 1<<20)
	fmt.Fprintf(in, "commit refs/heads/main\ncommitter Bench <bench@example.com> 1800000000 +0000\ndata 5\nLarge\n")
	for i := range megabytes {
		_, _ = random.Read(data) // never fails
		fmt.Fprintf(in, "M 100644 inline dir%d/file%d\ndata %d\n%s\n", i%10, i, len(data), data)
	}
	return errors.Join(in.Close(), cmd.Wait())
}
