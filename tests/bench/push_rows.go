package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	pushClients  = 8
	pushProjects = 100
	pushTime     = 8 * time.Second
	pushCommits  = 500 // most pushes of a client
)

// benchPushes measures how many pushes of one commit svc takes in a second from several clients, each into a repository of its
// own, and what a small project takes: bytes on the disk, and bytes of the database. docs/growth.md has the numbers.
func benchPushes(ctx context.Context, o options, kind, folder string, rep *report) error {
	return benchAlone(ctx, o, kind, folder, "pushes", rep, func(b *ciBench) error {
		if err := b.smallProjects(ctx); err != nil {
			return err
		}
		history := filepath.Join(b.folder, "history.git")
		if err := newStraightHistory(ctx, history, pushCommits); err != nil {
			return err
		}
		return b.pushAtOnce(ctx, history)
	})
}

// smallProjects creates projects with a README and shows what each takes.
func (b *ciBench) smallProjects(ctx context.Context) error {
	before, err := b.size(ctx)
	if err != nil {
		return err
	}
	for n := range pushProjects {
		body := fmt.Sprintf(`{"name":"push%d","initialize_with_readme":true}`, n)
		if err := b.send(http.MethodPost, projectsPath, body); err != nil {
			return err
		}
	}
	after, err := b.size(ctx)
	if err != nil {
		return err
	}
	files, bytes, err := onDisk(filepath.Join(b.folder, "repositories"))
	if err != nil {
		return err
	}
	fmt.Fprintf(b.rep.out, "\n%s: a new project with a README takes %.1f KiB on the disk in %.0f files, and %.1f KiB of the database\n",
		label(b.kind), float64(bytes)/pushProjects/1024, float64(files)/pushProjects, float64(after-before)/pushProjects/1024)
	return nil
}

// onDisk counts the files and folders of a folder and the space that they take.
func onDisk(folder string) (files, bytes int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) { // a lock that is gone
			return nil
		}
		if err != nil {
			return err
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			files, bytes = files+1, bytes+stat.Blocks*512
		}
		return nil
	})
	return files, bytes, err
}

// newStraightHistory creates a bare repository with commits that change one small file, each after the other.
func newStraightHistory(ctx context.Context, folder string, commits int) error {
	if err := runGit(ctx, "", "init", "-q", "--bare", "-b", "main", folder); err != nil {
		return err
	}
	var text strings.Builder
	for n := range commits {
		content := fmt.Sprintf("version %d\n", n)
		fmt.Fprintf(&text, "commit refs/heads/main\ncommitter Bench <bench@example.com> %d +0000\ndata 6\nChange\n"+
			"M 100644 inline file\ndata %d\n%s\n", 1_700_000_000+n, len(content), content)
	}
	cmd := exec.CommandContext(ctx, "git", "--git-dir", folder, "fast-import", "--quiet")
	cmd.Stdin = strings.NewReader(text.String())
	return cmd.Run()
}

// pushAtOnce lets clients push one commit after the other for pushTime.
func (b *ciBench) pushAtOnce(ctx context.Context, history string) error {
	before, databaseBefore, err := b.cpuApart(ctx)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var wait sync.WaitGroup
	var all measured
	var failed error
	began := time.Now()
	for i := range pushClients {
		wait.Go(func() {
			walls, err := b.pushCommits(ctx, history, fmt.Sprintf("push%d", i), began.Add(pushTime))
			mu.Lock()
			defer mu.Unlock()
			all.samples, failed = append(all.samples, walls...), errors.Join(failed, err)
		})
	}
	wait.Wait()
	if failed != nil {
		return b.svc.fail(failed)
	}
	all.requests, all.elapsed = len(all.samples), time.Since(began)
	after, databaseAfter, err := b.cpuApart(ctx)
	if err != nil {
		return err
	}
	pushes := time.Duration(all.requests)
	fmt.Fprintf(b.rep.out, "%s: %d clients make %.0f pushes a second, p50 %.0f ms, p99 %.0f ms; CPU of svc and its gits %.1f ms, "+
		"of the database %.1f ms\n", label(b.kind), pushClients, all.perSecond(), millis(all.percentile(50)), millis(all.percentile(99)),
		millis((after-before)/pushes), millis((databaseAfter-databaseBefore)/pushes))
	return nil
}

// pushCommits pushes to a project until a time and returns how long each push took.
func (b *ciBench) pushCommits(ctx context.Context, history, name string, until time.Time) (walls []time.Duration, err error) {
	remote := strings.Replace((&gitBench{}).remote(b.svc.addr), "/bench.git", "/"+name+".git", 1)
	for n := 0; n < pushCommits && time.Now().Before(until); n++ {
		began := time.Now()
		if err := runGit(ctx, history, "push", "-q", remote, fmt.Sprintf("main~%d:refs/heads/work", pushCommits-1-n)); err != nil {
			return walls, err
		}
		walls = append(walls, time.Since(began))
	}
	return walls, nil
}

// cpuApart returns the CPU time that svc with its gits, and the database's processes, have used so far.
func (b *ciBench) cpuApart(ctx context.Context) (svc, database time.Duration, err error) {
	if svc, err = treeCPU(b.svc.cmd.Process.Pid); err != nil {
		return 0, 0, err
	}
	used, err := b.backends(ctx)
	for _, one := range used {
		database += time.Duration(one)
	}
	return svc, database, err
}
