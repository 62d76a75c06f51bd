package syntax

import "strings"

const (
	maxCaches       = 4
	maxKeyFiles     = 2
	maxFallbackKeys = 5
)

// caches reads one cache or a list of caches.
func (d decoder) caches(path string, v *value) []Cache {
	items := []*value{v}
	if v.kind == list {
		items = v.items
	}
	if len(items) > maxCaches {
		d.fail(v.at, "%s config no more than %d caches can be created", path, maxCaches)
		return nil
	}
	caches := make([]Cache, 0, len(items))
	for _, item := range items {
		if item.kind != dict {
			d.fail(item.at, "%s config should be a hash", path)
			continue
		}
		if len(item.entries) > 0 { // cache: {} means no cache
			caches = append(caches, d.cache(path, item))
		}
	}
	return caches
}

func (d decoder) cache(path string, v *value) Cache {
	c := Cache{Key: "default", Policy: "pull-push", When: "on_success"}
	d.object(path, v, fields{
		"key":           func(v *value) { d.cacheKey(path+":key", &c, v) },
		"paths":         func(v *value) { c.Paths = d.texts(path+":paths config", v) },
		"untracked":     func(v *value) { c.Untracked = d.boolean(path+":untracked config", v) },
		"unprotect":     func(v *value) { c.Unprotect = d.boolean(path+":unprotect config", v) },
		"fallback_keys": func(v *value) { c.FallbackKeys = d.fallbackKeys(path, v) },
		"when": func(v *value) {
			c.When = d.choice(path+" when", v, "on_success", "on_failure", "always")
		},
		"policy": func(v *value) {
			if v.kind == text && strings.Contains(v.text, "$") {
				c.Policy = v.text // a variable decides
				return
			}
			c.Policy = d.choice(path+" policy", v, "pull-push", "push", "pull")
		},
	})
	return c
}

func (d decoder) fallbackKeys(path string, v *value) []string {
	keys := d.texts(path+" fallback keys", v)
	if len(keys) > maxFallbackKeys {
		d.fail(v.at, "%s fallback keys no more than %d fallback keys can be used", path, maxFallbackKeys)
		return nil
	}
	return keys
}

// cacheKey reads cache:key: a text, or files whose content determines the key.
func (d decoder) cacheKey(path string, c *Cache, v *value) {
	if v.isScalar() {
		c.Key = v.text
		return
	}
	if v.kind != dict {
		d.fail(v.at, "%s should be a hash, a string or a symbol", path)
		return
	}
	c.Key = ""
	d.object(path, v, fields{
		"files": func(v *value) {
			if c.KeyFiles = d.texts(path+":files config", v); len(c.KeyFiles) == 0 || len(c.KeyFiles) > maxKeyFiles {
				d.fail(v.at, "%s:files config requires at least 1 item and has too many items (maximum is %d)", path, maxKeyFiles)
			}
		},
		"prefix": func(v *value) { c.KeyPrefix = d.text(path+":prefix config", v) },
	})
	if v.get("files") == nil {
		d.fail(v.at, "%s config missing required keys: files", path)
	}
}
