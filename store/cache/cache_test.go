package cache

import (
	"strconv"
	"testing"
	"time"
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
	wait := time.Now().Add(10 * time.Second) // eviction runs in the background
	for {
		n := left(func(key string) bool { _, ok := few.Get(key); return ok })
		m := left(func(key string) bool { _, ok := bytes.Get(key); return ok })
		if n > 0 && n <= 10 && m > 0 && m <= 9 {
			return
		}
		if time.Now().After(wait) {
			t.Fatal(n, "and", m, "are cached")
		}
		time.Sleep(time.Millisecond)
	}
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
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, ok := short.Get("a"); !ok {
			break
		}
		if time.Now().After(end) {
			t.Fatal("cached too long")
		}
	}
	if _, ok := long.Get("a"); !ok {
		t.Error("not cached")
	}
}
