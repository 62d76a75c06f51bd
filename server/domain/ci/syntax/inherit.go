package syntax

import "slices"

// inherits says which variables of the file's top a job takes.
type inherits struct {
	none bool
	only []string // if not nil, these
}

// inherit reads which variables of the top a job takes; what it takes of default was decided before (inheritDefault).
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

// takes tells whether a job takes a variable of the top.
func (in inherits) takes(key string) bool {
	return !in.none && (in.only == nil || slices.Contains(in.only, key))
}

// inheritDefault puts what default has for all jobs into a job that has no word of its own about it.
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
		if i := job.find(e.key); i >= 0 { // null: the job has no word of its own
			entries = append([]entry(nil), entries...)
			entries[i] = e
			continue
		}
		entries = append(entries, e)
	}
	return newDict(entries, job.at)
}
