package syntax

import (
	"strings"
	"time"
)

// jobEntry is a job as written in the file, before its rules are evaluated.
type jobEntry struct {
	Job
	at       position
	path     string // jobs:name, the prefix of its error messages
	bridge   bool
	variants []variant // of a parallel job

	inherits     inherits
	hasRules     bool
	rules        []rule
	only, except *refFilter
	allowFailure *bool
	needs        []needEntry
	has          map[string]bool // keys that the job sets
}

// jobKeys maps every keyword of a job to the function that reads it.
var jobKeys = map[string]func(d decoder, j *jobEntry, path string, v *value){
	"after_script":        func(d decoder, j *jobEntry, path string, v *value) { j.AfterScript = d.script(path, v) },
	"allow_failure":       decoder.jobAllowFailure,
	"artifacts":           func(d decoder, j *jobEntry, path string, v *value) { j.Artifacts = d.artifacts(path, v) },
	"before_script":       func(d decoder, j *jobEntry, path string, v *value) { j.BeforeScript = d.script(path, v) },
	"cache":               func(d decoder, j *jobEntry, path string, v *value) { j.Caches = d.caches(path, v) },
	"coverage":            func(d decoder, j *jobEntry, path string, v *value) { j.Coverage = d.coverage(path, v) },
	"dependencies":        decoder.jobDependencies,
	"environment":         func(d decoder, j *jobEntry, path string, v *value) { j.Environment = d.environment(path, v) },
	"except":              func(d decoder, j *jobEntry, path string, v *value) { j.except = d.refFilter(path, v) },
	"hooks":               func(d decoder, j *jobEntry, path string, v *value) { j.Hooks = d.hooks(path, v) },
	"id_tokens":           func(d decoder, j *jobEntry, path string, v *value) { j.IDTokens = d.idTokens(path, v) },
	"image":               func(d decoder, j *jobEntry, path string, v *value) { j.Image = d.image(path, v) },
	"inherit":             func(d decoder, j *jobEntry, path string, v *value) { j.inherits = d.inherit(path, v) },
	"interruptible":       func(d decoder, j *jobEntry, path string, v *value) { j.Interruptible = d.boolean(path+" config", v) },
	"manual_confirmation": decoder.jobManualConfirmation,
	"needs":               decoder.jobNeeds,
	"only":                func(d decoder, j *jobEntry, path string, v *value) { j.only = d.refFilter(path, v) },
	"pages":               func(d decoder, j *jobEntry, path string, v *value) { j.Pages = d.pages(path, v) },
	"parallel":            func(d decoder, j *jobEntry, path string, v *value) { j.variants = d.parallel(path, v) },
	"publish":             decoder.jobPublish,
	"release":             func(d decoder, j *jobEntry, path string, v *value) { j.Release = d.release(path, v) },
	"resource_group":      decoder.jobResourceGroup,
	"retry":               func(d decoder, j *jobEntry, path string, v *value) { j.Retry = d.retry(path, v) },
	"rules":               decoder.jobRules,
	"script":              func(d decoder, j *jobEntry, path string, v *value) { j.Script = d.script(path, v) },
	"secrets":             nil, // always refused
	"services":            func(d decoder, j *jobEntry, path string, v *value) { j.Services = d.services(path, v) },
	"stage":               decoder.jobStage,
	"start_in":            decoder.jobStartIn,
	"tags":                func(d decoder, j *jobEntry, path string, v *value) { j.Tags = d.tags(path, v) },
	"timeout":             decoder.jobTimeout,
	"trigger":             func(d decoder, j *jobEntry, path string, v *value) { j.Trigger = d.trigger(path, v) },
	"variables":           func(d decoder, j *jobEntry, path string, v *value) { j.Variables = d.jobVariables(path, v) },
	"when":                decoder.jobWhen,
}

// bridgeKeys are the keywords that a job with trigger may have.
var bridgeKeys = map[string]bool{
	"allow_failure": true, "environment": true, "except": true, "inherit": true, "interruptible": true, "manual_confirmation": true,
	"needs": true, "only": true, "parallel": true, "resource_group": true, "rules": true, "stage": true, "start_in": true,
	"trigger": true, "variables": true, "when": true,
}

const maxJobName = 255

// isJob reports whether an entry of the file can be a job.
func isJob(v *value) bool { return v.find("script") >= 0 || isBridge(v) }

// isBridge reports whether a job starts another pipeline, or shows the status of a pipeline that it needs.
func isBridge(v *value) bool {
	return v.find("trigger") >= 0 || v.find("script") < 0 && v.get("needs").get("pipeline") != nil
}

// job reads a job that already has its defaults.
func (d decoder) job(name string, v *value, at position) *jobEntry {
	j := &jobEntry{at: at, path: "jobs:" + clip(name), has: make(map[string]bool, len(v.entries)), bridge: isBridge(v)}
	j.Name, j.BaseName, j.Line, j.Stage = name, name, at.line, "test"
	if at.file != nil {
		j.File = *at.file
	}
	if len(name) > maxJobName {
		d.fail(at, "%s job name is too long (maximum is %d characters)", j.path, maxJobName)
	}
	for _, e := range v.entries {
		if e.value.kind != null {
			j.has[e.key] = true
		}
	}
	var unknown []string
	for _, e := range v.entries {
		_, known := jobKeys[e.key]
		switch {
		case !known || j.bridge && !bridgeKeys[e.key]:
			unknown = append(unknown, clip(e.key))
		case e.value.kind != null:
			d.keyword(j, e.key, j.path+":"+e.key, e.value)
		}
	}
	if unknown != nil {
		d.fail(at, "%s config contains unknown keys: %s", j.path, strings.Join(unknown, ", "))
	}
	d.checkJob(j, v)
	return j
}

// checkJob checks rules that involve several keywords.
func (d decoder) checkJob(j *jobEntry, v *value) {
	if script := v.get("script"); !j.bridge && (script == nil || script.kind == list && len(script.items) == 0) {
		d.fail(j.at, "%s script can't be blank", j.path)
	}
	if j.hasRules {
		for _, key := range []string{"only", "except", "start_in"} {
			if j.has[key] {
				d.fail(v.get(key).at, "%s config key may not be used with `rules`: %s", j.path, key)
			}
		}
	}
	switch {
	case j.When == "delayed" && !j.has["start_in"]:
		d.fail(j.at, "%s start in should be a duration", j.path)
	case j.When != "delayed" && j.has["start_in"] && !j.hasRules:
		d.fail(v.get("start_in").at, "%s start in must be blank", j.path)
	}
	d.dependenciesWithinNeeds(j)
	j.publish()
}

func (d decoder) jobStage(j *jobEntry, path string, v *value) {
	if v.kind != text && v.kind != integer {
		d.fail(v.at, "%s config should be a string", path)
		return
	}
	j.Stage = v.text
}

const (
	maxTimeout = month
	maxGroup   = 255 // characters of a resource group
)

func (d decoder) jobTimeout(j *jobEntry, _ string, v *value) {
	j.Timeout = d.duration(j.path+" timeout", v, maxTimeout)
	if j.Timeout != 0 && j.Timeout < time.Second {
		d.fail(v.at, "%s timeout should be a duration", j.path)
	}
}

func (d decoder) jobResourceGroup(j *jobEntry, _ string, v *value) {
	j.ResourceGroup = d.text(j.path+" resource group", v)
	if len(j.ResourceGroup) > maxGroup {
		d.fail(v.at, "%s resource group is too long (maximum is %d characters)", j.path, maxGroup)
	}
}

const maxTags = 50

func (d decoder) tags(path string, v *value) []string {
	tags := d.texts(path+" config", v)
	if len(tags) > maxTags {
		d.fail(v.at, "%s config must be less than the limit of %d tags", path, maxTags)
		return nil
	}
	return tags
}
