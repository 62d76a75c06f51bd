package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	committers  = 64
	commitTime  = 4 * time.Second // length of one round
	commitGain  = 1.5             // least rate of many callers, relative to one caller
	commitWorst = 3 * time.Second // limit for 99 % of the commits of many callers
)

// benchCommits commits files to one branch over the API: with one caller, and with many at once. Afterwards it checks
// that every commit exists.
func benchCommits(ctx context.Context, o options, kind, folder string, rep *report) (err error) {
	if !o.rows["commits"] {
		return nil
	}
	c, err := newFilledDatabase(ctx, o, kind, folder, "commits")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.remove()) }()
	svc, err := startSvc(ctx, o.svc, c.dataCopy)
	if err != nil {
		return err
	}
	defer svc.stop()
	b := &gitBench{rep: rep, svc: svc, folder: c.folder, project: "/api/v4/projects/root%2Fbench"}
	if _, err := b.ask(ctx, http.MethodPost, "/api/v4/projects", "name=bench&initialize_with_readme=true"); err != nil {
		return err
	}
	var one, all commitTimes
	for range 2 {
		if err := errors.Join(b.commitFiles(ctx, 1, &one), b.commitFiles(ctx, committers, &all)); err != nil {
			return err
		}
	}
	fmt.Fprintf(rep.out, "\nFile commits to one branch, %s: %s by one caller, %s by %d at once\n", label(kind), &one, &all, committers)
	if err := b.checkCommitCount(ctx, 1+len(one.walls)+len(all.walls)); err != nil {
		return err
	}
	rep.number(
		all.rate() >= commitGain*one.rate(),
		fmt.Sprintf("file commits by %d callers at least %.1f times those of one, %s", committers, commitGain, label(kind)),
		fmt.Sprintf("%.1f times", all.rate()/one.rate()),
	)
	rep.number(
		all.part(99) < commitWorst,
		fmt.Sprintf("99 %% of file commits by %d callers under %v, %s", committers, commitWorst, label(kind)),
		fmt.Sprintf("%.1f s", all.part(99).Seconds()),
	)
	return nil
}

// commitTimes holds the wall time of each commit and the time of all rounds together.
type commitTimes struct {
	walls []time.Duration
	whole time.Duration
}

func (c *commitTimes) rate() float64 { return float64(len(c.walls)) / c.whole.Seconds() }

func (c *commitTimes) part(percent int) time.Duration {
	slices.Sort(c.walls)
	return c.walls[(len(c.walls)-1)*percent/100]
}

func (c *commitTimes) String() string {
	return fmt.Sprintf("%.0f a second (half within %.0f ms, 99 %% within %.0f ms)", c.rate(), millis(c.part(50)), millis(c.part(99)))
}

var commitNumber atomic.Int64

// commitFiles lets callers commit new files for commitTime.
func (b *gitBench) commitFiles(ctx context.Context, callers int, c *commitTimes) error {
	var mu sync.Mutex
	var wait sync.WaitGroup
	var errs []error
	began := time.Now()
	for range callers {
		wait.Go(func() {
			for time.Since(began) < commitTime {
				at, n := time.Now(), commitNumber.Add(1)
				form := url.Values{"branch": {"main"}, "content": {fmt.Sprint(n)}, "commit_message": {fmt.Sprintf("File %d", n)}}
				_, err := b.ask(
					ctx, http.MethodPost, fmt.Sprintf("%s/repository/files/folder%d%%2Ffile%d", b.project, n%16, n),
					form.Encode(),
				)
				mu.Lock()
				c.walls = append(c.walls, time.Since(at))
				if err != nil {
					errs = append(errs, err)
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	wait.Wait()
	c.whole += time.Since(began)
	return errors.Join(errs...)
}

// checkCommitCount fails unless the branch has the wanted number of commits.
func (b *gitBench) checkCommitCount(ctx context.Context, want int) error {
	data, err := b.ask(ctx, http.MethodGet, b.project+"/repository/commits/main/sequence", "")
	if err == nil && strings.TrimSpace(string(data)) != fmt.Sprintf(`{"count":%d}`, want) {
		err = fmt.Errorf("the branch has %s commits, not %d", data, want)
	}
	return err
}
