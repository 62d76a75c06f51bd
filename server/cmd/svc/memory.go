package main

import (
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"svc/server/platform/config"
)

const (
	// testModeMemory is the heap size near which test mode collects garbage more often.
	testModeMemory = 224 << 20

	// mostGarbage is how much garbage may collect before it is removed, unless more than that lives.
	mostGarbage = 24 << 20
	// These are the limits for garbage in percent of what lives.
	leastGCPercent, mostGCPercent = 100, 400
)

// tuneGC trades memory for processor time. Little data lives between requests, so collecting garbage at five times the
// live heap costs a few megabytes. When more lives, garbage is collected earlier. The environment variable GOGC overrides
// this. Many worlds in one process have more data, and tests need less speed.
func tuneGC(cfg config.Config) {
	runtime.MemProfileRate = 0 // nobody reads this profile, which takes memory and time
	switch {
	case os.Getenv("GOGC") != "":
	case cfg.TestMode:
		debug.SetGCPercent(50)
		debug.SetMemoryLimit(testModeMemory)
	default:
		debug.SetGCPercent(mostGCPercent)
		adjust := &gcAdjuster{percent: mostGCPercent}
		runtime.SetFinalizer(adjust, (*gcAdjuster).afterCycle)
	}
}

const (
	// quietPeriod is how often the program looks whether it is quiet, and quietAllocation how little it then allocates meanwhile.
	quietPeriod     = time.Second
	quietAllocation = 512 << 10
	// A busy time is worth giving memory back if the program allocated at least leastWork in it, and a part of what lives,
	// which the garbage collector has to read for it.
	leastWork, partOfLive = 4 << 20, 4
)

// releaseWhenQuiet gives memory back after each busy time, of which the start is the first: what the garbage collector keeps
// for further work, and the pages of the program's file. Whatever is needed again comes back from the system's cache. It
// returns a function that ends this.
func releaseWhenQuiet(logger *slog.Logger) (stop func()) {
	debug.FreeOSMemory() // hashing the first password needs more than serving does
	ticker, ended := time.NewTicker(quietPeriod), make(chan struct{})
	go func() {
		var busy busyTime
		for {
			select {
			case <-ticker.C:
				if busy.endedAt(heapSizes()) {
					debug.FreeOSMemory()
					releaseProgram(logger)
				}
			case <-ended:
				return
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(ended)
	}
}

// heapSizes returns how many bytes this program has allocated since its start, and how many of them the last collection left.
func heapSizes() (allocated, live uint64) {
	sizes := [2]metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(sizes[:])
	return sizes[0].Value.Uint64(), sizes[1].Value.Uint64()
}

// busyTime tells when a busy time has ended, by what the program allocates.
type busyTime struct {
	last, ended uint64 // what had been allocated a period ago, and at the end of the last busy time
}

// endedAt returns whether the program is quiet since a period, for the first time after it was busy. The arguments are those of
// heapSizes.
func (b *busyTime) endedAt(allocated, live uint64) bool {
	quiet := allocated-b.last < quietAllocation
	b.last = allocated
	if !quiet || allocated-b.ended < max(leastWork, live/partOfLive) {
		return false
	}
	b.ended = allocated
	return true
}

// gcAdjuster sets after each collection how much garbage may collect until the next one. Nothing refers to it, so the
// collector calls its finalizer, which makes the next collection call it again.
type gcAdjuster struct {
	percent int
	sample  [1]metrics.Sample
}

func (a *gcAdjuster) afterCycle() {
	a.sample[0].Name = "/gc/heap/live:bytes"
	metrics.Read(a.sample[:])
	// A small change is not worth the pause that setting it takes.
	if wanted := gcPercent(a.sample[0].Value.Uint64()); wanted*10 < a.percent*9 || wanted*10 > a.percent*11 {
		a.percent = wanted
		debug.SetGCPercent(wanted)
	}
	runtime.SetFinalizer(a, (*gcAdjuster).afterCycle)
}

// gcPercent returns how much garbage may collect, in percent of what lives.
func gcPercent(live uint64) int {
	if live == 0 {
		return mostGCPercent
	}
	return int(min(max(mostGarbage*100/live, leastGCPercent), mostGCPercent))
}
