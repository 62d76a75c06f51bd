// Package variables handles the variables of CI jobs: how texts with $NAME expand, which variable wins if several have
// the same name, which stored variables a job may see, and which variables the service defines. It does no I/O.
//
//	variable.go        variables, layers and merging
//	expand.go          expand texts for use in the service
//	resolve.go         expand variables for the runner, and find cycles
//	stored.go          stored variables, and the precedence of origins
//	predefined.go      predefined variables of the server, project, commit and pipeline
//	predefined_job.go  predefined variables of the user, job, runner, environment and merge request
//	dotenv.go          dotenv reports
//	slug.go            names that fit into host names
package variables

// Variable is a variable of a job.
type Variable struct {
	Key    string
	Value  string
	Raw    bool // $NAME in the value is not expanded
	File   bool // the job gets the path of a file with the value
	Masked bool // the value must not appear in a log
	Public bool // not a secret: from the CI file or the service
}

// Layer holds variables of the same precedence, by key.
type Layer map[string]Variable

// NewLayer returns a layer from a list. If a key occurs twice, the later variable wins.
func NewLayer(list []Variable) Layer {
	layer := make(Layer, len(list))
	for _, v := range list {
		layer[v.Key] = v
	}
	return layer
}

// Public returns a variable that is not a secret.
func Public(key, value string) Variable { return Variable{Key: key, Value: value, Public: true} }

// Merge joins lists in increasing precedence into one list without duplicate keys. A key keeps the position of its
// first occurrence.
func Merge(lists ...[]Variable) []Variable {
	total := 0
	for _, list := range lists {
		total += len(list)
	}
	merged := make([]Variable, 0, total)
	place := make(map[string]int, total)
	for _, list := range lists {
		for _, v := range list {
			if i, known := place[v.Key]; known {
				merged[i] = v
				continue
			}
			place[v.Key] = len(merged)
			merged = append(merged, v)
		}
	}
	return merged
}
