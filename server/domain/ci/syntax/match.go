package syntax

import (
	"errors"
	"fmt"

	"svc/server/domain/ci/variables"
)

// matcher evaluates rules in a context. It caches lists of files and results of patterns, because jobs often have the
// same rules.
type matcher struct {
	context *Context
	changed map[string]*fileList // by compare_to
	files   map[[2]string]*fileList
	work    *budget
}

func newMatcher(c *Context) *matcher {
	return &matcher{context: c, changed: map[string]*fileList{}, files: map[[2]string]*fileList{}, work: newWork()}
}

// first returns the first rule that holds, or nil.
func (m *matcher) first(rules []rule, set *variables.Set) (*rule, error) {
	for i := range rules {
		holds, err := m.holds(&rules[i], set)
		if err != nil {
			return nil, err
		}
		if holds {
			return &rules[i], nil
		}
	}
	return nil, nil
}

func (m *matcher) holds(r *rule, set *variables.Set) (bool, error) {
	if r.condition != nil {
		if holds, err := r.condition.evaluate(evaluator{set.Get, m.work}); err != nil || !holds {
			return false, asFileError(r.at, err)
		}
	}
	if r.changes != nil {
		if holds, err := m.anyChanged(r.changes, set); err != nil || !holds {
			return false, err
		}
	}
	if r.exists != nil {
		return m.anyExists(r.exists, set)
	}
	return true, nil
}

// asFileError turns an exceeded limit of expansion or work into an error of the file.
func asFileError(at position, err error) error {
	var long *variables.TooLongError
	if errors.As(err, &long) || errors.Is(err, errTooCostly) {
		return Errors{at.error("%s", err)}
	}
	return err
}

func (m *matcher) anyChanged(c *changes, set *variables.Set) (bool, error) {
	if m.context.Changed == nil {
		return true, nil
	}
	compareTo, err := set.Expand(c.compareTo)
	if err != nil {
		return false, asFileError(c.at, err)
	}
	files, ok := m.changed[compareTo]
	if !ok {
		paths, known, err := m.context.Changed(compareTo)
		if errors.Is(err, ErrNoRef) {
			return false, Errors{c.at.error("rules:changes:compare_to is not a valid ref")}
		}
		if err != nil {
			return false, fmt.Errorf("list changed files: %w", err)
		}
		files = newFileList(paths, !known, m.work)
		m.changed[compareTo] = files
	}
	return files.any(c.at, c.paths, set)
}

func (m *matcher) anyExists(e *exists, set *variables.Set) (bool, error) {
	project, err := set.Expand(e.project)
	if err != nil {
		return false, asFileError(e.at, err)
	}
	ref, err := set.Expand(e.ref)
	if err != nil {
		return false, asFileError(e.at, err)
	}
	files, err := m.list(project, ref)
	switch {
	case errors.Is(err, ErrNoProject):
		return false, Errors{e.at.error("rules:exists:project `%s` is not a valid project path", clip(e.project))}
	case errors.Is(err, ErrNoRef):
		return false, Errors{e.at.error("rules:exists:ref `%s` is not a valid ref in project `%s`", clip(e.ref), clip(e.project))}
	case err != nil:
		return false, err
	}
	return files.any(e.at, e.paths, set)
}

// list returns the files of a project at a ref.
func (m *matcher) list(project, ref string) (*fileList, error) {
	at := [2]string{project, ref}
	if files, ok := m.files[at]; ok {
		return files, nil
	}
	var paths []string
	if m.context.Files != nil {
		var err error
		if paths, err = m.context.Files(project, ref); err != nil {
			return nil, fmt.Errorf("list files: %w", err)
		}
	}
	files := newFileList(paths, false, m.work)
	m.files[at] = files
	return files, nil
}

// fits reports whether the context matches a filter of only or except. Every kind of condition in the filter must
// match.
func (m *matcher) fits(f *refFilter, set *variables.Set) (bool, error) {
	if len(f.refs) > 0 && !m.anyRef(f.refs) {
		return false, nil
	}
	if len(f.variables) > 0 {
		if holds, err := m.anyHolds(f.variables, set); err != nil || !holds {
			return false, asFileError(f.at, err)
		}
	}
	if f.changes != nil {
		return m.anyChanged(f.changes, set)
	}
	return true, nil
}

func (m *matcher) anyHolds(conditions []*expression, set *variables.Set) (bool, error) {
	for _, condition := range conditions {
		if holds, err := condition.evaluate(evaluator{set.Get, m.work}); err != nil || holds {
			return holds, err
		}
	}
	return false, nil
}

func (m *matcher) anyRef(refs []string) bool {
	for _, ref := range refs {
		name, project := splitRefPath(ref)
		if project != "" && project != m.context.Project {
			continue
		}
		if m.isRef(name) {
			return true
		}
	}
	return false
}

func (m *matcher) isRef(name string) bool {
	c := m.context
	mergeRequest := c.Source == "merge_request_event"
	switch name {
	case "branches":
		return !c.Tag && !mergeRequest
	case "tags":
		return c.Tag
	case "triggers":
		return c.Source == "trigger"
	}
	if source, keyword := refKeywords[name]; keyword {
		return c.Source == source
	}
	if mergeRequest {
		return false
	}
	if compiled, ok := m.work.pattern(name); ok {
		return compiled.match(c.Ref)
	}
	return name == c.Ref
}
