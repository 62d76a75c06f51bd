package syntax

import (
	"strings"

	"svc/server/domain/ci/variables"
)

// checker checks that jobs, stages and needs fit together, before rules exclude any jobs.
type checker struct {
	decoder
	config *Config
	stage  map[string]int
	named  map[string][]*jobEntry // by full name; the base name of a parallel job gives all its variants
}

func (d decoder) check(c *Config) {
	k := checker{decoder: d, config: c, stage: make(map[string]int, len(c.Stages)), named: c.byName()}
	for i, stage := range c.Stages {
		k.stage[stage] = i
	}
	k.circularVariables()
	for _, j := range c.jobs {
		index, known := k.stage[j.Stage]
		if !known {
			d.fail(j.at, "%s job: chosen stage does not exist; available stages are %s", clip(j.Name), clip(strings.Join(c.Stages, ", ")))
		}
		j.StageIndex = index
	}
	if len(d.errors) > 0 {
		return
	}
	for _, j := range c.jobs {
		k.needs(j)
		k.dependencies(j)
		k.onStop(j)
		k.pipelineWarning(j)
	}
	if len(d.errors) == 0 {
		k.circularNeeds()
	}
}

// byName indexes jobs by name. The base name of a parallel job gives all its variants.
func (c *Config) byName() map[string][]*jobEntry {
	named := make(map[string][]*jobEntry, len(c.jobs))
	for _, j := range c.jobs {
		named[j.Name] = append(named[j.Name], j)
		if j.BaseName != j.Name {
			named[j.BaseName] = append(named[j.BaseName], j)
		}
	}
	return named
}

func (k *checker) needs(j *jobEntry) {
	k.needList(j, j.needs)
	for _, r := range j.rules {
		k.needList(j, r.needs)
	}
}

func (k *checker) needList(j *jobEntry, needs []needEntry) {
	seen := make(map[string]bool, len(needs))
	var double []string
	for _, need := range needs {
		if need.cross != nil {
			continue
		}
		if !need.Optional || len(k.named[need.Job]) > 0 {
			k.checkEarlier(j, need.at, "need", need.Job)
		}
		if seen[need.Job] && need.matrix == nil {
			double = append(double, clip(need.Job))
		}
		seen[need.Job] = true
	}
	if double != nil {
		k.fail(j.at, "%s has the following needs duplicated: %s.", clip(j.Name), strings.Join(double, ", "))
	}
}

// checkEarlier reports an error unless the other job is in the same stage or an earlier one.
func (k *checker) checkEarlier(j *jobEntry, at position, kind, name string) {
	others := k.named[name]
	switch {
	case len(others) == 0:
		k.fail(at, "%s job: undefined %s: %s", clip(j.Name), kind, clip(name))
	case others[0].StageIndex > j.StageIndex:
		k.fail(at, "%s job: %s %s is not defined in current or prior stages", clip(j.Name), kind, clip(name))
	}
}

func (k *checker) dependencies(j *jobEntry) {
	for _, name := range j.Dependencies {
		k.checkEarlier(j, j.at, "dependency", name)
	}
	if j.Trigger == nil {
		return
	}
	for _, file := range j.Trigger.Include {
		if file.Job != "" {
			k.checkEarlier(j, j.at, "dependency", file.Job)
		}
	}
}

// onStop checks the job that environment:on_stop names.
func (k *checker) onStop(j *jobEntry) {
	if j.Environment == nil || j.Environment.OnStop == "" {
		return
	}
	name := j.Environment.OnStop
	others := k.named[name]
	if len(others) == 0 {
		k.fail(j.at, "%s job: on_stop job %s is not defined", clip(j.Name), clip(name))
		return
	}
	other := others[0].Environment
	switch {
	case other == nil:
		k.fail(j.at, "%s job: on_stop job %s does not have environment defined", clip(j.Name), clip(name))
	case other.Name != j.Environment.Name:
		k.fail(j.at, "%s job: on_stop job %s have different environment name", clip(j.Name), clip(name))
	case other.Action != "stop":
		k.fail(j.at, "%s job: on_stop job %s needs to have action stop defined", clip(j.Name), clip(name))
	}
}

// pipelineWarning warns about rules that match every source in a file without workflow:rules. A push to a branch with a
// merge request would then start two pipelines.
func (k *checker) pipelineWarning(j *jobEntry) {
	if k.config.workflow.hasRules || len(j.rules) == 0 || j.NodeIndex > 1 {
		return
	}
	last := j.rules[len(j.rules)-1]
	if last.condition == nil && last.changes == nil && last.exists == nil && last.when != "" && last.when != "never" {
		k.warn(
			last.at,
			"%s may allow multiple pipelines to run for a single action due to `rules:when` clause with no `workflow:rules`",
			j.path,
		)
	}
}

// circularNeeds finds jobs that wait for each other. Only needs within one stage can form a cycle.
func (k *checker) circularNeeds() {
	state := make(map[*jobEntry]int8, len(k.config.jobs)) // 1: being visited, 2: done
	var way []string
	var visit func(j *jobEntry) bool
	visit = func(j *jobEntry) bool {
		if state[j] == 2 {
			return false
		}
		way = append(way, clip(j.Name))
		if state[j] == 1 {
			return true
		}
		state[j] = 1
		for _, need := range j.allNeeds() {
			for _, other := range k.named[need.Job] {
				if other.StageIndex == j.StageIndex && need.cross == nil && visit(other) {
					return true
				}
			}
		}
		state[j] = 2
		way = way[:len(way)-1]
		return false
	}
	for _, j := range k.config.jobs {
		if visit(j) {
			last := way[len(way)-1]
			for way[0] != last {
				way = way[1:]
			}
			k.fail(j.at, "The pipeline has circular dependencies: %s", clip(strings.Join(way, " -> ")))
			return
		}
	}
}

func (j *jobEntry) allNeeds() []needEntry {
	all := j.needs[:len(j.needs):len(j.needs)]
	for _, r := range j.rules {
		all = append(all, r.needs...)
	}
	return all
}

func (k *checker) circularVariables() {
	top := make([]variables.Variable, len(k.config.Variables))
	for i, p := range k.config.Variables {
		top[i] = p.Variable
	}
	if circle := variables.Cycle(top); circle != nil {
		k.fail(k.config.merged.get("variables").at, "variables config circular variable reference detected: %s", quotedList(circle))
		return
	}
	for _, j := range k.config.jobs {
		if !refersToOthers(j.Job.Variables) || j.NodeIndex > 1 {
			continue // a new cycle must include one of the job's own variables
		}
		if circle := variables.Cycle(variables.Merge(top, j.Job.Variables)); circle != nil {
			k.fail(j.at, "%s: circular variable reference detected: %s", clip(j.Name), quotedList(circle))
		}
	}
}

func refersToOthers(own []variables.Variable) bool {
	for _, v := range own {
		if !v.Raw && strings.Contains(v.Value, "$") {
			return true
		}
	}
	return false
}

func quotedList(names []string) string { return `["` + clip(strings.Join(names, `", "`)) + `"]` }
