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

// The repository of row web.
const (
	webFiles   = 10_000
	webCommits = 50
	largeFiles = 12 // more than the usual number of rounds
	largeBytes = 1_000_000

	changedFiles = 30
	changedHunks = 10 // of each changed file
	changedLines = 5  // of each hunk, which are removed and added: 3,000 lines together
	hunkDistance = 25 // lines
)

// newWebHistory creates a repository with many files, some of which are large, and a branch that changes 3,000 lines.
func newWebHistory(ctx context.Context, folder string) error {
	if err := runGit(ctx, "", "init", "-q", "--bare", "-b", "main", folder); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "git", "--git-dir", folder, "fast-import", "--quiet")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	w := bufio.NewWriterSize(in, 1<<20)
	writeWebHistory(w)
	if err := errors.Join(w.Flush(), in.Close(), cmd.Wait()); err != nil {
		return err
	}
	return runGit(ctx, folder, "repack", "-adq") // as svc has it after a push, so that git diff is as fast there as here
}

// writeWebHistory writes the commits for git fast-import: all files, small changes, and the branch.
func writeWebHistory(w *bufio.Writer) {
	put := func(path, text string) { fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text) }
	begin := func(branch string, n int) {
		message := fmt.Sprintf("Change %d\n\nWhy the change was made.\n", n)
		fmt.Fprintf(w, "commit refs/heads/%s\nmark :%d\ncommitter Ann <ann@example.com> %d +0000\ndata %d\n%s\n", branch, n+1,
			1800000000+n*3600, len(message), message)
		if n > 0 {
			fmt.Fprintf(w, "from :%d\n", n)
		}
	}
	begin("main", 0)
	for i := range webFiles {
		put(webFile(i), fmt.Sprintf("file %d\n", i))
	}
	for i := range largeFiles {
		put(largeFile(i), largeSource(i))
	}
	for i := range changedFiles {
		put(fmt.Sprintf("changed/file%d.go", i), changedSource(i, false))
	}
	put("README.md", "# Large\n\n"+strings.Repeat("A line of text with `code` and a [link](file0.txt).\n", 100))
	for i := range webCommits {
		begin("main", i+1)
		put(webFile(2*i), fmt.Sprintf("changed %d\n", i))
	}
	begin("change", webCommits+1)
	for i := range changedFiles {
		put(fmt.Sprintf("changed/file%d.go", i), changedSource(i, true))
	}
	fmt.Fprintln(w)
}

// webFile returns the path of a file. Every second file is in the root.
func webFile(n int) string {
	if n%2 == 0 {
		return fmt.Sprintf("file%d.txt", n)
	}
	return fmt.Sprintf("folder%d/file%d.txt", n%100, n)
}

func largeFile(n int) string { return fmt.Sprintf("large/file%d.go", n) }

// largeSource returns a source file of about 1 MB.
func largeSource(n int) string {
	r := rand.New(rand.NewPCG(3, uint64(n)))
	var b strings.Builder
	fmt.Fprintf(&b, "package large%d\n", n)
	for i := 0; b.Len() < largeBytes; i++ {
		fmt.Fprintf(&b, "\n// add%d returns the sum of two numbers and %d.\n", i, r.IntN(1000))
		fmt.Fprintf(&b, "func add%d(first, second int) (int, error) {\n", i)
		fmt.Fprintf(&b, "\tif first < %d {\n\t\treturn 0, fmt.Errorf(\"%%d is less than %x\", first)\n\t}\n", r.IntN(1<<20), r.Uint64())
		fmt.Fprintf(&b, "\treturn first + second + %d, nil\n}\n", r.IntN(1<<20))
	}
	return b.String()
}

// changedSource returns a file before or after the change.
func changedSource(n int, after bool) string {
	r := rand.New(rand.NewPCG(4, uint64(n)))
	var b strings.Builder
	for i := range changedHunks * hunkDistance {
		before, value := r.Uint32(), r.Uint32()
		if after && i%hunkDistance < changedLines {
			before = value
		}
		fmt.Fprintf(&b, "\tvalues[%d] = compute(%d, \"text\")\n", i, before)
	}
	return b.String()
}
