package syntax

// JobDescription is a job as written in the file, for the linter. Its rules are not evaluated.
type JobDescription struct {
	Job
	Only   []string // refs; nil if the job has no only
	Except []string
}

// Jobs returns all jobs that may become part of a pipeline.
func (c *Config) Jobs() []JobDescription {
	all := make([]JobDescription, len(c.jobs))
	for i, entry := range c.jobs {
		d := JobDescription{Job: entry.Job}
		d.When = firstText(d.When, "on_success")
		d.AllowFailure = entry.When == "manual"
		if entry.allowFailure != nil {
			d.AllowFailure = *entry.allowFailure
		}
		for _, need := range entry.needs {
			if need.cross == nil {
				d.Needs = append(d.Needs, need.Need)
			}
		}
		if entry.only != nil {
			d.Only = entry.only.refs
		} else if !entry.hasRules && !c.workflow.hasRules {
			d.Only = defaultOnly.refs
		}
		if entry.except != nil {
			d.Except = entry.except.refs
		}
		all[i] = d
	}
	return all
}
