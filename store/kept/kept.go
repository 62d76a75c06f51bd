// Package kept keeps what is asked for often in memory, up to a limit. What is kept must follow from its key alone, or be
// allowed to be old for a while.
//
// It is the one place that knows the library: generic code is compiled again in every package that sees a type of it, and
// this library has much of it.
package kept

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/maypok86/otter/v2"
)

// Cache keeps values by texts. Those that were not asked for lately make place for others.
type Cache[V any] struct{ shelf shelf }

// shelf hides the library's types from all who keep something.
type shelf interface {
	get(key string) (any, bool)
	set(key string, value any)
	clear()
}

// Few keeps up to a number of values.
func Few[V any](most int) Cache[V] {
	return Cache[V]{newShelf(otter.Options[string, any]{MaximumSize: most})}
}

// Brief keeps up to a number of values, each for a time.
func Brief[V any](most int, time time.Duration) Cache[V] {
	return Cache[V]{newShelf(otter.Options[string, any]{MaximumSize: most, ExpiryCalculator: otter.ExpiryWriting[string, any](time)})}
}

// Bytes keeps values up to a number of bytes together, about; weigh tells those of one.
func Bytes[V any](most uint64, weigh func(key string, value V) int) Cache[V] {
	return Cache[V]{newShelf(otter.Options[string, any]{MaximumWeight: most, Weigher: func(key string, value any) uint32 {
		return uint32(min(int64(weigh(key, value.(V))), math.MaxUint32))
	}})}
}

// Get is what is kept by a key.
func (c Cache[V]) Get(key string) (value V, ok bool) {
	kept, ok := c.shelf.get(key)
	if ok {
		value = kept.(V)
	}
	return value, ok
}

// Set keeps a value by a key.
func (c Cache[V]) Set(key string, value V) { c.shelf.set(key, value) }

// Clear keeps nothing any more.
func (c Cache[V]) Clear() { c.shelf.clear() }

// Key is a key of numbers.
func Key(numbers ...int64) string {
	key := make([]byte, 0, 64)
	for _, n := range numbers {
		key = binary.AppendVarint(key, n)
	}
	return string(key)
}

type library struct{ cache *otter.Cache[string, any] }

func newShelf(o otter.Options[string, any]) shelf { return library{otter.Must(&o)} }

func (l library) get(key string) (any, bool) { return l.cache.GetIfPresent(key) }
func (l library) set(key string, value any)  { l.cache.Set(key, value) }
func (l library) clear()                     { l.cache.InvalidateAll() }
