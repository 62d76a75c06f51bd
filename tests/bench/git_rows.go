package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// gitBench measures the repository endpoints and git's transport against plain git.
type gitBench struct {
	svc     *process
	rep     *report
	history string // the bare repository that everything is compared with
	folder  string
	project string
}

// benchGit makes a history, pushes it to svc and measures. It does not depend on the database.
func benchGit(ctx context.Context, o options, folder string, rep *report) error {
	if !o.rows["git"] {
		return nil
	}
	b := &gitBench{rep: rep, folder: folder, history: filepath.Join(folder, "root", "bench.git"), project: "/api/v4/projects/root%2Fbench"}
	began := time.Now()
	if err := os.MkdirAll(filepath.Dir(b.history), 0o700); err != nil {
		return err
	}
	if err := newHistory(ctx, b.history); err != nil {
		return err
	}
	svc, err := spawnSvc(ctx, o.svc, dataCopy{folder: filepath.Join(folder, "data")}, "--storages=other="+filepath.Join(folder, "other"), "--move-grace=0s")
	if err != nil {
		return err
	}
	defer svc.stop()
	if err := svc.waitReady(ctx); err != nil {
		return err
	}
	b.svc = svc
	if _, err := b.ask(ctx, http.MethodPost, "/api/v4/projects", "name=bench"); err != nil {
		return err
	}
	fmt.Fprintf(rep.out, "\nGit, a history of %d commits and %d files (made in %.0f s); CPU with that of the gits that svc starts\n",
		historyCommits, historyFiles, time.Since(began).Seconds())
	if err := runGit(ctx, b.history, "push", "-q", b.remote(svc.addr), "main", "--tags"); err != nil {
		return err
	}
	if err := b.idle(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{b.objects, b.commits, b.compare, b.archives, b.contributors, b.clones, b.pushes, b.memory, b.moves} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (b *gitBench) remote(addr string) string {
	return "http://oauth2:" + token + "@" + addr + "/root/bench.git"
}

// ask makes one request and reads the answer to its end.
func (b *gitBench) ask(ctx context.Context, method, path, form string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+b.svc.addr+path, strings.NewReader(form))
	if err != nil {
		return nil, err
	}
	req.Header.Set("PRIVATE-TOKEN", token)
	if form != "" {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("%s %s answered %d %.200s", method, path, res.StatusCode, data)
	}
	return data, err
}

// spent is what something took.
type spent struct{ cpu, wall time.Duration }

// request is the CPU time of one request, of many; the wall time is the middle one.
func (b *gitBench) request(ctx context.Context, times int, path func(i int) string) (spent, error) {
	before, err := treeCPU(b.svc.cmd.Process.Pid)
	if err != nil {
		return spent{}, err
	}
	walls := make([]time.Duration, times)
	for i := range times {
		began := time.Now()
		if _, err := b.ask(ctx, http.MethodGet, path(i), ""); err != nil {
			return spent{}, err
		}
		walls[i] = time.Since(began)
	}
	after, err := treeCPU(b.svc.cmd.Process.Pid)
	slices.Sort(walls)
	return spent{cpu: (after - before) / time.Duration(times), wall: walls[times/2]}, err
}

// plain is the CPU time of one git command, of several.
func (b *gitBench) plain(ctx context.Context, times int, args ...string) (spent, error) {
	var s spent
	for range times {
		began := time.Now()
		cmd := exec.CommandContext(ctx, "git", append([]string{"--git-dir", b.history}, args...)...)
		if err := cmd.Run(); err != nil {
			return s, fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
		}
		s.wall += time.Since(began) / time.Duration(times)
		s.cpu += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()) / time.Duration(times)
	}
	return s, nil
}

func (b *gitBench) show(what string, got spent, against string) {
	fmt.Fprintf(b.rep.out, "%-34s %10.3f ms CPU %10.3f ms  %s\n", what, millis(got.cpu), millis(got.wall), against)
}

// most holds a request to a CPU time.
func (b *gitBench) most(ctx context.Context, what string, times int, limit time.Duration, path func(i int) string) error {
	if _, err := b.request(ctx, 2, path); err != nil { // warm
		return err
	}
	got, err := b.request(ctx, times, path)
	if err != nil {
		return err
	}
	b.show(what, got, "")
	b.rep.number(got.cpu <= limit, fmt.Sprintf("git: %s at most %v CPU", what, limit), fmt.Sprintf("%.3f ms", millis(got.cpu)))
	return nil
}

func same(path string) func(int) string { return func(int) string { return path } }

func (b *gitBench) objects(ctx context.Context) error {
	id := func(path string) string {
		out, _ := exec.CommandContext(ctx, "git", "--git-dir", b.history, "rev-parse", "main:"+path).Output()
		return strings.TrimSpace(string(out))
	}
	small, large := id(historyPath(3)), id("large.bin")
	tree := b.project + "/repository/tree"
	if err := errors.Join(
		b.most(ctx, "root tree", 300, 400*time.Microsecond, same(tree)),
		b.most(ctx, "recursive page of 100", 200, 1600*time.Microsecond, same(tree+"?recursive=true&per_page=100")),
		b.most(ctx, "blob", 300, 300*time.Microsecond, same(b.project+"/repository/blobs/"+small)),
		b.most(ctx, "raw blob", 300, 300*time.Microsecond, same(b.project+"/repository/blobs/"+small+"/raw")),
	); err != nil {
		return err
	}
	return b.againstFile(ctx, "raw blob of 1 MiB", 40, b.project+"/repository/blobs/"+large+"/raw", 2)
}

func (b *gitBench) commits(ctx context.Context) error {
	floor, err := b.plain(ctx, 20, "log", "-20", "main")
	if err != nil {
		return err
	}
	got, err := b.request(ctx, 40, func(i int) string { return fmt.Sprintf("%s/repository/commits?ref_name=main&page=%d", b.project, i+1) })
	if err != nil {
		return err
	}
	b.ratio("commit list of 20", got, floor, "git log", 1.5)
	base := func(i int) string {
		return fmt.Sprintf("%s/repository/merge_base?refs[]=main&refs[]=v0.%d.0", b.project, i%15)
	}
	if _, err := b.request(ctx, 15, base); err != nil {
		return err
	}
	return b.most(ctx, "merge base, second time", 150, 300*time.Microsecond, base)
}

func (b *gitBench) ratio(what string, got, floor spent, of string, limit float64) {
	r := float64(got.cpu) / float64(floor.cpu)
	b.show(what, got, fmt.Sprintf("%.2f x %s (%.3f ms CPU)", r, of, millis(floor.cpu)))
	b.rep.number(r <= limit, fmt.Sprintf("git: %s at most %.2f x %s, CPU", what, limit, of), fmt.Sprintf("%.2f", r))
}

func (b *gitBench) compare(ctx context.Context) error {
	var floor spent
	for _, args := range [][]string{{"diff", "main~20...main"}, {"log", "main~20..main"}} {
		s, err := b.plain(ctx, 10, args...)
		if err != nil {
			return err
		}
		floor.cpu += s.cpu
	}
	compare := func(i int) string {
		return fmt.Sprintf("%s/repository/compare?from=main~%d&to=main~%d", b.project, 20+i, i)
	}
	got, err := b.request(ctx, 10, compare)
	if err != nil {
		return err
	}
	b.ratio("compare of 20 commits", got, floor, "git diff + git log", 1.3)
	return b.most(ctx, "compare, second time", 100, 500*time.Microsecond, same(compare(0)))
}

func (b *gitBench) archives(ctx context.Context) error {
	floor, err := b.plain(ctx, 2, "archive", "--format=tar.gz", "main")
	if err != nil {
		return err
	}
	got, err := b.request(ctx, 1, same(b.project+"/repository/archive.tar.gz?sha=main"))
	if err != nil {
		return err
	}
	r := float64(floor.wall) / float64(got.wall)
	b.show("archive.tar.gz", got, fmt.Sprintf("%.2f x as fast as git archive (%.0f ms)", r, millis(floor.wall)))
	b.rep.number(r >= 2, "git: archive.tar.gz at least 2 x as fast as git archive", fmt.Sprintf("%.2f", r))
	first, err := b.firstByte(ctx, b.project+"/repository/archive.tar.gz?sha=main~1")
	if err != nil {
		return err
	}
	b.rep.number(first <= 100*time.Millisecond, "git: first byte of an archive under 100 ms", fmt.Sprintf("%.0f ms", millis(first)))
	return b.againstFile(ctx, "archive.tar.gz, second time", 3, b.project+"/repository/archive.tar.gz?sha=main", 2) // there is a limit of five
}

func (b *gitBench) contributors(ctx context.Context) error {
	floor, err := b.plain(ctx, 2, "shortlog", "-sne", "main")
	if err != nil {
		return err
	}
	got, err := b.request(ctx, 1, same(b.project+"/repository/contributors"))
	if err != nil {
		return err
	}
	b.ratio("contributors, first time", got, floor, "git shortlog", 1.3)
	return b.most(ctx, "contributors, second time", 50, 5*time.Millisecond, same(b.project+"/repository/contributors"))
}

// backend is git's own server behind a plain HTTP server.
func (b *gitBench) backend() (*httptest.Server, error) {
	exe, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		return nil, err
	}
	program := filepath.Join(strings.TrimSpace(string(exe)), "git-http-backend")
	root := filepath.Dir(filepath.Dir(b.history))
	return httptest.NewServer(&cgi.Handler{
		Path: program, Root: "", Dir: root,
		Env:        []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=bench", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.receivepack", "GIT_CONFIG_VALUE_0=true"},
		InheritEnv: []string{"PATH", "HOME"},
	}), nil
}
