package syntax

// refFilter is only or except: refs and conditions. Every kind of condition that is given must match.
type refFilter struct {
	at        position
	refs      []string
	variables []*expression
	changes   *changes
}

// refKeywords maps the keywords of only and except that are not names of refs to pipeline sources.
var refKeywords = map[string]string{
	"branches": "", "tags": "", "api": "api", "chat": "chat", "external": "external",
	"external_pull_requests": "external_pull_request_event", "merge_requests": "merge_request_event", "pipelines": "pipeline",
	"pushes": "push", "schedules": "schedule", "triggers": "trigger", "web": "web",
}

func (d decoder) refFilter(path string, v *value) *refFilter {
	f := &refFilter{at: v.at}
	if v.kind != dict {
		f.refs = d.refs(path+" config", v)
		return f
	}
	d.object(path, v, fields{
		"refs":      func(v *value) { f.refs = d.refs(path+" refs", v) },
		"variables": func(v *value) { f.variables = d.conditions(path, v) },
		"changes":   func(v *value) { f.changes = d.changes(path+":changes", v) },
		"kubernetes": func(v *value) {
			d.fail(v.at, "%s kubernetes is not supported: this service does not support Kubernetes clusters", path)
		},
	})
	if len(v.entries) == 0 {
		d.fail(v.at, "%s config can't be blank", path)
	}
	return f
}

// refs reads names, /patterns/ and keywords.
func (d decoder) refs(subject string, v *value) []string {
	refs := d.textOrTexts(subject, v)
	if len(refs) > maxRules {
		d.fail(v.at, "%s has more than %d refs", subject, maxRules)
		return nil
	}
	for _, ref := range refs {
		if len(ref) > 0 && ref[0] == '/' {
			source, _ := splitRefPath(ref)
			if _, ok := parsePattern(source); !ok {
				d.fail(v.at, "%s should be an array of strings or regular expressions using re2 syntax", subject)
				return nil
			}
		}
	}
	return refs
}

func (d decoder) conditions(path string, v *value) []*expression {
	var all []*expression
	for _, source := range d.textOrTexts(path+" variables", v) {
		e, err := d.expression(source)
		if err != nil {
			d.fail(v.at, "%s variables %s", path, err)
			return nil
		}
		all = append(all, e)
	}
	return all
}

// splitRefPath splits name@group/project. An @ inside a pattern belongs to the pattern.
func splitRefPath(ref string) (name, project string) {
	start := 0
	if len(ref) > 0 && ref[0] == '/' {
		start = patternLength(ref)
	}
	for i := len(ref) - 1; i >= start && i > 0; i-- {
		if ref[i] == '@' {
			return ref[:i], ref[i+1:]
		}
	}
	return ref, ""
}
