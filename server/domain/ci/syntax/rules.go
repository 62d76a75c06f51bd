package syntax

import (
	"slices"
	"time"

	"svc/server/domain/ci/variables"
)

// rule is an entry of rules. The first rule whose conditions all hold decides.
type rule struct {
	at            position
	condition     *expression // nil always holds
	changes       *changes
	exists        *exists
	when          string // empty means the job's own value
	startIn       time.Duration
	allowFailure  *bool
	interruptible *bool
	hasNeeds      bool
	needs         []needEntry
	variables     []variables.Variable
	autoCancel    AutoCancel
}

// changes is the condition that one of these files was changed.
type changes struct {
	at        position
	paths     []string
	compareTo string
}

// exists is the condition that one of these files exists.
type exists struct {
	at           position
	paths        []string
	project, ref string
}

// ruleScope is the place of rules in the file. It decides which keys they may have.
type ruleScope uint8

const (
	jobRule ruleScope = iota
	workflowRule
	includeRule
)

const maxRules = 500

func (d decoder) jobRules(j *jobEntry, path string, v *value) {
	j.hasRules = true
	j.rules = d.rules(path, v, jobRule)
}

// rules reads a list of rules, which may be nested.
func (d decoder) rules(path string, v *value, scope ruleScope) []rule {
	items, ok := flatten(v, 1, nil)
	if v.kind != list || !ok {
		d.fail(v.at, "%s config should be an array containing hashes and arrays of hashes", path)
		return nil
	}
	if len(items) > maxRules {
		d.fail(v.at, "%s config has more than %d rules", path, maxRules)
		return nil
	}
	all := make([]rule, 0, len(items))
	for _, item := range items {
		if item.kind != dict {
			d.fail(item.at, "%s:rule config should be a hash", path)
			continue
		}
		all = append(all, d.rule(path+":rule", item, scope))
	}
	return all
}

func (d decoder) rule(path string, v *value, scope ruleScope) rule {
	r := rule{at: v.at}
	known := fields{
		"if":      func(v *value) { r.condition = d.condition(path, v) },
		"changes": func(v *value) { r.changes = d.changes(path+":changes", v) },
		"exists":  func(v *value) { r.exists = d.exists(path+":exists", v) },
	}
	whens := []string{"always", "never"}
	switch scope {
	case workflowRule:
		known["variables"] = func(v *value) { r.variables = d.jobVariables(path+":variables", v) }
		known["auto_cancel"] = func(v *value) { r.autoCancel = d.autoCancel(path+":auto_cancel", v) }
	case jobRule:
		whens = []string{"on_success", "on_failure", "always", "never", "manual", "delayed"}
		d.jobRuleFields(path, &r, known)
	}
	known["when"] = func(v *value) {
		if !v.isScalar() || !slices.Contains(whens, v.text) {
			d.fail(v.at, "%s when unknown value: %s", path, v.short())
			return
		}
		r.when = v.text
	}
	d.object(path, v, known)
	switch {
	case len(v.entries) == 0:
		d.fail(v.at, "%s config can't be blank", path)
	case r.when == "delayed" && v.get("start_in") == nil:
		d.fail(v.at, "%s start in should be a duration", path)
	case r.when != "delayed" && r.startIn != 0:
		d.fail(v.at, "%s start in must be blank", path)
	}
	return r
}

func (d decoder) jobRuleFields(path string, r *rule, known fields) {
	known["variables"] = func(v *value) { r.variables = d.jobVariables(path+":variables", v) }
	known["start_in"] = func(v *value) { r.startIn = d.duration(path+" start in", v, maxStartIn) }
	known["allow_failure"] = func(v *value) {
		allowed := d.boolean(path+" allow failure", v)
		r.allowFailure = &allowed
	}
	known["interruptible"] = func(v *value) {
		interruptible := d.boolean(path+" interruptible", v)
		r.interruptible = &interruptible
	}
	known["needs"] = func(v *value) {
		r.hasNeeds = true
		for _, need := range d.needs(path+":needs", v) {
			if need.cross != nil {
				d.fail(need.at, "%s:needs config uses invalid types: cross_dependency", path)
				continue
			}
			r.needs = append(r.needs, need)
		}
	}
}

// condition reads the expression of rules:if.
func (d decoder) condition(path string, v *value) *expression {
	if !v.isScalar() {
		d.fail(v.at, "%s if should be a string", path)
		return nil
	}
	e, err := d.expression(v.text)
	if err != nil {
		d.fail(v.at, "%s if %s", path, err)
		return nil
	}
	return e
}

const maxPatterns = 50 // per changes or exists

func (d decoder) changes(path string, v *value) *changes {
	c := &changes{at: v.at}
	if v.kind == dict {
		d.object(path, v, fields{
			"paths":      func(v *value) { c.paths = d.patterns(path+" paths", v) },
			"compare_to": func(v *value) { c.compareTo = d.text(path+" compare to", v) },
		})
		if v.get("paths") == nil {
			d.fail(v.at, "%s paths can't be blank", path)
		}
		return c
	}
	c.paths = d.patterns(path+" config", v)
	return c
}

func (d decoder) exists(path string, v *value) *exists {
	e := &exists{at: v.at}
	if v.kind == dict {
		d.object(path, v, fields{
			"paths":   func(v *value) { e.paths = d.patterns(path+" paths", v) },
			"project": func(v *value) { e.project = d.text(path+" project", v) },
			"ref":     func(v *value) { e.ref = d.text(path+" ref", v) },
		})
		if e.ref != "" && e.project == "" {
			d.fail(v.at, "%s project can't be blank", path)
		}
		return e
	}
	e.paths = d.patterns(path+" config", v)
	return e
}

func (d decoder) patterns(subject string, v *value) []string {
	paths := d.textOrTexts(subject, v)
	if len(paths) > maxPatterns {
		d.fail(v.at, "%s has too many items (maximum is %d)", subject, maxPatterns)
		return nil
	}
	return paths
}
