package syntax

import "slices"

// inherits says which global variables a job inherits.
type inherits struct {
	none bool
	only []string // if not nil, only these
}

// inherit reads inherit:variables and checks inherit:default. inheritDefault has already applied the latter.
func (d decoder) inherit(path string, v *value) inherits {
	var in inherits
	d.object(path, v, fields{
		"default": func(v *value) {
			if v.kind == boolean {
				return
			}
			if v.kind != list {
				d.fail(v.at, "%s:default config should be a bool or array of strings", path)
				return
			}
			d.choices(path+":default config", v, defaultKeys...)
		},
		"variables": func(v *value) {
			switch v.kind {
			case boolean:
				in.none = !isTrue(v)
			case list:
				in.only = d.texts(path+":variables config", v)
			default:
				d.fail(v.at, "%s:variables config should be a bool or array of strings", path)
			}
		},
	})
	return in
}

// allows reports whether a job inherits a global variable.
func (in inherits) allows(key string) bool {
	return !in.none && (in.only == nil || slices.Contains(in.only, key))
}

// inheritDefault copies the keywords of default to a job that does not set them itself.
func inheritDefault(job, defaults *value) *value {
	if defaults == nil || len(defaults.entries) == 0 {
		return job
	}
	var wanted []string
	if choice := job.get("inherit").get("default"); choice != nil {
		switch choice.kind {
		case boolean:
			if !isTrue(choice) {
				return job
			}
		case list:
			wanted = []string{}
			for _, item := range choice.items {
				wanted = append(wanted, item.text)
			}
		}
	}
	entries := job.entries[:len(job.entries):len(job.entries)]
	bridge := isBridge(job)
	for _, e := range defaults.entries {
		if job.get(e.key) != nil || wanted != nil && !slices.Contains(wanted, e.key) || bridge && !bridgeKeys[e.key] {
			continue
		}
		if i := job.find(e.key); i >= 0 { // null: the job does not set it itself
			entries = append([]entry(nil), entries...)
			entries[i] = e
			continue
		}
		entries = append(entries, e)
	}
	return newDict(entries, job.at)
}
