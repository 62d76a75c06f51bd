package syntax

import (
	"errors"
	"strconv"
	"strings"

	"svc/server/domain/ci/variables"
)

// Compile evaluates all rules and returns the resulting pipeline. ErrFiltered and ErrNoJobs mean that nothing is to
// run. Errors lists mistakes in the file. Any other error comes from a function of the context.
func (c *Config) Compile(context Context) (*Pipeline, error) {
	k := &compiler{
		config: c, context: &context, match: newMatcher(&context),
		predefined: variables.NewLayer(context.Predefined), given: map[string]variables.Layer{}, needs: map[string][]needEntry{},
	}
	p := &Pipeline{Warnings: c.Warnings}
	for _, prefill := range c.Variables {
		p.Variables = append(p.Variables, prefill.Variable)
	}
	if err := k.workflow(p); err != nil {
		return nil, err
	}
	k.top, k.topLayer = p.Variables, variables.NewLayer(p.Variables)
	for _, entry := range c.jobs {
		job, err := k.job(entry)
		if err != nil {
			return nil, err
		}
		if job != nil {
			p.Jobs = append(p.Jobs, *job)
		}
	}
	if err := k.connect(p); err != nil {
		return nil, err
	}
	if err := k.problems.err(); err != nil {
		return nil, err
	}
	return p, nil
}

// maxAllVariables limits the memory that many jobs with many variables can use.
const maxAllVariables = 500_000

// compiler builds one pipeline.
type compiler struct {
	problems
	config     *Config
	context    *Context
	match      *matcher
	predefined variables.Layer
	given      map[string]variables.Layer // by environment
	top        []variables.Variable       // global variables of the file, after the workflow rules
	topLayer   variables.Layer
	variables  int                    // total of all jobs so far
	needs      map[string][]needEntry // by job name, after its rules
}

func (k *compiler) givenFor(environment string) variables.Layer {
	layer, ok := k.given[environment]
	if !ok {
		layer = k.context.given(environment)
		k.given[environment] = layer
	}
	return layer
}

// workflow evaluates workflow:rules and sets the name of the pipeline.
func (k *compiler) workflow(p *Pipeline) error {
	w := &k.config.workflow
	p.AutoCancel = w.autoCancel
	set := variables.NewSet(k.predefined, variables.NewLayer(p.Variables), k.givenFor(""))
	if w.hasRules {
		r, err := k.match.first(w.rules, set)
		if err != nil {
			return err
		}
		if r == nil || r.when == "never" {
			return ErrFiltered
		}
		p.Variables = variables.Merge(p.Variables, r.variables)
		p.AutoCancel.OnNewCommit = firstText(r.autoCancel.OnNewCommit, p.AutoCancel.OnNewCommit)
		p.AutoCancel.OnJobFailure = firstText(r.autoCancel.OnJobFailure, p.AutoCancel.OnJobFailure)
		set = variables.NewSet(k.predefined, variables.NewLayer(p.Variables), k.givenFor(""))
	}
	name, err := set.Expand(w.name)
	if len(name) > maxWorkflowName {
		name = strings.ToValidUTF8(name[:maxWorkflowName], "")
	}
	p.Name = strings.TrimSpace(name)
	return asFileError(k.config.merged.at, err)
}

func firstText(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// job evaluates the rules of a job. It returns nil if the job is not part of the pipeline.
func (k *compiler) job(entry *jobEntry) (*Job, error) {
	job := entry.Job // a copy
	inherited, layer := k.inherited(entry)
	layers := []variables.Layer{k.predefined, ownVariables(&job), layer, variables.NewLayer(entry.Job.Variables)}
	set, err := k.scoped(entry, layers)
	if err != nil {
		return nil, err
	}
	chosen, wanted, err := k.choose(entry, set)
	if err != nil || !wanted {
		return nil, inJob(entry.Name, err)
	}
	k.decide(entry, chosen, &job)
	job.Variables = inherited
	if len(entry.Job.Variables) > 0 {
		job.Variables = variables.Merge(inherited, entry.Job.Variables)
	}
	if chosen != nil && len(chosen.variables) > 0 {
		job.Variables = variables.Merge(job.Variables, chosen.variables)
		if set, err = k.scoped(entry, append(layers, variables.NewLayer(chosen.variables))); err != nil {
			return nil, err
		}
	}
	if k.variables += len(job.Variables); k.variables > maxAllVariables {
		return nil, Errors{entry.at.error("The jobs of the pipeline have more than %d variables in total", maxAllVariables)}
	}
	return &job, k.expand(entry, &job, set)
}

// inJob adds the name of the job to errors in its rules.
func inJob(name string, err error) error {
	var mistakes Errors
	if !errors.As(err, &mistakes) {
		return err
	}
	named := make(Errors, len(mistakes))
	for i, e := range mistakes {
		e.Message = "Failed to parse rule for " + clip(name) + ": " + e.Message
		named[i] = e
	}
	return named
}

// inherited returns the global variables that a job inherits.
func (k *compiler) inherited(entry *jobEntry) ([]variables.Variable, variables.Layer) {
	if !entry.inherits.none && entry.inherits.only == nil {
		return k.top, k.topLayer
	}
	var taken []variables.Variable
	for _, v := range k.top {
		if entry.inherits.allows(v.Key) {
			taken = append(taken, v)
		}
	}
	return taken, variables.NewLayer(taken)
}

// scoped returns the variables for evaluating a job. The given variables depend on its environment.
func (k *compiler) scoped(entry *jobEntry, layers []variables.Layer) (*variables.Set, error) {
	layers = layers[:len(layers):len(layers)]
	set := variables.NewSet(append(layers, k.givenFor(""))...)
	if entry.Environment == nil {
		return set, nil
	}
	name, err := set.Expand(entry.Environment.Name)
	if err != nil {
		return nil, asFileError(entry.at, err)
	}
	return variables.NewSet(append(layers, k.givenFor(name))...), nil
}

// ownVariables returns the predefined variables that describe the job itself.
func ownVariables(job *Job) variables.Layer {
	own := variables.Layer{
		"CI_JOB_NAME":  {Key: "CI_JOB_NAME", Value: job.Name, Raw: true, Public: true},
		"CI_JOB_STAGE": {Key: "CI_JOB_STAGE", Value: job.Stage, Raw: true, Public: true},
	}
	if job.NodeTotal > 0 {
		own["CI_NODE_INDEX"] = variables.Public("CI_NODE_INDEX", strconv.Itoa(job.NodeIndex))
		own["CI_NODE_TOTAL"] = variables.Public("CI_NODE_TOTAL", strconv.Itoa(job.NodeTotal))
	}
	return own
}

// defaultOnly is the value of only for jobs without rules, unless the workflow has rules.
var defaultOnly = &refFilter{refs: []string{"branches", "tags"}}

// choose reports whether the job is part of the pipeline, and which rule decided.
func (k *compiler) choose(entry *jobEntry, set *variables.Set) (*rule, bool, error) {
	if entry.hasRules {
		r, err := k.match.first(entry.rules, set)
		if err != nil || r == nil {
			return nil, false, err
		}
		when := firstText(r.when, entry.When)
		return r, when != "never", nil
	}
	if entry.When == "never" {
		return nil, false, nil
	}
	only := entry.only
	if only == nil && !k.config.workflow.hasRules {
		only = defaultOnly
	}
	if only != nil {
		if len(only.refs) == 0 && entry.only != nil {
			filled := *only
			filled.refs = defaultOnly.refs
			only = &filled
		}
		if fits, err := k.match.fits(only, set); err != nil || !fits {
			return nil, false, err
		}
	}
	if entry.except == nil {
		return nil, true, nil
	}
	fits, err := k.excepted(entry.except, set)
	return nil, !fits, err
}

// excepted reports whether except excludes the job. One kind of condition that holds is enough.
func (k *compiler) excepted(f *refFilter, set *variables.Set) (bool, error) {
	for _, part := range []*refFilter{{at: f.at, refs: f.refs}, {at: f.at, variables: f.variables}, {at: f.at, changes: f.changes}} {
		if part.refs == nil && part.variables == nil && part.changes == nil {
			continue
		}
		if fits, err := k.match.fits(part, set); err != nil || fits {
			return fits, err
		}
	}
	return false, nil
}

// decide sets when the job runs and what it needs.
func (k *compiler) decide(entry *jobEntry, chosen *rule, job *Job) {
	needs := entry.needs
	allow := entry.allowFailure
	if chosen != nil {
		job.When = firstText(chosen.when, job.When)
		if chosen.startIn != 0 {
			job.StartIn = chosen.startIn
		}
		if chosen.allowFailure != nil {
			allow = chosen.allowFailure
			job.AllowFailureExitCodes = nil
		}
		if chosen.interruptible != nil {
			job.Interruptible = *chosen.interruptible
		}
		if chosen.hasNeeds {
			needs, job.HasNeeds = chosen.needs, true
		}
	}
	job.When = firstText(job.When, "on_success")
	switch {
	case allow != nil:
		job.AllowFailure = *allow
	case len(job.AllowFailureExitCodes) > 0:
		job.AllowFailure = false // until the exit code is known
	default:
		// A job with when: manual does not block the pipeline. A job that a rule made manual does.
		job.AllowFailure = job.When == "manual" && entry.When == "manual"
	}
	k.needs[job.Name] = needs
}
