package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	searchFiles  = 50000
	searchRounds = 7
	searchRatio  = 1.2
	searchText   = "needleinhay"
)

// benchSearch compares a search for code with git grep, in a repository with many files. The text is rare, so that both read
// all files. The shortest time of each counts: noise only adds. It does not depend on the kind of database.
func benchSearch(ctx context.Context, o options, folder string, rep *report) error {
	if !o.rows["code"] {
		return nil
	}
	b := &gitBench{rep: rep, folder: folder, history: filepath.Join(folder, "root", "search.git"), project: "/api/v4/projects/root%2Fbench"}
	if err := os.MkdirAll(filepath.Dir(b.history), 0o700); err != nil {
		return err
	}
	if err := newWideRepository(ctx, b.history); err != nil {
		return err
	}
	svc, err := spawnSvc(ctx, o.svc, dataCopy{folder: filepath.Join(folder, "search")}, "--limit-search=0")
	if err != nil {
		return err
	}
	defer svc.stop()
	if err := svc.waitReady(ctx); err != nil {
		return err
	}
	b.svc = svc
	if _, err := b.ask(ctx, "POST", "/api/v4/projects", "name=bench"); err != nil {
		return err
	}
	if err := runGit(ctx, b.history, "push", "-q", b.remote(svc.addr), "main"); err != nil {
		return err
	}
	if err := b.idle(ctx); err != nil {
		return err
	}
	var own, plain []time.Duration
	for range searchRounds {
		got, err := b.timeRequests(ctx, 1, fixedPath(b.project+"/search?scope=blobs&search="+searchText))
		if err != nil {
			return err
		}
		git, err := b.timeGit(ctx, "grep", "-I", "-i", "-n", "-F", "-e", searchText, "main")
		if err != nil {
			return err
		}
		own, plain = append(own, got.wall), append(plain, git.wall)
	}
	rep.compared("", fmt.Sprintf("search for code in %d files", searchFiles), "git grep", overOnce(slices.Min(own), slices.Min(plain)),
		searchRatio, fmt.Sprintf("%.0f and %.0f ms", millis(slices.Min(own)), millis(slices.Min(plain))))
	return nil
}

// newWideRepository creates a repository with many files, a few of which have the text.
func newWideRepository(ctx context.Context, folder string) error {
	if err := runGit(ctx, "", "init", "-q", "--bare", "-b", "main", folder); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "git", "--git-dir", folder, "fast-import", "--quiet")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	w := bufio.NewWriterSize(in, 1<<20)
	writeWideCommit(w)
	if err := w.Flush(); err != nil {
		return err
	}
	if err := in.Close(); err != nil {
		return err
	}
	if err := cmd.Wait(); err != nil {
		return err
	}
	return runGit(ctx, folder, "repack", "-adq", "--write-bitmap-index")
}

// writeWideCommit writes one commit for git fast-import.
func writeWideCommit(w *bufio.Writer) {
	r := rand.New(rand.NewPCG(3, 4))
	fmt.Fprint(w, "commit refs/heads/main\ncommitter Bench <bench@example.com> 1700000000 +0000\ndata 6\nFiles\n\n")
	for n := range searchFiles {
		var text strings.Builder
		for range 30 {
			fmt.Fprintf(&text, "value%d = %x // %x\n", r.IntN(1000), r.Uint64(), r.Uint32())
		}
		if n%5000 == 7 {
			fmt.Fprintln(&text, "here is the NeedleInHay")
		}
		fmt.Fprintf(w, "M 100644 inline src/dir%03d/sub%02d/file%05d.go\ndata %d\n%s\n", n%300, n%17, n, text.Len(), text.String())
	}
	fmt.Fprintln(w)
}
