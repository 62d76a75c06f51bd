package syntax

import (
	"slices"
	"strings"

	"svc/server/domain/ci/variables"
)

const (
	maxStages    = 200
	maxStageName = 255
	// MaxJobs is the largest number of jobs in a pipeline.
	MaxJobs = 2000
)

// Config is a CI file that was loaded without errors. Compile turns it into a pipeline.
type Config struct {
	Stages    []string
	Variables []Prefill // global variables
	Warnings  []Error

	merged   *value
	workflow workflow
	jobs     []*jobEntry // parallel jobs are split into their variants
}

// rootKeys are the global keywords. Other keys of the file are job names.
var rootKeys = []string{
	"after_script", "before_script", "cache", "default", "image", "include", "services", "spec", "stages", "variables", "workflow",
}

// config reads the whole file.
func (d decoder) config(root *value) *Config {
	c := &Config{merged: root, Stages: d.stages(root.get("stages"))}
	if v := root.get("variables"); v != nil {
		c.Variables = d.variables("variables", v, true)
	}
	if v := root.get("workflow"); v != nil {
		c.workflow = d.workflow(v)
	}
	defaults := d.defaults(root)
	if len(d.errors) > 0 {
		return c // otherwise every job would repeat the errors of default
	}
	visible := 0
	for _, e := range root.entries {
		if slices.Contains(rootKeys, e.key) || strings.HasPrefix(e.key, ".") {
			continue
		}
		switch {
		case e.key == "":
			d.fail(e.at, "jobs config contains a job without a name")
		case !isJob(e.value):
			d.fail(e.at, "jobs %s config should implement a script: or a trigger: keyword", clip(e.key))
		default:
			visible++
			c.add(d, d.job(e.key, inheritDefault(e.value, defaults), e.at))
		}
	}
	switch {
	case visible == 0:
		d.fail(root.at, "jobs config should contain at least one visible job")
	case len(c.jobs) > MaxJobs:
		d.fail(root.at, "The pipeline has %d jobs; the limit is %d", len(c.jobs), MaxJobs)
	case len(d.errors) == 0:
		d.check(c)
	}
	return c
}

// add adds a job. It splits a parallel job into its variants.
func (c *Config) add(d decoder, j *jobEntry) {
	if len(j.variants) == 0 {
		c.jobs = append(c.jobs, j)
		return
	}
	for i, form := range j.variants {
		one := *j
		one.Name += form.suffix
		one.NodeIndex, one.NodeTotal = i+1, len(j.variants)
		one.variants = []variant{form}
		one.Job.Variables = variables.Merge(j.Job.Variables, form.variables)
		if len(one.Name) > maxJobName && i == 0 {
			d.fail(j.at, "%s job name is too long (maximum is %d characters)", "jobs:"+clip(one.Name), maxJobName)
		}
		c.jobs = append(c.jobs, &one)
	}
}

// stages reads the order of stages. .pre comes first and .post last.
func (d decoder) stages(v *value) []string {
	stages := []string{"build", "test", "deploy"}
	if v != nil {
		given := d.texts("stages config", v)
		stages = stages[:0]
		for _, stage := range given {
			if len(stage) > maxStageName {
				d.fail(v.at, "stages config contains a name that is too long (maximum is %d characters)", maxStageName)
			}
			if stage != ".pre" && stage != ".post" && !slices.Contains(stages, stage) {
				stages = append(stages, stage)
			}
			if len(stages) > maxStages {
				d.fail(v.at, "stages config has more than %d stages", maxStages)
				break
			}
		}
	}
	return append(append([]string{".pre"}, stages...), ".post")
}
