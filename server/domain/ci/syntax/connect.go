package syntax

// connect resolves needs among the jobs of the pipeline and numbers the stages.
func (k *compiler) connect(p *Pipeline) error {
	visible := false
	present := make(map[string]bool, len(p.Jobs))
	used := map[string]bool{}
	for i := range p.Jobs {
		job := &p.Jobs[i]
		present[job.Name] = true
		used[job.Stage] = true
		visible = visible || job.Stage != ".pre" && job.Stage != ".post"
	}
	if !visible {
		return ErrNoJobs
	}
	index := map[string]int{}
	for _, stage := range k.config.Stages {
		if used[stage] {
			index[stage] = len(p.Stages)
			p.Stages = append(p.Stages, stage)
		}
	}
	named := k.config.byName()
	for i := range p.Jobs {
		job := &p.Jobs[i]
		job.StageIndex = index[job.Stage]
		k.resolveNeeds(job, named, present)
		job.Dependencies = expandNames(job.Dependencies, named, present)
	}
	return nil
}

// resolveNeeds turns the names in needs into jobs of this pipeline.
func (k *compiler) resolveNeeds(job *Job, named map[string][]*jobEntry, present map[string]bool) {
	for _, need := range k.needs[job.Name] {
		if need.cross != nil {
			job.CrossNeeds = append(job.CrossNeeds, *need.cross)
			continue
		}
		found := false
		for _, other := range named[need.Job] {
			if !present[other.Name] || len(other.variants) > 0 && !other.variants[0].isWanted(need.matrix) {
				continue
			}
			found = true
			job.Needs = append(job.Needs, Need{Job: other.Name, Artifacts: need.Artifacts, Optional: need.Optional})
		}
		if !found && !need.Optional {
			k.fail(need.at, "'%s' job needs '%s' job, but '%s' does not exist in the pipeline. This might be because "+
				"of the only, except, or rules keywords. To need a job that sometimes does not exist in the "+
				"pipeline, use needs:optional.",
				clip(job.Name), clip(need.Job), clip(need.Job))
		}
	}
	if total := len(job.Needs) + len(job.CrossNeeds); total > maxNeeds {
		k.fail(named[job.Name][0].at, "%s: one job can only need %d others, but you have listed %d", clip(job.Name), maxNeeds, total)
	}
}

// expandNames replaces the name of a parallel job by its variants. It leaves out jobs that are not in the pipeline.
func expandNames(names []string, named map[string][]*jobEntry, present map[string]bool) []string {
	if names == nil {
		return nil
	}
	expanded := make([]string, 0, len(names))
	for _, name := range names {
		for _, other := range named[name] {
			if present[other.Name] {
				expanded = append(expanded, other.Name)
			}
		}
	}
	return expanded
}
