package syntax

import "sort"

// defaultKeys are the keywords that default may set for all jobs.
var defaultKeys = []string{
	"after_script", "artifacts", "before_script", "cache", "hooks", "id_tokens", "image", "interruptible", "retry", "services",
	"tags", "timeout",
}

// globalKeys are the default keywords that are also allowed at the top level of the file, an older form of default.
var globalKeys = []string{"after_script", "before_script", "cache", "image", "services"}

// defaults reads default and the global keywords, and checks them once. inheritDefault copies the values to jobs.
func (d decoder) defaults(root *value) *value {
	given := root.get("default")
	if given == nil {
		given = newDict(nil, root.at)
	}
	known := fields{}
	probe := &jobEntry{path: "default"}
	for _, key := range defaultKeys {
		known[key] = func(v *value) { d.keyword(probe, key, "default:"+key, v) }
	}
	if !d.object("default", given, known) {
		return nil
	}
	entries := given.entries[:len(given.entries):len(given.entries)]
	probe.path = "root"
	for _, key := range globalKeys {
		v := root.get(key)
		switch {
		case v == nil:
		case given.get(key) != nil:
			d.fail(v.at, "root %s is defined in top-level and `default:` entry", key)
		default:
			jobKeys[key](d, probe, key, v)
			entries = append(entries, root.entries[root.find(key)])
		}
	}
	sort.SliceStable(entries, func(a, b int) bool { return entries[a].key < entries[b].key })
	return newDict(entries, given.at)
}
