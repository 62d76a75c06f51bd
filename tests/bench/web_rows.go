package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"svc/server/platform/highlight"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
	"svc/tests/cputime"
)

const (
	homeRatio    = 3.0 // CPU of the home of a project, relative to the API calls with the same data
	blobRatio    = 1.5 // CPU of the page of a file when it is first opened, relative to the highlighter
	againRatio   = 0.2 // the same when it is opened again
	changesRatio = 3.0 // CPU of the pages of a merge request, relative to git diff
	webRepeats   = 10  // requests of one measurement
)

// webBench compares pages, which a browser opens in a session, with what they cannot do without.
type webBench struct {
	gitBench
	c      *filledDatabase
	kind   string
	rounds int
	cookie string
}

// benchWeb measures the pages for people: the home of a large project, a large file, and a large merge request.
func benchWeb(ctx context.Context, o options, kind, folder string, rep *report) (err error) {
	if !o.rows["web"] {
		return nil
	}
	c, err := newFilledDatabase(ctx, o, kind, folder, "web")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.remove()) }()
	b := &webBench{c: c, kind: kind, rounds: o.rounds, cookie: secret.Random()}
	if err := b.signIn(ctx); err != nil {
		return err
	}
	svc, err := startSvc(ctx, o.svc, c.dataCopy)
	if err != nil {
		return err
	}
	defer svc.stop()
	b.gitBench = gitBench{
		rep: rep, svc: svc, folder: c.folder, project: "/api/v4/projects/root%2Fbench", history: filepath.Join(folder, "web.git"),
	}
	if err := b.fill(ctx); err != nil {
		return err
	}
	fmt.Fprintf(rep.out, "\nPages, %s; CPU with that of the gits that svc starts, and of the database's processes\n", label(kind))
	for _, step := range []func(context.Context) error{b.home, b.file, b.mergeRequest} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// signIn gives root a session, as the sign-in page would.
func (b *webBench) signIn(ctx context.Context) (err error) {
	st, err := store.Open(ctx, b.c.options())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	root, err := st.Users.GetByUsername(ctx, "root")
	if err != nil {
		return err
	}
	now := time.Now().UTC()
	return st.Sessions.Create(ctx, &model.Session{
		UserID: root.ID, Digest: secret.Digest(b.cookie), CSRFDigest: secret.Digest(page.CSRF(b.cookie)), IP: "127.0.0.1",
		UserAgent: "bench", CreatedAt: now, LastUsedAt: &now, ExpiresAt: now.Add(24 * time.Hour),
	})
}

// fill pushes the repository, and opens a merge request.
func (b *webBench) fill(ctx context.Context) error {
	if err := newWebHistory(ctx, b.history); err != nil {
		return err
	}
	if _, err := b.ask(ctx, http.MethodPost, "/api/v4/projects", "name=bench"); err != nil {
		return err
	}
	if err := runGit(ctx, b.history, "push", "-q", b.remote(b.svc.addr), "main", "change"); err != nil {
		return err
	}
	_, err := b.ask(ctx, http.MethodPost, b.project+"/merge_requests", url.Values{
		"source_branch": {"change"}, "target_branch": {"main"}, "title": {"Change 3,000 lines"},
	}.Encode())
	return err
}

// open opens a page in the session.
func (b *webBench) open(ctx context.Context, path string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+b.svc.addr+"/root/bench"+path, nil)
	if err != nil {
		return err
	}
	req.AddCookie(&http.Cookie{Name: page.SessionCookie, Value: b.cookie})
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("the page %s answered %d %.200s", path, res.StatusCode, data)
	}
	return err
}

// cpu returns the CPU time that svc, its gits and the database's processes have used so far.
func (b *webBench) cpu(ctx context.Context) (time.Duration, error) {
	total, err := treeCPU(b.svc.cmd.Process.Pid)
	if err != nil {
		return 0, err
	}
	used, err := b.c.backends(ctx)
	for _, one := range used {
		total += time.Duration(one)
	}
	return total, err
}

// spend returns the CPU time of svc for one call of a function, as the mean of several.
func (b *webBench) spend(ctx context.Context, times int, do func() error) (time.Duration, error) {
	before, err := b.cpu(ctx)
	if err != nil {
		return 0, err
	}
	for range times {
		if err := do(); err != nil {
			return 0, err
		}
	}
	after, err := b.cpu(ctx)
	return (after - before) / time.Duration(times), err
}

// byTurns runs measurements by turns, the first time to warm up.
func (b *webBench) byTurns(measurements ...func() (time.Duration, error)) ([]measured, error) {
	found := make([]measured, len(measurements))
	for round := range b.rounds + 1 {
		for i, measure := range measurements {
			got, err := measure()
			if err != nil {
				return nil, err
			}
			if round > 0 {
				found[i].add(measured{requests: 1, cpu: got})
			}
		}
	}
	return found, nil
}

// promise reports whether a page costs at most a multiple of something else.
func (b *webBench) promise(what, of string, got, floor measured, limit float64) {
	r := got.over(&floor)
	fmt.Fprintf(b.rep.out, "%-42s %9.3f ms CPU, %s x %s (%.3f ms CPU)\n", what, millis(got.cpu), r, of, millis(floor.cpu))
	b.rep.compared(b.kind, "CPU of the "+what, of, r, limit, fmt.Sprintf("%.2f and %.2f ms", millis(got.cpu), millis(floor.cpu)))
}

// home compares the home of a project with the API calls that give the same data. The home also has the last commit of every
// entry, for which the API would need a call for each.
func (b *webBench) home(ctx context.Context) error {
	got, err := b.byTurns(
		func() (time.Duration, error) {
			return b.spend(ctx, webRepeats, func() error { return b.open(ctx, "") })
		},
		func() (time.Duration, error) {
			return b.spend(ctx, webRepeats, func() error {
				for _, call := range []string{
					"", "/repository/tree?per_page=100", "/repository/commits?per_page=1", "/repository/files/README.md?ref=main",
					"/repository/branches", "/repository/tags", "/languages",
				} {
					if _, err := b.ask(ctx, http.MethodGet, b.project+call, ""); err != nil {
						return err
					}
				}
				return nil
			})
		},
	)
	if err != nil {
		return err
	}
	b.promise("home of a project with 10,000 files", "the API calls", got[0], got[1], homeRatio)
	return nil
}

// file compares the page of a file of 1 MB with the highlighter alone. Every round opens another file, and then opens it again.
func (b *webBench) file(ctx context.Context) error {
	round := -1
	opened := func(times int) func() (time.Duration, error) {
		return func() (time.Duration, error) {
			return b.spend(ctx, times, func() error { return b.open(ctx, "/-/blob/main/"+largeFile(round%largeFiles)) })
		}
	}
	got, err := b.byTurns(
		func() (time.Duration, error) {
			round++
			source := largeSource(round % largeFiles)
			before, err := cputime.Of(os.Getpid())
			if err != nil {
				return 0, err
			}
			highlight.Lines(ctx, "Go", source)
			after, err := cputime.Of(os.Getpid())
			return after - before, err
		},
		opened(1), opened(webRepeats),
	)
	if err != nil {
		return err
	}
	b.promise("page of a file of 1 MB", "the highlighter alone", got[1], got[0], blobRatio)
	b.promise("page of a file of 1 MB, opened again,", "the highlighter alone", got[2], got[0], againRatio)
	return nil
}

// mergeRequest compares the pages of a merge request with git diff.
func (b *webBench) mergeRequest(ctx context.Context) error {
	opened := func(path string) func() (time.Duration, error) {
		return func() (time.Duration, error) {
			return b.spend(ctx, webRepeats, func() error { return b.open(ctx, "/-/merge_requests/1"+path) })
		}
	}
	got, err := b.byTurns(
		func() (time.Duration, error) {
			var sum time.Duration
			for range webRepeats {
				cmd := exec.CommandContext(ctx, "git", "--git-dir", b.history, "diff", "main", "change")
				if err := cmd.Run(); err != nil {
					return 0, err
				}
				sum += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			}
			return sum / webRepeats, nil
		},
		opened("/diffs"), opened(""),
	)
	if err != nil {
		return err
	}
	b.promise("changes of a merge request, 3,000 lines,", "git diff", got[1], got[0], changesRatio)
	b.promise("overview of a merge request, 3,000 lines,", "git diff", got[2], got[0], changesRatio)
	return nil
}
