package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// idle waits until svc has nothing more to do: svc handles the consequences of a push in the background.
func (b *gitBench) idle(ctx context.Context) error {
	last := time.Duration(-1)
	for range 180 {
		now, err := treeCPU(b.svc.cmd.Process.Pid)
		if err != nil {
			return err
		}
		if last >= 0 && now-last < 2*tick {
			return nil
		}
		last = now
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return errors.New("svc is busy for minutes after a push")
}

// compareServers runs do with git's own server and with svc, in turns, and returns the median time of each.
func (b *gitBench) compareServers(times int, do func(i int, remote string) error) (ours, floor time.Duration, err error) {
	plain, err := b.backend()
	if err != nil {
		return 0, 0, err
	}
	defer plain.Close()
	u, err := url.Parse(plain.URL)
	if err != nil {
		return 0, 0, err
	}
	var took [2][]time.Duration
	for i := range times {
		for n, remote := range []string{"http://" + u.Host + "/root/bench.git", b.remote(b.svc.addr)} {
			began := time.Now()
			if err := do(i, remote); err != nil {
				return 0, 0, err
			}
			took[n] = append(took[n], time.Since(began))
		}
	}
	slices.Sort(took[0])
	slices.Sort(took[1])
	return took[1][times/2], took[0][times/2], nil
}

// clones compares the wall time of clones from svc with clones from git's own server.
func (b *gitBench) clones(ctx context.Context) error {
	to := filepath.Join(b.folder, "clone")
	clone, floor, err := b.compareServers(5, func(_ int, remote string) error {
		defer os.RemoveAll(to)
		return runGit(ctx, "", "clone", "-q", "--bare", remote, to)
	})
	if err != nil {
		return err
	}
	r := float64(clone) / float64(floor)
	fmt.Fprintf(b.rep.out, "%-34s %10.0f ms, %.2f x git http-backend (%.0f ms)\n", "clone", millis(clone), r, millis(floor))
	b.rep.compared("", "git: clone", "git http-backend", overOnce(clone, floor), 1.15, "")
	return nil
}

// imports compares imports by URL, from the request to the end, with mirror clones. Both read from git's own server.
func (b *gitBench) imports(ctx context.Context) error {
	plain, err := b.backend()
	if err != nil {
		return err
	}
	defer plain.Close()
	from, to := plain.URL+"/root/bench.git", filepath.Join(b.folder, "mirror")
	const times = 5
	var checked, plainly, ours []time.Duration
	for i := range times {
		for into, settings := range map[*[]time.Duration]string{
			&plainly: "transfer.fsckObjects=false", &checked: "transfer.fsckObjects=true",
		} {
			began := time.Now()
			if err := runGit(ctx, "", "-c", settings, "clone", "-q", "--mirror", from, to); err != nil {
				return err
			}
			*into = append(*into, time.Since(began))
			if err := os.RemoveAll(to); err != nil {
				return err
			}
		}
		name := fmt.Sprintf("imported%d", i)
		began := time.Now()
		form := url.Values{"name": {name}, "import_url": {from}}.Encode()
		if _, err := b.ask(ctx, http.MethodPost, "/api/v4/projects", form); err != nil {
			return err
		}
		if err := b.imported(ctx, name); err != nil {
			return err
		}
		ours = append(ours, time.Since(began))
		if err := b.idle(ctx); err != nil {
			return err
		}
	}
	for _, took := range [][]time.Duration{checked, plainly, ours} {
		slices.Sort(took)
	}
	r := float64(ours[times/2]) / float64(checked[times/2])
	const row = "%-34s %10.0f ms, %.2f x git clone --mirror that checks objects (%.0f ms), %.2f x one that does not\n"
	fmt.Fprintf(b.rep.out, row, "import by URL",
		millis(ours[times/2]), r, millis(checked[times/2]), float64(ours[times/2])/float64(plainly[times/2]))
	b.rep.compared("", "git: import by URL", "git clone --mirror that checks objects", overOnce(ours[times/2], checked[times/2]), 1.2, "")
	return nil
}

// imported waits until the import of a project is finished.
func (b *gitBench) imported(ctx context.Context, name string) error {
	for {
		answer, err := b.ask(ctx, http.MethodGet, "/api/v4/projects/root%2F"+name+"/import", "")
		switch {
		case err != nil:
			return err
		case strings.Contains(string(answer), `"import_status":"finished"`):
			return nil
		case strings.Contains(string(answer), `"import_status":"failed"`):
			return fmt.Errorf("the import failed: %s", answer)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

const pushParts = 5

// pushes compares pushes of 100 commits with pushes to git's own server, and measures the contributors after a push.
func (b *gitBench) pushes(ctx context.Context) error {
	work := filepath.Join(b.folder, "work")
	if err := newWork(ctx, b.history, work, pushParts+1, 100); err != nil {
		return err
	}
	push, floor, err := b.compareServers(pushParts, func(i int, remote string) error {
		return runGit(ctx, work, "push", "-q", remote, fmt.Sprintf("part%d:refs/heads/pushed", i))
	})
	if err != nil {
		return err
	}
	r := float64(push) / float64(floor)
	fmt.Fprintf(b.rep.out, "%-34s %10.0f ms, %.2f x git http-backend (%.0f ms)\n", "push of 100 commits", millis(push), r, millis(floor))
	b.rep.compared("", "git: push of 100 commits", "git http-backend", overOnce(push, floor), 1.3, "")
	if err := errors.Join(runGit(ctx, work, "push", "-q", b.remote(b.svc.addr), "part0:main"), b.idle(ctx)); err != nil {
		return err
	}
	if err := errors.Join(runGit(ctx, work, "push", "-q", b.remote(b.svc.addr), "part1:main"), b.idle(ctx)); err != nil {
		return err
	}
	got, err := b.timeRequests(ctx, 1, fixedPath(b.project+"/repository/contributors"))
	if err != nil {
		return err
	}
	b.show("contributors after a push of 100", got, "")
	b.rep.number(
		got.wall <= 20*time.Millisecond, "git: contributors after a push of 100 commits under 20 ms",
		fmt.Sprintf("%.1f ms", millis(got.wall)),
	)
	return nil
}

const largeMegabytes, largeClones = 300, 10

// memory measures how much the memory of the server itself grows while a large repository is pushed, and then cloned
// many times at once.
func (b *gitBench) memory(ctx context.Context) error {
	large := filepath.Join(b.folder, "large.git")
	if err := newLarge(ctx, large, largeMegabytes); err != nil {
		return err
	}
	if _, err := b.ask(ctx, http.MethodPost, "/api/v4/projects", "name=large"); err != nil {
		return err
	}
	// Reset the peak (proc(5), clear_refs).
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", b.svc.cmd.Process.Pid), []byte("5"), 0); err != nil {
		return err
	}
	before, err := b.peak()
	if err != nil {
		return err
	}
	remote := strings.Replace(b.remote(b.svc.addr), "bench.git", "large.git", 1)
	if err := runGit(ctx, large, "push", "-q", remote, "main"); err != nil {
		return err
	}
	var all sync.WaitGroup
	errs := make([]error, largeClones)
	for i := range largeClones {
		all.Go(func() {
			to := filepath.Join(b.folder, fmt.Sprintf("large%d", i))
			errs[i] = errors.Join(runGit(ctx, "", "clone", "-q", "--bare", remote, to), os.RemoveAll(to))
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	after, err := b.peak()
	if err != nil {
		return err
	}
	grown := float64(after-before) / 1024
	fmt.Fprintf(
		b.rep.out, "%-34s %10.1f MiB more than before (%.1f MiB)\n", "memory, push and 10 clones of 300 MB", grown,
		float64(before)/1024,
	)
	b.rep.number(grown < 64, "git: memory grows by less than 64 MiB with 300 MB and ten clones", fmt.Sprintf("%.1f MiB", grown))
	return nil
}

// peak returns the peak memory of svc itself, without its children, in KiB.
func (b *gitBench) peak() (int64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", b.svc.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	text, _, ok := strings.Cut(strings.TrimSpace(rest), " ")
	if !ok {
		return 0, errors.New("the peak of memory is not told")
	}
	return strconv.ParseInt(text, 10, 64)
}
