// Package variables knows the variables of CI jobs: how texts with $NAME in them expand, which variable wins over
// another of the same name, which stored ones a job may see, and those that the service itself defines. It is pure.
package variables

// Variable is one variable of a job.
type Variable struct {
	Key    string
	Value  string
	Raw    bool // $NAME in the value is text, not another variable
	File   bool // the job gets the path of a file that holds the value
	Masked bool // the value must not be seen in a log
	Public bool // not a secret: from the CI file or from the service itself
}

// Layer is variables of the same rank, by their keys.
type Layer map[string]Variable

// NewLayer makes a layer of a list; of two with the same key the later one counts.
func NewLayer(list []Variable) Layer {
	layer := make(Layer, len(list))
	for _, v := range list {
		layer[v.Key] = v
	}
	return layer
}

// Public makes a variable that everybody may see.
func Public(key, value string) Variable { return Variable{Key: key, Value: value, Public: true} }

// Merge joins lists of rising rank into one without double keys. A key keeps the place where it was first seen.
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
