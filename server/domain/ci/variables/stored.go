package variables

import "strings"

// Stored is a variable of the instance, a group or a project, with the rules about who may see it.
type Stored struct {
	Variable
	Protected bool   // only jobs of protected branches and tags
	Scope     string // of environments: a name, or a pattern with *; empty stands for *
}

// Visible are the variables that a job sees. Of those with the same key the one with the closest scope counts: an exact
// name before patterns, a longer pattern before a shorter one, and a later one before an earlier one. The list of an
// owner comes in as a whole; owners are merged afterwards (Sources).
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

// scopeFits compares an environment with a scope and tells how close they are. A job without environment fits * only.
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

// Sources are the variables of a job by where they come from, from the weakest to the strongest.
type Sources struct {
	Predefined []Variable // of the service
	File       []Variable // of the CI file, those of the job already over those of the top
	Dotenv     []Variable // of jobs before, by their reports
	Instance   []Variable
	Groups     [][]Variable // the outermost first
	Project    []Variable
	Pipeline   []Variable // of the schedule, the trigger or the one who started it
	Job        []Variable // of the one who played the job
}

// Merge is the list that the job gets.
func (s Sources) Merge() []Variable {
	lists := [][]Variable{s.Predefined, s.File, s.Dotenv, s.Instance}
	lists = append(lists, s.Groups...)
	lists = append(lists, s.Project, s.Pipeline, s.Job)
	return Merge(lists...)
}

// AboveFile are those that override the CI file, which rules must know already.
func (s Sources) AboveFile() []Variable {
	s.Predefined, s.File = nil, nil
	return s.Merge()
}
