package main

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"svc/server/platform/config"
)

func TestGarbageIsCollectedEarlierWhenMoreLives(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{0: 400, 1 << 20: 400, 6 << 20: 400, 12 << 20: 200, 24 << 20: 100, 1 << 30: 100} {
		if got := gcPercent(live); got != want {
			t.Errorf("%d MiB live: %d %%, want %d", live>>20, got, want)
		}
	}
}

// The percentage follows the live heap of this process. It is set for the whole process, so this test is not parallel.
func TestThePercentageFollowsTheHeap(t *testing.T) {
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	tuneGC(config.Config{})
	alive := make([]byte, 64<<20)
	deadline := time.Now().Add(30 * time.Second)
	for percent := 0; percent != leastGCPercent; {
		if time.Now().After(deadline) {
			t.Fatalf("the percentage is still %d", percent)
		}
		runtime.GC()
		percent = debug.SetGCPercent(mostGCPercent)
		debug.SetGCPercent(percent)
		runtime.Gosched()
	}
	runtime.KeepAlive(alive)
}

func TestABusyTimeEndsOnce(t *testing.T) {
	t.Parallel()
	const busy, quiet, live = 20 << 20, 100 << 10, 40 << 20
	b, allocated := busyTime{}, uint64(0)
	for n, step := range []struct {
		name  string
		more  uint64
		ended bool
	}{
		{"the start", busy, false},
		{"the first quiet period", quiet, true},
		{"a second quiet period", quiet, false},
		{"requests for less than a quarter of what lives", 8 << 20, false},
		{"quiet again", quiet, false},
		{"many requests", busy, false},
		{"more requests", busy, false},
		{"quiet after them", quiet, true},
		{"still quiet", quiet, false},
	} {
		allocated += step.more
		if got := b.endedAt(allocated, live); got != step.ended {
			t.Errorf("%d, %s: %v, want %v", n, step.name, got, step.ended)
		}
	}
	for n := 0; n < live/partOfLive/quiet; n++ { // few requests allocate as much in the end
		allocated += quiet
		if b.endedAt(allocated, live) {
			return
		}
	}
	t.Error("memory is not given back after many quiet periods")
}

func TestWhatTheProgramAllocatesIsCounted(t *testing.T) {
	t.Parallel()
	before, _ := heapSizes()
	kept := make([]byte, 32<<20)
	if after, _ := heapSizes(); after-before < uint64(len(kept)) {
		t.Errorf("%d bytes before, %d after 32 MiB", before, after)
	}
}
