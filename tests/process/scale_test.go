package process

import (
	"context"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"svc/store/storetest"
	"svc/tests/cputime"
)

// share is the part of one processor that each process gets while scale is measured. Three processes then leave most of
// two processors to the database, to the clients, and to whatever else the machine does.
const share = 0.1

// maxDebt is the most that a process is made to wait for, in processor time.
const maxDebt = 100 * time.Millisecond

// cpuTime returns the processor time that a process has used.
func cpuTime(t testing.TB, s *Server) time.Duration {
	t.Helper()
	used, err := cputime.Of(s.cmd.Process.Pid)
	if err != nil {
		t.Error(err)
	}
	return used
}

// limitCPU gives a process a share of a processor: it is suspended while it has used more processor time than its share
// of the time that has passed. A process that was kept waiting by others may use what it has missed. If this function
// itself was kept waiting, the process is not suspended for so long that its requests time out.
func limitCPU(ctx context.Context, t testing.TB, s *Server) {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	defer s.cmd.Process.Signal(syscall.SIGCONT) //nolint:errcheck // the process has ended
	began, before, suspended := time.Now(), cpuTime(t, s), false
	for ctx.Err() == nil {
		<-tick.C
		debt := cpuTime(t, s) - before - time.Duration(share*float64(time.Since(began)))
		before += max(0, debt-maxDebt)
		exceeded := debt > 0
		if exceeded == suspended {
			continue
		}
		signal := syscall.SIGCONT
		if exceeded {
			signal = syscall.SIGSTOP
		}
		s.cmd.Process.Signal(signal) //nolint:errcheck // the process has ended
		suspended = exceeded
	}
}

// reading is what was measured while clients read from processes.
type reading struct {
	perSecond float64
	used      float64 // how much of their processor time the processes have used, from 0 to 1
	cost      float64 // processor time for a read, in microseconds
}

// read reads a file and a project through several clients for some time. Each process gets its share of a processor.
func read(t testing.TB, from []*Server, during time.Duration) reading {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), during)
	defer stop()
	var work sync.WaitGroup
	var done atomic.Int64
	var before, after time.Duration
	for _, s := range from {
		before += cpuTime(t, s)
		work.Go(func() { limitCPU(ctx, t, s) })
	}
	began := time.Now()
	const clients = 6 // for each process
	for c := range clients * len(from) {
		work.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				path := []string{readme, "/api/v4/projects/root%2Fp"}[n%2]
				status, body, err := from[c%len(from)].Do(ctx, "GET", path, "")
				if ctx.Err() != nil {
					return
				}
				if err != nil || status != 200 {
					t.Errorf("%s: %d %s %v", path, status, body, err)
					return
				}
				done.Add(1)
			}
		})
	}
	work.Wait()
	took := time.Since(began).Seconds()
	for _, s := range from {
		after += cpuTime(t, s)
	}
	cpu := (after - before).Seconds()
	return reading{
		perSecond: float64(done.Load()) / took, used: cpu / (share * took * float64(len(from))), cost: 1e6 * cpu / float64(done.Load()),
	}
}

// Three processes serve at least 2.5 times the reads of one, if processors are what limits them. Each process gets a tenth
// of a processor, counted as processor time, so other work on the machine hardly changes the result. The clients, the
// database and git are not limited. The median of several rounds counts; a round in which one process got more or less
// than its share does not. The test takes a minute: SVC_TEST_SCALE=1 runs it.
func TestThreeProcessesServeTwoAndAHalfTimesTheReadsOfOne(t *testing.T) {
	if os.Getenv("SVC_TEST_SCALE") == "" || !storetest.Postgres() {
		t.Log("only with SVC_TEST_SCALE=1, on PostgreSQL")
		return
	}
	n := startNodes(t, "GOMAXPROCS=1", "SVC_THROTTLE_AUTHENTICATED=0")
	read(t, n.servers, 3*time.Second) // fills caches
	var ratios []float64
	for round := 0; round < 12 && len(ratios) < 5; round++ {
		alone := round % len(n.servers)
		one := read(t, n.servers[alone:alone+1], 5*time.Second)
		three := read(t, n.servers, 5*time.Second)
		times := three.perSecond / one.perSecond
		t.Logf("one process: %.0f reads a second, %.0f %% of its processor time, %.0f µs for a read; "+
			"three: %.0f, %.0f %%, %.0f µs; %.2f times as many",
			one.perSecond, 100*one.used, one.cost, three.perSecond, 100*three.used, three.cost, times)
		if one.used > 0.95 && one.used < 1.05 && three.used < 1.05 {
			ratios = append(ratios, times)
		}
	}
	if len(ratios) < 5 {
		t.Fatalf("only %d rounds count: the machine is too busy", len(ratios))
	}
	slices.Sort(ratios)
	median := ratios[len(ratios)/2]
	t.Logf("three processes serve %.2f times the reads of one (median)", median)
	if median < 2.5 {
		t.Errorf("three processes serve only %.2f times the reads of one", median)
	}
}
