package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// gitBench compares the repository endpoints and the Git transport with plain git.
type gitBench struct {
	svc     *process
	rep     *report
	history string // the bare repository that git commands use for comparison
	folder  string
	project string
}

// benchGit creates a history, pushes it to svc and measures. It does not depend on the kind of database.
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
	svc, err := spawnSvc(
		ctx, o.svc, dataCopy{folder: filepath.Join(folder, "data")}, "--storages=other="+filepath.Join(folder, "other"),
		"--move-grace=0s", "--webhook-allow=127.0.0.0/8",
	)
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
	for _, step := range []func(context.Context) error{
		b.objects, b.commits, b.compare, b.archives, b.contributors, b.clones, b.pushes, b.memory, b.moves, b.imports,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (b *gitBench) remote(addr string) string {
	return "http://oauth2:" + token + "@" + addr + "/root/bench.git"
}

// ask sends one request and reads the answer to its end.
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

func (b *gitBench) objects(ctx context.Context) error {
	id := func(path string) string {
		out, _ := exec.CommandContext(ctx, "git", "--git-dir", b.history, "rev-parse", "main:"+path).Output()
		return strings.TrimSpace(string(out))
	}
	small, large := id(historyPath(3)), id("large.bin")
	tree, blob := b.project+"/repository/tree", b.project+"/repository/blobs/"
	if err := b.checkLimits(ctx,
		limitedRequest{"root tree", 400 * time.Microsecond, fixedPath(tree)},
		limitedRequest{"recursive page of 100", 1600 * time.Microsecond, fixedPath(tree + "?recursive=true&per_page=100")},
		limitedRequest{"blob", 300 * time.Microsecond, fixedPath(blob + small)},
		limitedRequest{"raw blob", 300 * time.Microsecond, fixedPath(blob + small + "/raw")},
		limitedRequest{"merge base, second time", 300 * time.Microsecond, func(i int) string {
			return fmt.Sprintf("%s/repository/merge_base?refs[]=main&refs[]=v0.%d.0", b.project, i%15)
		}},
		limitedRequest{"compare, second time", 500 * time.Microsecond, fixedPath(b.comparison(0))},
	); err != nil {
		return err
	}
	return b.againstFile(ctx, "raw blob of 1 MiB", 100, blob+large+"/raw", 2)
}

// commitRange returns two commits that are 20 commits apart. The ranges for different i do not overlap.
func commitRange(i int) (from, to string) {
	return fmt.Sprintf("main~%d", 20*(i+1)), fmt.Sprintf("main~%d", 20*i)
}

func (b *gitBench) comparison(i int) string {
	from, to := commitRange(i)
	return fmt.Sprintf("%s/repository/compare?from=%s&to=%s", b.project, from, to)
}

func (b *gitBench) commits(ctx context.Context) error {
	return b.compareWithGit(ctx, "commit list of 20", 40, "git log", 1.5,
		func(i int) string { return fmt.Sprintf("%s/repository/commits?ref_name=main&page=%d", b.project, i+1) },
		func(int) [][]string { return [][]string{{"log", "-20", "main"}} },
	)
}

func (b *gitBench) compare(ctx context.Context) error {
	return b.compareWithGit(ctx, "compare of 20 commits", 60, "git diff + git log", 1.3,
		func(i int) string { return b.comparison(i + 1) }, // comparison 0 was requested before
		func(i int) [][]string {
			from, to := commitRange(i + 1)
			return [][]string{{"diff", from + "..." + to}, {"log", from + ".." + to}}
		},
	)
}

// archives creates two archives with svc and with git, in turns. svc creates at most five archives a minute for one
// user.
func (b *gitBench) archives(ctx context.Context) error {
	archive := b.project + "/repository/archive.tar.gz?sha="
	var ours, floor spent
	first := time.Hour
	for i, name := range []string{"main", "main~1"} {
		git, err := b.timeGit(ctx, "archive", "--format=tar.gz", name)
		if err != nil {
			return err
		}
		svc, begun, err := b.download(ctx, archive+name)
		if err != nil {
			return err
		}
		first = min(first, begun)
		if i == 0 {
			ours, floor = svc, git
		}
		ours.wall, floor.wall = min(ours.wall, svc.wall), min(floor.wall, git.wall)
	}
	r := float64(floor.wall) / float64(ours.wall)
	b.show("archive.tar.gz", ours, fmt.Sprintf("%.2f x as fast as git archive (%.0f ms)", r, millis(floor.wall)))
	b.rep.compared("", "git: archive.tar.gz", "git archive", overOnce(ours.wall, floor.wall), 0.5, "")
	b.rep.number(first <= 100*time.Millisecond, "git: first byte of an archive under 100 ms", fmt.Sprintf("%.0f ms", millis(first)))
	return b.againstFile(ctx, "archive.tar.gz, second time", 3, archive+"main", 2)
}

func (b *gitBench) contributors(ctx context.Context) error {
	floor, err := b.timeGit(ctx, "shortlog", "-sne", "main")
	if err != nil {
		return err
	}
	got, err := b.timeRequests(ctx, 1, fixedPath(b.project+"/repository/contributors"))
	if err != nil {
		return err
	}
	b.ratio("contributors, first time", got, floor, "git shortlog", 1.3)
	return b.checkLimits(
		ctx,
		limitedRequest{"contributors, second time", 5 * time.Millisecond, fixedPath(b.project + "/repository/contributors")},
	)
}

// backend serves the history with git http-backend, git's own HTTP server.
func (b *gitBench) backend() (*httptest.Server, error) {
	exe, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		return nil, err
	}
	program := filepath.Join(strings.TrimSpace(string(exe)), "git-http-backend")
	root := filepath.Dir(filepath.Dir(b.history))
	return httptest.NewServer(&cgi.Handler{
		Path: program, Root: "", Dir: root,
		Env: []string{
			"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=bench", "GIT_CONFIG_COUNT=1",
			"GIT_CONFIG_KEY_0=http.receivepack", "GIT_CONFIG_VALUE_0=true",
		},
		InheritEnv: []string{"PATH", "HOME"},
	}), nil
}
