package syntax

import "svc/server/domain/ci/variables"

// expand expands the texts that the engine uses. The runner expands its own texts.
func (k *compiler) expand(entry *jobEntry, job *Job, set *variables.Set) error {
	e := expander{set: set}
	if job.Environment != nil {
		env := *job.Environment
		e.text(&env.Name)
		e.text(&env.AutoStopIn)
		job.Environment = &env
	}
	if job.Pages != nil && job.Pages.PathPrefix != "" {
		prefix := job.Pages.PathPrefix
		if e.text(&prefix); prefix != "" && e.err == nil {
			e.err = Errors{entry.at.error(unsupportedPrefix, entry.path+":pages")}
		}
		pages := *job.Pages
		pages.PathPrefix = prefix
		job.Pages = &pages
	}
	e.text(&job.ResourceGroup)
	e.tags(job)
	e.trigger(job)
	for i := range k.needs[job.Name] {
		if cross := k.needs[job.Name][i].cross; cross != nil {
			expanded := *cross
			e.text(&expanded.Project)
			e.text(&expanded.Ref)
			e.text(&expanded.Pipeline)
			e.text(&expanded.Job)
			k.needs[job.Name] = append([]needEntry(nil), k.needs[job.Name]...)
			k.needs[job.Name][i].cross = &expanded
		}
	}
	return asFileError(entry.at, e.err)
}

// expander expands several texts and keeps the first error.
type expander struct {
	set *variables.Set
	err error
}

func (e *expander) text(s *string) {
	expanded, err := e.set.Expand(*s)
	if err != nil && e.err == nil {
		e.err = err
	}
	*s = expanded
}

// tags leaves unknown variables as they are. No runner has such a tag, and the job shows why it waits.
func (e *expander) tags(job *Job) {
	if job.Tags == nil {
		return
	}
	expanded := make([]string, len(job.Tags))
	for i, tag := range job.Tags {
		text, err := e.set.ExpandKnown(tag)
		if err != nil && e.err == nil {
			e.err = err
		}
		expanded[i] = text
	}
	job.Tags = expanded
}

func (e *expander) trigger(job *Job) {
	if job.Trigger == nil {
		return
	}
	t := *job.Trigger
	e.text(&t.Project)
	e.text(&t.Branch)
	t.Include = append([]TriggerFile(nil), t.Include...)
	for i := range t.Include {
		f := &t.Include[i]
		for _, s := range []*string{&f.Local, &f.Artifact, &f.Job, &f.Template, &f.Project, &f.Ref, &f.File} {
			e.text(s)
		}
	}
	job.Trigger = &t
}
