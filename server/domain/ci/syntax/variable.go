package syntax

import (
	"slices"
	"strings"

	"svc/server/domain/ci/variables"
)

// Prefill is a global variable as the form that starts a pipeline shows it.
type Prefill struct {
	variables.Variable
	Description string
	Options     []string
}

const maxVariables = 1000

// jobVariables reads the variables of a job, a service or a rule.
func (d decoder) jobVariables(path string, v *value) []variables.Variable {
	prefills := d.variables(path, v, false)
	if prefills == nil {
		return nil
	}
	list := make([]variables.Variable, len(prefills))
	for i := range prefills {
		list[i] = prefills[i].Variable
	}
	return list
}

// variables reads a dictionary of variables. Global variables may have a description and options.
func (d decoder) variables(path string, v *value, top bool) []Prefill {
	if v.kind != dict {
		d.fail(v.at, "%s config should be a hash of key value pairs", path)
		return nil
	}
	if len(v.entries) > maxVariables {
		d.fail(v.at, "%s config has more than %d variables", path, maxVariables)
		return nil
	}
	list := make([]Prefill, 0, len(v.entries))
	for _, e := range v.entries {
		p := Prefill{Variable: variables.Public(e.key, "")}
		switch {
		case e.value.isScalar():
			p.Value = e.value.text
		case e.value.kind == null:
		case e.value.kind == dict:
			d.variable(path+":"+clip(e.key), e.value, &p, top)
		default:
			d.fail(e.value.at, "%s:%s config variable definition must be either a string or a hash", path, clip(e.key))
			continue
		}
		list = append(list, p)
	}
	return list
}

func (d decoder) variable(path string, v *value, p *Prefill, top bool) {
	known := fields{
		"value":  func(v *value) { p.Value = d.text(path+" config value", v) },
		"expand": func(v *value) { p.Raw = !d.boolean(path+" config expand", v) },
	}
	if top {
		known["description"] = func(v *value) { p.Description = d.text(path+" config description", v) }
		known["options"] = func(v *value) { p.Options = d.texts(path+" config options", v) }
	}
	var unknown []string
	for _, e := range v.entries {
		if read, ok := known[e.key]; !ok {
			unknown = append(unknown, clip(e.key))
		} else if e.value.kind != null {
			read(e.value)
		}
	}
	switch {
	case unknown != nil:
		d.fail(v.at, "%s config uses invalid data keys: %s", path, strings.Join(unknown, ", "))
	case !top && v.find("value") < 0:
		d.fail(v.at, "%s config value can't be blank", path)
	case p.Options != nil && !slices.Contains(p.Options, p.Value):
		d.fail(v.at, "%s config value must be present in options", path)
	}
}
