package variables

import "strings"

// Stored is a variable of the instance, a group or a project, with the rules for which jobs see it.
type Stored struct {
	Variable
	Protected bool   // only for jobs on protected branches and tags
	Scope     string // environment name, or a pattern with *; empty means *
}

// Visible returns the variables that a job sees. If several have the same key, the closest scope wins: an exact name
// before a pattern, and a longer pattern before a shorter one. If scopes are equally close, the later variable wins.
// Stored must be the complete list of one owner. Sources merges the owners afterwards.
func Visible(stored []Stored, protectedRef bool, environment string) []Variable {
	var visible []Variable
	place := make(map[string]int, len(stored))
	closeness := make(map[string]int, len(stored))
	for _, s := range stored {
		near, fits := scopeFits(s.Scope, environment)
		if !fits || s.Protected && !protectedRef {
			continue
		}
		i, known := place[s.Key]
		switch {
		case !known:
			place[s.Key] = len(visible)
			visible = append(visible, s.Variable)
		case near >= closeness[s.Key]:
			visible[i] = s.Variable
		default:
			continue
		}
		closeness[s.Key] = near
	}
	return visible
}

// scopeFits reports whether an environment matches a scope, and how closely. A job without an environment matches only
// *.
func scopeFits(scope, environment string) (closeness int, fits bool) {
	switch {
	case scope == "" || scope == "*":
		return 0, true
	case environment == "":
		return 0, false
	case !strings.Contains(scope, "*"):
		return 1 << 20, scope == environment
	}
	parts := strings.Split(scope, "*")
	literal := len(scope) - (len(parts) - 1)
	rest, ok := strings.CutPrefix(environment, parts[0])
	last := parts[len(parts)-1]
	if !ok || !strings.HasSuffix(rest, last) {
		return 0, false
	}
	rest = rest[:len(rest)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(rest, part)
		if i < 0 {
			return 0, false
		}
		rest = rest[i+len(part):]
	}
	return 1 + literal, true
}

// Sources holds the variables of a job by origin, in increasing precedence.
type Sources struct {
	Predefined []Variable // defined by the service
	File       []Variable // from the CI file; those of the job already override the global ones
	Dotenv     []Variable // from dotenv reports of earlier jobs
	Instance   []Variable
	Groups     [][]Variable // the outermost group first
	Project    []Variable
	Pipeline   []Variable // from the schedule, the trigger or the user who started the pipeline
	Job        []Variable // from the user who played the job
}

// Merge returns the variables that the job gets.
func (s Sources) Merge() []Variable {
	lists := [][]Variable{s.Predefined, s.File, s.Dotenv, s.Instance}
	lists = append(lists, s.Groups...)
	lists = append(lists, s.Project, s.Pipeline, s.Job)
	return Merge(lists...)
}

// AboveFile returns the variables that override the CI file. Rules are evaluated with them.
func (s Sources) AboveFile() []Variable {
	s.Predefined, s.File = nil, nil
	return s.Merge()
}
