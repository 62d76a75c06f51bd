package syntax

import "strings"

// maxNeeds is the largest number of jobs that one job may need.
const maxNeeds = 50

// needEntry is an entry of needs as written: a job, possibly only some variants of a parallel job, or a job in another
// project or pipeline.
type needEntry struct {
	Need
	at     position
	matrix []map[string][]string // variants of a parallel job; nil for all
	cross  *CrossNeed
}

func (d decoder) jobNeeds(j *jobEntry, path string, v *value) {
	j.HasNeeds = true
	j.needs = d.needs(path, v)
	if j.bridge {
		return
	}
	for _, need := range j.needs {
		if need.cross != nil && need.cross.Job == "" {
			d.fail(need.at, "%s:need job can't be blank", path)
		}
	}
}

// needs reads a list of names and dictionaries, or one dictionary.
func (d decoder) needs(path string, v *value) []needEntry {
	items := []*value{v}
	if v.kind != dict && !v.isScalar() {
		var ok bool
		if items, ok = flatten(v, 1, nil); !ok || v.kind != list {
			d.fail(v.at, "%s config can only be a hash or an array", path)
			return nil
		}
	}
	needs := make([]needEntry, 0, len(items))
	for _, item := range items {
		switch {
		case item.isScalar():
			needs = append(needs, needEntry{Need: Need{Job: item.text, Artifacts: true}, at: item.at})
		case item.kind == dict:
			needs = append(needs, d.need(path+":need", item))
		default:
			d.fail(item.at, "%s config has an unsupported type", path+":need")
		}
	}
	return needs
}

func (d decoder) need(path string, v *value) needEntry {
	n := needEntry{Need: Need{Artifacts: true}, at: v.at}
	var project, ref, pipeline string
	d.object(path, v, fields{
		"job":       func(v *value) { n.Job = d.text(path+" job", v) },
		"artifacts": func(v *value) { n.Artifacts = d.boolean(path+" artifacts", v) },
		"optional":  func(v *value) { n.Optional = d.boolean(path+" optional", v) },
		"project":   func(v *value) { project = d.text(path+" project", v) },
		"ref":       func(v *value) { ref = d.text(path+" ref", v) },
		"pipeline":  func(v *value) { pipeline = d.text(path+" pipeline", v) },
		"parallel": func(v *value) {
			d.object(path+":parallel", v, fields{
				"matrix": func(v *value) { n.matrix = d.matrix(path+":parallel:matrix", v) },
			})
		},
	})
	switch {
	case project != "":
		n.cross = &CrossNeed{Project: project, Ref: ref, Job: n.Job, Artifacts: n.Artifacts}
		if n.Job != "" && v.get("ref") == nil {
			d.fail(v.at, "%s ref can't be blank", path)
		}
	case pipeline != "":
		n.cross = &CrossNeed{Pipeline: pipeline, Job: n.Job, Artifacts: n.Artifacts}
	case n.Job == "":
		d.fail(v.at, "%s job can't be blank", path)
	}
	return n
}

func (d decoder) jobDependencies(j *jobEntry, path string, v *value) {
	j.Dependencies = d.texts(path+" config", v)
	if j.Dependencies == nil {
		j.Dependencies = []string{}
	}
}

// dependenciesWithinNeeds checks that dependencies lists only jobs in needs, because a job with needs downloads
// artifacts only from these.
func (d decoder) dependenciesWithinNeeds(j *jobEntry) {
	if !j.HasNeeds || j.Dependencies == nil || j.hasRules {
		return
	}
	needed := make(map[string]bool, len(j.needs))
	for _, need := range j.needs {
		needed[need.Job] = true
	}
	var missing []string
	for _, name := range j.Dependencies {
		if !needed[name] {
			missing = append(missing, clip(name))
		}
	}
	if missing != nil {
		d.fail(j.at, "%s dependencies the %s should be part of needs", j.path, strings.Join(missing, ", "))
	}
}
