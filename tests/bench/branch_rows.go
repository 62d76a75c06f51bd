package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	branchCommits = 2000
	branchCount   = 10000                 // half of them merged
	branchLoose   = 100                   // additional merged branches, each ref in a file of its own
	branchTurns   = 3                     // rounds of git and svc
	branchAsks    = 20                    // requests for each page
	branchPage    = 20 * time.Millisecond // limit for a page
	branchSecond  = 20 * time.Millisecond // limit for the refs of a commit that was requested before
	branchRate    = 1000                  // least number of deletions a second
	branchWait    = time.Minute
)

// benchBranches measures a repository with many branches: the refs of a commit, compared with git for-each-ref, pages
// of branches, and how long svc takes to delete the merged branches.
func benchBranches(ctx context.Context, o options, kind, folder string, rep *report) (err error) {
	if !o.rows["branches"] {
		return nil
	}
	c, err := newFilledDatabase(ctx, o, kind, folder, "branches")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.remove()) }()
	svc, err := startSvc(ctx, o.svc, c.dataCopy)
	if err != nil {
		return err
	}
	defer svc.stop()
	b := &gitBench{
		rep: rep, svc: svc, folder: c.folder, history: filepath.Join(c.folder, "many.git"),
		project: "/api/v4/projects/root%2Fbench",
	}
	if err := b.fillBranches(ctx); err != nil {
		return err
	}
	fmt.Fprintf(rep.out, "\n%d branches, %s\n", branchCount+branchLoose+1, label(kind))
	for _, step := range []func(context.Context, string) error{b.commitRefs, b.branchPages, b.deleteMerged} {
		if err := step(ctx, label(kind)); err != nil {
			return err
		}
	}
	return nil
}

// fillBranches creates the history and brings it into svc. It copies the branches into the repository as packed refs,
// because a push of so many takes minutes on some disks and is not measured.
func (b *gitBench) fillBranches(ctx context.Context) error {
	if err := runGit(ctx, "", "init", "-q", "--bare", "-b", "main", b.history); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "git", "--git-dir", b.history, "-c", "core.fsync=none", "fast-import", "--quiet")
	in, out := io.Pipe()
	cmd.Stdin, cmd.Stderr = in, os.Stderr
	go func() {
		w := bufio.NewWriter(out)
		writeBranches(w)
		out.CloseWithError(w.Flush())
	}()
	if err := cmd.Run(); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"repack", "-adq"}, {"pack-refs", "--all"}, {"commit-graph", "write", "--reachable", "--changed-paths", "--split", "--no-progress"},
	} {
		if err := runGit(ctx, b.history, args...); err != nil {
			return err
		}
	}
	if _, err := b.ask(ctx, http.MethodPost, "/api/v4/projects", "name=bench"); err != nil {
		return err
	}
	if err := runGit(ctx, b.history, "push", "-q", b.remote(b.svc.addr), "main"); err != nil {
		return err
	}
	if err := b.copyRefs(); err != nil {
		return err
	}
	push := []string{"push", "-q", b.remote(b.svc.addr)}
	for i := range branchLoose {
		push = append(push, fmt.Sprintf("main~1:refs/heads/merged/loose%d", i))
	}
	if err := runGit(ctx, b.history, push...); err != nil {
		return err
	}
	return b.idle(ctx)
}

// copyRefs copies the packs and the packed refs of the history into the repository of svc.
func (b *gitBench) copyRefs() error {
	found, err := filepath.Glob(filepath.Join(b.folder, "repositories", "@hashed", "*", "*", "*.git"))
	if err != nil || len(found) == 0 {
		return errors.Join(errors.New("the repository is not found"), err)
	}
	packs, err := filepath.Glob(filepath.Join(b.history, "objects", "pack", "pack-*"))
	if err != nil {
		return err
	}
	slices.Reverse(packs) // the index comes last
	for _, name := range append(packs, filepath.Join(b.history, "packed-refs")) {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(b.history, name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(found[0], inside), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// writeBranches writes the history for git fast-import. Half of the branches point to commits of main; each of the
// others adds one commit to a commit of main.
func writeBranches(w io.Writer) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range branchCommits {
		fmt.Fprintf(
			w, "commit refs/heads/main\nmark :%d\ncommitter Bench <bench@example.com> %d +0000\ndata 6\nChange\n", i+1,
			1500000000+i*3600,
		)
		if i > 2*mergeEvery && i%mergeEvery == 0 {
			fmt.Fprintf(w, "from :%d\nmerge :%d\n", i, i-mergeEvery/2)
		}
		fmt.Fprintf(w, "M 100644 inline file%d\ndata 4\n%04d\n\n", i%100, i)
	}
	for i := range branchCount / 2 {
		from := 1 + r.IntN(branchCommits-1)
		fmt.Fprintf(w, "reset refs/heads/merged/b%05d\nfrom :%d\n\n", i, from)
		fmt.Fprintf(
			w, "commit refs/heads/open/b%05d\ncommitter Bench <bench@example.com> %d +0000\ndata 4\nOpen\nfrom :%d\n\n",
			i, 1500000000+from*3600+i, from,
		)
	}
}

// commitRefs requests the refs of commits that were not requested before, and then requests them again.
func (b *gitBench) commitRefs(ctx context.Context, kind string) error {
	ids := make([]string, branchTurns)
	for i := range ids {
		out, err := exec.CommandContext(ctx, "git", "--git-dir", b.history, "rev-parse", fmt.Sprintf("main~%d", branchCommits/2+i)).Output()
		if err != nil {
			return err
		}
		ids[i] = strings.TrimSpace(string(out))
	}
	path := func(i int) string { return b.project + "/repository/commits/" + ids[i] + "/refs?type=branch" }
	name, floor := "refs of a commit, "+kind, "git for-each-ref --contains"
	if err := b.compareWithGit(ctx, name, branchTurns, floor, 1.2, path, func(i int) [][]string {
		return [][]string{{"for-each-ref", "--contains=" + ids[i], "--format=%(refname)", "refs/heads/"}}
	}); err != nil {
		return err
	}
	return b.checkWallTime(ctx, "refs of a commit, second time, "+kind, branchSecond, func(i int) string { return path(i % branchTurns) })
}

// checkWallTime checks the wall time of requests against a limit: the median of branchAsks requests, in the best of
// branchTurns rounds.
func (b *gitBench) checkWallTime(ctx context.Context, what string, limit time.Duration, path func(i int) string) error {
	var best spent
	for round := range branchTurns {
		got, err := b.timeRequests(ctx, branchAsks, func(i int) string { return path(round*branchAsks + i) })
		if err != nil {
			return err
		}
		if round == 0 || got.wall < best.wall {
			best = got
		}
	}
	b.show(what, best, "")
	b.rep.number(best.wall < limit, fmt.Sprintf("git: %s under %v", what, limit), fmt.Sprintf("%.1f ms", millis(best.wall)))
	return nil
}

// branchPages requests pages that were not requested before.
func (b *gitBench) branchPages(ctx context.Context, kind string) error {
	list := b.project + "/repository/branches?"
	for _, row := range []struct {
		what string
		path func(i int) string
	}{
		{"page of branches", func(i int) string { return fmt.Sprintf("%spage=%d", list, i+1) }},
		{"page of branches, search", func(i int) string { return fmt.Sprintf("%ssearch=b0%d&page=%d", list, i%5, i/5+1) }},
		{"page of branches, keyset", func(i int) string {
			return fmt.Sprintf("%spagination=keyset&page_token=merged/b%05d", list, 2000+20*i)
		}},
		{"page of branches, by time", func(i int) string { return fmt.Sprintf("%ssort=updated_desc&page=%d", list, i+1) }},
	} {
		if err := b.checkWallTime(ctx, row.what+", "+kind, branchPage, row.path); err != nil {
			return err
		}
	}
	return nil
}

// deleteMerged measures the time from the request until the last merged branch is deleted.
func (b *gitBench) deleteMerged(ctx context.Context, kind string) error {
	began := time.Now()
	if _, err := b.ask(ctx, http.MethodDelete, b.project+"/repository/merged_branches", ""); err != nil {
		return err
	}
	for {
		left, err := b.ask(ctx, http.MethodGet, b.project+"/repository/branches?per_page=1&search=%5Emerged/", "")
		if err != nil {
			return err
		}
		if strings.TrimSpace(string(left)) == "[]" {
			break
		}
		if time.Since(began) > branchWait {
			return fmt.Errorf("after %v there are merged branches left", branchWait)
		}
		time.Sleep(20 * time.Millisecond)
	}
	took, count := time.Since(began), branchCount/2+branchLoose
	rate := float64(count) / took.Seconds()
	fmt.Fprintf(b.rep.out, "%-34s %10.0f ms for %d, %.0f a second\n", "merged branches deleted, "+kind, millis(took), count, rate)
	b.rep.number(
		rate >= branchRate, fmt.Sprintf("git: at least %d merged branches a second are deleted, %s", branchRate, kind),
		fmt.Sprintf("%.0f", rate),
	)
	return nil
}
