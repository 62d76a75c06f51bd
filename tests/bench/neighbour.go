package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"
)

const (
	neighbourUsers = 4 // users in a measurement
	neighbourTime  = time.Minute
	mostSlower     = 3.0 // most time to create a user beside a busy neighbour, relative to the time without it
)

// benchNeighbour measures how long it takes to create a user, most of which is the hash of the password, while another
// program uses all processors, by turns with the time without it. svc hashes passwords with a low priority, for its own
// requests to go first. A stranger's program on the same machine must not stop sign-ins by that. The table shows the processor
// time, too: if a user takes much longer than that without the neighbour, other programs were busy all the time, and the
// comparison says nothing.
func benchNeighbour(ctx context.Context, o options, kind, folder string, rep *report) error {
	return benchAlone(ctx, o, kind, folder, "neighbour", rep, func(b *ciBench) error {
		if _, err := b.createUsers(1); err != nil { // starts the process that hashes
			return err
		}
		var quiet, busy time.Duration
		before, err := treeCPU(b.svc.cmd.Process.Pid)
		if err != nil {
			return err
		}
		for range o.rounds {
			took, err := b.createUsers(neighbourUsers)
			if err != nil {
				return err
			}
			quiet += took
			neighbour, err := b.startNeighbour(ctx)
			if err != nil {
				return err
			}
			took, err = b.createUsers(neighbourUsers)
			neighbour.stop()
			if err != nil {
				return err
			}
			busy += took
		}
		after, err := treeCPU(b.svc.cmd.Process.Pid)
		if err != nil {
			return err
		}
		users := time.Duration(neighbourUsers * o.rounds)
		growth := float64(busy) / float64(quiet)
		fmt.Fprintf(rep.out, "\n%s: a user is created in %.1f ms, and in %.1f ms beside a program that uses all processors (%.1f ms CPU)\n",
			label(kind), millis(quiet/users), millis(busy/users), millis((after-before)/users/2))
		rep.number(growth <= mostSlower, fmt.Sprintf("time to create a user beside a busy program at most %.0f x the time without it, %s",
			mostSlower, label(kind)), fmt.Sprintf("%.1f", growth))
		return nil
	})
}

// createUsers creates users with passwords, one after the other, and returns the time of all.
func (b *ciBench) createUsers(count int) (time.Duration, error) {
	raw := rawRequest(http.MethodPost, usersPath,
		`{"name":"User","username":"user-{number}","email":"user-{number}@example.com","password":"Bench-{number}-pass-word"}`)
	began := time.Now()
	for range count {
		if err := b.call(withNumber(raw), http.StatusCreated, nil); err != nil {
			return 0, err
		}
	}
	return time.Since(began), nil
}

// startNeighbour starts this program again as bench spin, and waits until it is busy.
func (b *ciBench) startNeighbour(ctx context.Context) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p, err := spawn(ctx, "neighbour", "", filepath.Join(b.folder, "neighbour"), nil, self, "spin", "-time", neighbourTime.String())
	if err != nil {
		return nil, err
	}
	for {
		used, err := p.cpu()
		if err != nil || used > 50*time.Millisecond {
			return p, err
		}
		select {
		case <-ctx.Done():
			return p, ctx.Err()
		case <-p.ended:
			return p, p.fail(fmt.Errorf("ended too early"))
		case <-time.After(time.Millisecond):
		}
	}
}

// spin runs the command bench spin: it uses all processors for a while, in a session of its own, as another service of the
// machine would.
func spin(ctx context.Context, args []string, _ io.Writer) error {
	flags := flag.NewFlagSet("bench spin", flag.ContinueOnError)
	length := flags.Duration("time", neighbourTime, "how long")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if _, err := syscall.Setsid(); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, min(*length, neighbourTime))
	defer stop()
	var wait sync.WaitGroup
	for range runtime.NumCPU() {
		wait.Go(func() {
			for n := uint64(1); ctx.Err() == nil; {
				for range 1_000_000 {
					n = n*6364136223846793005 + 1442695040888963407
				}
				runtime.KeepAlive(n)
			}
		})
	}
	wait.Wait()
	return nil
}
