package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	gitRounds = 12
	roundAsks = 40
	maxRounds = 4 * gitRounds // including rounds that do not count
)

// spent is the time that an operation took.
type spent struct{ cpu, wall time.Duration }

// timeRequests sends many requests and returns the mean CPU time and the median wall time of one.
func (b *gitBench) timeRequests(ctx context.Context, times int, path func(i int) string) (spent, error) {
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

// timeGit runs a git command and returns the time that it took.
func (b *gitBench) timeGit(ctx context.Context, args ...string) (spent, error) {
	began := time.Now()
	cmd := exec.CommandContext(ctx, "git", append([]string{"--git-dir", b.history}, args...)...)
	if err := cmd.Run(); err != nil {
		return spent{}, fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return spent{cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), wall: time.Since(began)}, nil
}

func (b *gitBench) show(what string, got spent, against string) {
	fmt.Fprintf(b.rep.out, "%-34s %10.3f ms CPU %10.3f ms  %s\n", what, millis(got.cpu), millis(got.wall), against)
}

// limitedRequest is a request with a limit for its CPU time.
type limitedRequest struct {
	what  string
	limit time.Duration
	path  func(i int) string
}

func fixedPath(path string) func(int) string { return func(int) string { return path } }

// checkLimits checks the CPU time of requests against their limits. It measures them in turns, and the best round of each
// counts: the speed of a machine changes from second to second, and noise only adds. A round in which svc started or
// ended a git process does not count, because the kernel counts the time of ended processes in hundredths of a second.
func (b *gitBench) checkLimits(ctx context.Context, rows ...limitedRequest) error {
	best, counted := make([]spent, len(rows)), make([]int, len(rows))
	for round := 0; round < maxRounds && slices.Min(counted) < gitRounds; round++ {
		for i, row := range rows {
			before, err := descendants(b.svc.cmd.Process.Pid)
			if err != nil {
				return err
			}
			got, err := b.timeRequests(ctx, roundAsks, row.path)
			if err != nil {
				return err
			}
			after, err := descendants(b.svc.cmd.Process.Pid)
			if err != nil {
				return err
			}
			if round == 0 || !slices.Equal(before, after) { // the first round warms up
				continue
			}
			if counted[i]++; counted[i] == 1 || got.cpu < best[i].cpu {
				best[i] = got
			}
		}
	}
	for i, row := range rows {
		if counted[i] == 0 {
			return fmt.Errorf("%s: in every round a git was started or ended", row.what)
		}
		b.show(row.what, best[i], "")
		b.rep.number(best[i].cpu <= row.limit, fmt.Sprintf("git: %s at most %v CPU", row.what, row.limit), fmt.Sprintf(
			"%.3f ms, best of %d", millis(best[i].cpu), counted[i],
		))
	}
	return nil
}

// compareWithGit compares the CPU time of requests with that of git commands that do the same, one after the other.
func (b *gitBench) compareWithGit(
	ctx context.Context, what string, times int, of string, limit float64, path func(i int) string,
	commands func(i int) [][]string,
) error {
	before, err := treeCPU(b.svc.cmd.Process.Pid)
	if err != nil {
		return err
	}
	var ours, floor spent
	for i := range times {
		for _, args := range commands(i) {
			s, err := b.timeGit(ctx, args...)
			if err != nil {
				return err
			}
			floor.cpu += s.cpu
		}
		began := time.Now()
		if _, err := b.ask(ctx, http.MethodGet, path(i), ""); err != nil {
			return err
		}
		ours.wall += time.Since(began)
	}
	after, err := treeCPU(b.svc.cmd.Process.Pid)
	if err != nil {
		return err
	}
	n := time.Duration(times)
	b.ratio(what, spent{(after - before) / n, ours.wall / n}, spent{cpu: floor.cpu / n}, of, limit)
	return nil
}

func (b *gitBench) ratio(what string, got, floor spent, of string, limit float64) {
	r := float64(got.cpu) / float64(floor.cpu)
	b.show(what, got, fmt.Sprintf("%.2f x %s (%.3f ms CPU)", r, of, millis(floor.cpu)))
	b.rep.compared("", "git: CPU of "+what, of, overOnce(got.cpu, floor.cpu), limit, "")
}

// againstFile compares the wall time of a download with that of a file of the same size from a plain HTTP server, in
// turns. The median times count.
func (b *gitBench) againstFile(ctx context.Context, what string, times int, path string, limit float64) error {
	name := filepath.Join(b.folder, "plain file")
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, name) }))
	defer plain.Close()
	var took [2][]time.Duration
	for i := range times {
		for side, url := range []string{"http://" + b.svc.addr + path, plain.URL} {
			wall, _, size, err := timedGet(ctx, url)
			if err != nil {
				return err
			}
			if i == 0 && side == 0 {
				if err := os.WriteFile(name, make([]byte, size), 0o600); err != nil {
					return err
				}
			}
			took[side] = append(took[side], wall)
		}
	}
	slices.Sort(took[0])
	slices.Sort(took[1])
	ours, floor := took[0][times/2], took[1][times/2]
	r := overOnce(ours, floor)
	fmt.Fprintf(b.rep.out, "%-34s %10.3f ms, %.2f x a plain file (%.3f ms)\n", what, millis(ours), r.median, millis(floor))
	b.rep.compared("", "git: "+what, "a plain file", r, limit, "")
	return nil
}

// download returns the time that a download took, and the time until its first byte.
func (b *gitBench) download(ctx context.Context, path string) (s spent, begun time.Duration, err error) {
	before, err := treeCPU(b.svc.cmd.Process.Pid)
	if err != nil {
		return s, 0, err
	}
	if s.wall, begun, _, err = timedGet(ctx, "http://"+b.svc.addr+path); err != nil {
		return s, 0, err
	}
	after, err := treeCPU(b.svc.cmd.Process.Pid)
	s.cpu = after - before
	return s, begun, err
}

// timedGet reads an answer to its end. It returns the time until the end, the time until the first byte, and the size.
func timedGet(ctx context.Context, url string) (whole, begun time.Duration, size int64, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, 0, 0, err
	}
	req.Header.Set("PRIVATE-TOKEN", token)
	start := time.Now()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, 0, 0, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return 0, 0, 0, fmt.Errorf("%s answered %d", url, res.StatusCode)
	}
	if _, err := io.ReadFull(res.Body, make([]byte, 1)); err != nil {
		return 0, 0, 0, err
	}
	begun = time.Since(start)
	size, err = io.Copy(io.Discard, res.Body)
	return time.Since(start), begun, size + 1, err
}
