package payload

import (
	"fmt"

	"svc/server/domain/ci/syntax"
)

// caches returns the caches of the job with computed keys.
func (in Input) caches() ([]Cache, error) {
	all := make([]Cache, 0, len(in.Job.Caches))
	for i, c := range in.Job.Caches {
		key, err := in.cacheKey(c)
		if err != nil {
			return nil, fmt.Errorf("key of cache %d: %w", i+1, err)
		}
		fallbacks := make([]string, len(c.FallbackKeys))
		for n, fallback := range c.FallbackKeys {
			fallbacks[n] = in.separate(fallback, c.Unprotect)
		}
		all = append(all, Cache{
			Key: in.separate(
				key,
				c.Unprotect,
			), Untracked: c.Untracked, Policy: c.Policy, Paths: list(c.Paths, identity[string]), When: c.When,
			FallbackKeys: fallbacks,
		})
	}
	return all, nil
}

// cacheKey returns the key text, or the prefix with a digest of the key files.
func (in Input) cacheKey(c syntax.Cache) (string, error) {
	if len(c.KeyFiles) == 0 {
		return c.Key, nil
	}
	digest := ""
	if in.FileKey != nil {
		var err error
		if digest, err = in.FileKey(c.KeyFiles); err != nil {
			return "", err
		}
	}
	if digest == "" {
		digest = "default"
	}
	if c.KeyPrefix != "" {
		return c.KeyPrefix + "-" + digest, nil
	}
	return digest, nil
}

// separate adds a suffix to a cache key so that jobs on unprotected refs cannot write to caches of protected refs.
func (in Input) separate(key string, unprotect bool) string {
	switch {
	case !in.SeparateCaches:
		return key
	case in.Git.Protected && !unprotect:
		return key + "-protected"
	}
	return key + "-non_protected"
}
