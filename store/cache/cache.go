// Package cache is a cache in memory with a size limit. A cached value must follow from its key alone, or may be out of
// date for a while.
//
// It is the only package that uses the cache library: generic code is compiled again in every package that uses a type
// of the library, and this library has much of it.
package cache

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/maypok86/otter/v2"
)

// Cache caches values by string keys. It evicts values that were not used lately.
type Cache[V any] struct{ backend backend }

// backend hides the types of the library from users of this package.
type backend interface {
	get(key string) (any, bool)
	set(key string, value any)
	clear()
	size() (entries int, bytes uint64)
}

// Size is how much a cache holds.
type Size struct {
	Name    string
	Entries int
	Bytes   uint64 // approximately; 0 if the cache is limited by its number of entries
}

// WithMaxEntries returns a cache of up to a number of values.
func WithMaxEntries[V any](most int) Cache[V] {
	return Cache[V]{newBackend(otter.Options[string, any]{MaximumSize: most})}
}

// WithExpiry returns a cache of up to a number of values, each for a limited time.
func WithExpiry[V any](most int, time time.Duration) Cache[V] {
	return Cache[V]{newBackend(otter.Options[string, any]{MaximumSize: most, ExpiryCalculator: otter.ExpiryWriting[string, any](time)})}
}

// WithMaxBytes returns a cache of values up to a total size in bytes, approximately. weigh returns the size of one value.
func WithMaxBytes[V any](most uint64, weigh func(key string, value V) int) Cache[V] {
	return Cache[V]{newBackend(otter.Options[string, any]{MaximumWeight: most, Weigher: func(key string, value any) uint32 {
		return uint32(min(int64(weigh(key, value.(V))), math.MaxUint32))
	}})}
}

// Get returns the cached value of a key.
func (c Cache[V]) Get(key string) (value V, ok bool) {
	cached, ok := c.backend.get(key)
	if ok {
		value = cached.(V)
	}
	return value, ok
}

// Set caches a value.
func (c Cache[V]) Set(key string, value V) { c.backend.set(key, value) }

// Clear empties the cache.
func (c Cache[V]) Clear() { c.backend.clear() }

// Size returns how much the cache holds, under the name that metrics use.
func (c Cache[V]) Size(name string) Size {
	entries, bytes := c.backend.size()
	return Size{Name: name, Entries: entries, Bytes: bytes}
}

// Key builds a key from numbers.
func Key(numbers ...int64) string {
	key := make([]byte, 0, 64)
	for _, n := range numbers {
		key = binary.AppendVarint(key, n)
	}
	return string(key)
}

type otterBackend struct{ cache *otter.Cache[string, any] }

func newBackend(o otter.Options[string, any]) backend { return otterBackend{otter.Must(&o)} }

func (l otterBackend) size() (entries int, bytes uint64) {
	return l.cache.EstimatedSize(), l.cache.WeightedSize()
}

func (l otterBackend) get(key string) (any, bool) { return l.cache.GetIfPresent(key) }
func (l otterBackend) set(key string, value any)  { l.cache.Set(key, value) }
func (l otterBackend) clear()                     { l.cache.InvalidateAll() }
