package syntax

import (
	"errors"

	"svc/server/domain/ci/variables"
)

// maxTotalSource is the largest total size of all files, in bytes.
const maxTotalSource = 8 * MaxFile

// Load reads a CI file and everything that it includes. Mistakes in the files are returned as Errors. Any other error
// comes from a function in sources.
func Load(source []byte, sources Sources, context Context) (*Config, error) {
	p := &problems{}
	l := newLoader(p, sources, &context)
	root := l.main(source)
	if l.failure != nil {
		return nil, l.failure
	}
	if root == nil || len(p.errors) > 0 {
		return nil, p.err()
	}
	if root = p.extend(root); len(p.errors) > 0 {
		return nil, p.err()
	}
	if root = p.resolveReferences(root); len(p.errors) > 0 {
		return nil, p.err()
	}
	c := l.config(root)
	c.Warnings = p.warnings
	if err := p.err(); err != nil {
		return nil, err
	}
	return c, nil
}

// loader reads the file and its includes.
type loader struct {
	decoder
	sources Sources
	context *Context
	match   *matcher
	set     *variables.Set
	count   int      // number of files included so far
	bytes   int      // number of bytes read so far
	chain   []string // the chain of includes that led here
	failure error    // an internal error, not a mistake in the file
}

// origin is the project and ref in which local includes of a file are found. The zero value is the pipeline's own
// commit.
type origin struct{ project, ref string }

func newLoader(p *problems, sources Sources, context *Context) *loader {
	return &loader{
		decoder: decoder{p, map[string]*expression{}}, sources: sources, context: context, match: newMatcher(context),
		set: variables.NewSet(variables.NewLayer(context.Predefined), context.given("")),
	}
}

// main reads the project's CI file.
func (l *loader) main(source []byte) *value {
	return l.read(nil, source, origin{}, givenInputs(l.context.Inputs))
}

// read returns a file merged with all its includes, or nil if there were errors.
func (l *loader) read(name *string, source []byte, from origin, inputs []entry) *value {
	if l.bytes += len(source); l.bytes > maxTotalSource {
		l.fail(position{file: name}, "The included files have more than %d bytes in total", maxTotalSource)
		return nil
	}
	before := len(l.errors)
	documents := l.parse(name, source)
	if len(l.errors) > before {
		return nil
	}
	root := l.applyInputs(name, documents, inputs)
	if root == nil || len(l.errors) > before {
		return nil
	}
	if root.kind != dict {
		if name == nil {
			l.fail(root.at, "Invalid configuration format")
		} else {
			l.fail(root.at, "Included file `%s` does not have valid YAML syntax!", clip(*name))
		}
		return nil
	}
	include := root.get("include")
	root = root.without("include")
	if include == nil {
		return root
	}
	var below *value
	for _, one := range l.includes(include) {
		below = merge(below, l.include(one, from))
		if l.failure != nil || below != nil && below.weight > maxWeight {
			break
		}
	}
	root = merge(below, root)
	if root.weight > maxWeight {
		l.fail(root.at, "The parsed YAML is too big")
	}
	return root
}

// addError keeps an internal error, and adds mistakes in the file to the list of errors.
func (l *loader) addError(err error) {
	var mistakes Errors
	if errors.As(err, &mistakes) {
		l.errors = append(l.errors, mistakes...)
	} else if l.failure == nil {
		l.failure = err
	}
}
