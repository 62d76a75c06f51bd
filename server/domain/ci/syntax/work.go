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

var errTooMuch = errors.New("The rules take too much work: use fewer rules and patterns, or shorter variables") //nolint:staticcheck // a sentence for users

// work counts the cost so far and caches compiled patterns.
type work struct {
	spent    int
	patterns map[string]pattern // an invalid pattern has a nil regular expression
}

func newWork() *work { return &work{patterns: map[string]pattern{}} }

func (w *work) spend(bytes int) error {
	if w.spent += askCost + bytes; w.spent > maxWork {
		return errTooMuch
	}
	return nil
}

// pattern compiles each pattern once.
func (w *work) pattern(source string) (pattern, bool) {
	p, known := w.patterns[source]
	if !known {
		w.spent += compileCost
		p, _ = parsePattern(source)
		w.patterns[source] = p
	}
	return p, p.compiled != nil
}

// asker gives an expression access to variables and counts the cost.
type asker struct {
	get  func(name string) (value string, known bool, err error)
	work *work
}

func (a asker) variable(name string) (string, bool, error) {
	value, known, err := a.get(name)
	if err == nil {
		err = a.work.spend(len(value))
	}
	return value, known, err
}
