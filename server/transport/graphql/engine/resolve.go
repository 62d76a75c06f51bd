package engine

import (
	"context"
	"fmt"
)

// Resolver returns the values of a field for all parents: as many values as parents, in their order. A value that is an
// error becomes null, with the error at its place.
type Resolver func(ctx context.Context, call Call, parents []any) ([]any, error)

// Call is one use of a field in an operation.
type Call struct {
	Args     Args
	Type     string // the name of the parents' type
	Field    string
	selected map[string]bool
}

// Selects reports whether the operation selects a field of the value, so that the resolver can leave it out otherwise.
func (c Call) Selects(name string) bool { return c.selected[name] }

// TooMany is the error of a field that an operation asks for more parents than it can read at a time.
func (c Call) TooMany(most int) error {
	return &Error{Message: fmt.Sprintf("%q field can be requested only for %d %s(s) at a time.", c.Field, most, c.Type)}
}

// Value makes a resolver of a function that reads a value from its parent.
func Value[T any](read func(T) any) Resolver {
	return func(_ context.Context, _ Call, parents []any) ([]any, error) {
		values := make([]any, len(parents))
		for i, p := range parents {
			values[i] = read(p.(T))
		}
		return values, nil
	}
}

// Seen makes a resolver of a function that reads a value from its parent for the caller in the context.
func Seen[T any](read func(context.Context, T) any) Resolver {
	return func(ctx context.Context, _ Call, parents []any) ([]any, error) {
		values := make([]any, len(parents))
		for i, p := range parents {
			values[i] = read(ctx, p.(T))
		}
		return values, nil
	}
}

// Batch makes a resolver of a function that returns the values for all parents at once.
func Batch[T any](read func(context.Context, Call, []T) ([]any, error)) Resolver {
	return func(ctx context.Context, call Call, parents []any) ([]any, error) {
		typed := make([]T, len(parents))
		for i, p := range parents {
			typed[i] = p.(T)
		}
		return read(ctx, call, typed)
	}
}

// Lookup makes a resolver of two functions: one returns the key of a parent, and false if the value is null; the other
// reads the values of all keys at once.
func Lookup[T any, K comparable, V any](
	key func(T) (K, bool), read func(context.Context, []K) (map[K]V, error),
) Resolver {
	return func(ctx context.Context, _ Call, parents []any) ([]any, error) {
		var keys []K
		known := map[K]bool{}
		for _, p := range parents {
			if k, ok := key(p.(T)); ok && !known[k] {
				known[k] = true
				keys = append(keys, k)
			}
		}
		values := make([]any, len(parents))
		if len(keys) == 0 {
			return values, nil
		}
		found, err := read(ctx, keys)
		if err != nil {
			return nil, err
		}
		for i, p := range parents {
			if k, ok := key(p.(T)); ok {
				if v, ok := found[k]; ok {
					values[i] = v
				}
			}
		}
		return values, nil
	}
}

// One makes a resolver of a function that reads the value for a single parent, with statements of its own. An operation
// cannot ask for such a field in a list.
func One[T any](read func(context.Context, Call, T) (any, error)) Resolver {
	return func(ctx context.Context, call Call, parents []any) ([]any, error) {
		values := make([]any, len(parents))
		if len(parents) > 1 {
			return values, call.TooMany(1)
		}
		for i, p := range parents {
			value, err := read(ctx, call, p.(T))
			if err != nil {
				return values, err
			}
			values[i] = value
		}
		return values, nil
	}
}
