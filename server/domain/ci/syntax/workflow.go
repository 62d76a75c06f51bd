package syntax

// workflow holds the settings for the whole pipeline.
type workflow struct {
	name       string
	hasRules   bool
	rules      []rule
	autoCancel AutoCancel
}

const maxWorkflowName = 255

func (d decoder) workflow(v *value) workflow {
	var w workflow
	d.object("workflow", v, fields{
		"rules": func(v *value) {
			w.hasRules = true
			w.rules = d.rules("workflow:rules", v, workflowRule)
		},
		"name": func(v *value) {
			if w.name = d.text("workflow name", v); len(w.name) > maxWorkflowName || w.name == "" {
				d.fail(v.at, "workflow name is too long (maximum is %d characters) or blank", maxWorkflowName)
			}
		},
		"auto_cancel": func(v *value) { w.autoCancel = d.autoCancel("workflow:auto_cancel", v) },
	})
	return w
}

func (d decoder) autoCancel(path string, v *value) AutoCancel {
	var a AutoCancel
	d.object(path, v, fields{
		"on_new_commit": func(v *value) {
			a.OnNewCommit = d.choice(path+" on new commit", v, "conservative", "interruptible", "none", "disabled")
		},
		"on_job_failure": func(v *value) { a.OnJobFailure = d.choice(path+" on job failure", v, "none", "all") },
	})
	return a
}
