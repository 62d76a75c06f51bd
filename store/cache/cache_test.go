package cache

import (
	"strconv"
	"testing"
	"time"

	"svc/tests/wait"
)

func TestWhatIsKeptIsFoundAgain(t *testing.T) {
	t.Parallel()
	c := WithMaxEntries[[]string](10)
	if v, ok := c.Get("a"); ok || v != nil {
		t.Fatal(v)
	}
	c.Set("a", []string{"b"})
	c.Set("none", nil)
	if v, ok := c.Get("a"); !ok || len(v) != 1 || v[0] != "b" {
		t.Error(v, ok)
	}
	if v, ok := c.Get("none"); !ok || v != nil {
		t.Error("a cached nil is found", v, ok)
	}
	c.Clear()
	if _, ok := c.Get("a"); ok {
		t.Error("still there")
	}
}

func TestNoMoreIsKeptThanTheLimit(t *testing.T) {
	t.Parallel()
	few, bytes := WithMaxEntries[int](10), WithMaxBytes(100, func(key, text string) int { return len(key) + len(text) })
	for i := range 1000 {
		key := strconv.Itoa(i)
		few.Set(key, i)
		bytes.Set(key, "0123456789")
	}
	left := func(has func(key string) bool) (n int) {
		for i := range 1000 {
			if has(strconv.Itoa(i)) {
				n++
			}
		}
		return n
	}
	var n, m int
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(n, "and", m, "are cached")
		}
	})
	// Eviction runs in the background.
	wait.Until(t, "at most ten entries and at most a hundred bytes are cached", func() bool {
		n = left(func(key string) bool { _, ok := few.Get(key); return ok })
		m = left(func(key string) bool { _, ok := bytes.Get(key); return ok })
		return n > 0 && n <= 10 && m > 0 && m <= 9
	})
}

func TestKeysOfNumbersDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, key := range []string{Key(), Key(0), Key(0, 0), Key(1, 23), Key(12, 3), Key(-1), Key(1 << 62), Key(-1, 1<<62)} {
		if seen[key] {
			t.Errorf("%q comes twice", key)
		}
		seen[key] = true
	}
}

func TestWhatIsKeptBrieflyIsForgotten(t *testing.T) {
	t.Parallel()
	long, short := WithExpiry[int](10, time.Hour), WithExpiry[int](10, time.Millisecond)
	long.Set("a", 1)
	short.Set("a", 1)
	wait.Until(t, "the entry has expired", func() bool {
		_, ok := short.Get("a")
		return !ok
	})
	if _, ok := long.Get("a"); !ok {
		t.Error("not cached")
	}
}
