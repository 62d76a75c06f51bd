package syntax

import "errors"

// maxWork limits the total cost of the rules of all jobs, roughly in bytes read. It corresponds to about one second.
// Without it, many jobs that share many rules over long variables would take hours.
const maxWork = 128 << 20

// Fixed costs of operations that take longer than their length suggests.
const (
	askCost     = 32
	compareCost = 250 // matching one path with a pattern
	compileCost = 5000
)

//nolint:staticcheck // a sentence for users
var errTooCostly = errors.New("The rules are too complex: use fewer rules and patterns, or shorter variables")

// budget counts the cost so far and caches compiled patterns.
type budget struct {
	spent    int
	patterns map[string]pattern // an invalid pattern has a nil regular expression
}

func newWork() *budget { return &budget{patterns: map[string]pattern{}} }

func (w *budget) spend(bytes int) error {
	if w.spent += askCost + bytes; w.spent > maxWork {
		return errTooCostly
	}
	return nil
}

// pattern compiles each pattern once.
func (w *budget) pattern(source string) (pattern, bool) {
	p, known := w.patterns[source]
	if !known {
		w.spent += compileCost
		p, _ = parsePattern(source)
		w.patterns[source] = p
	}
	return p, p.compiled != nil
}

// evaluator gives an expression access to variables and counts the cost.
type evaluator struct {
	get  func(name string) (value string, known bool, err error)
	work *budget
}

func (a evaluator) variable(name string) (string, bool, error) {
	value, known, err := a.get(name)
	if err == nil {
		err = a.work.spend(len(value))
	}
	return value, known, err
}
