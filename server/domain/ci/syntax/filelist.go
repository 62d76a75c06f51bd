package syntax

import (
	"strings"

	"svc/server/domain/ci/variables"
)

// fileList reports whether any of its paths matches a pattern.
type fileList struct {
	paths []string
	all   bool // every pattern matches
	exact map[string]bool
	known map[string]bool // cached results, by pattern
	work  *budget
}

func newFileList(paths []string, all bool, w *budget) *fileList {
	l := &fileList{paths: paths, all: all, exact: make(map[string]bool, len(paths)), known: map[string]bool{}, work: w}
	for _, path := range paths {
		l.exact[path] = true
	}
	return l
}

// any reports whether one of the patterns matches one of the paths.
func (l *fileList) any(at position, patterns []string, set *variables.Set) (bool, error) {
	if l.all {
		return true, nil
	}
	for _, source := range patterns {
		pattern, err := set.Expand(source)
		if err != nil {
			return false, asFileError(at, err)
		}
		if found, err := l.has(pattern); err != nil || found {
			return found, asFileError(at, err)
		}
	}
	return false, nil
}

func (l *fileList) has(pattern string) (answer bool, err error) {
	if answer, asked := l.known[pattern]; asked {
		return answer, l.work.spend(len(pattern))
	}
	pattern = strings.TrimPrefix(pattern, "./")
	if isGlob(pattern) {
		answer, err = l.hasLike(pattern)
	} else {
		answer = l.exact[pattern]
	}
	l.known[pattern] = answer
	return answer, err
}

// hasLike compares only paths with the right prefix and suffix, because matching the compiled pattern is slow.
func (l *fileList) hasLike(pattern string) (bool, error) {
	prefix, suffix := globEnds(pattern)
	var g glob
	compiled := false
	for _, path := range l.paths {
		if !strings.HasPrefix(path, prefix) || !strings.HasSuffix(path, suffix) {
			continue
		}
		if !compiled {
			if g, compiled = newGlob(pattern); !compiled {
				return false, nil
			}
		}
		if err := l.work.spend(compareCost); err != nil {
			return false, err
		}
		if g.match(path) {
			return true, nil
		}
	}
	return false, l.work.spend(len(l.paths))
}
