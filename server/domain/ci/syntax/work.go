package syntax

import "errors"

// maxWork bounds what the rules of all jobs together may cost, in bytes looked at or so: about a second. Many jobs that
// share many rules over long variables would take hours otherwise.
const maxWork = 128 << 20

// Flat costs of what takes longer than its length tells.
const (
	askCost     = 32
	compareCost = 250 // of a path with a pattern
	compileCost = 5000
)

var errTooMuch = errors.New("The rules take too much work: use fewer rules and patterns, or shorter variables") //nolint:staticcheck // a sentence for users

// work counts what asking has cost so far, and keeps patterns that were compiled.
type work struct {
	spent    int
	patterns map[string]pattern // without a compiled one where it is wrong
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

// asker answers what an expression asks.
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
