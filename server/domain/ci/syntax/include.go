package syntax

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

const maxIncludes = 150

// includeEntry is an entry of include as written.
type includeEntry struct {
	at       position
	kind     string // local, project, template, remote or component
	location string
	ref      string
	files    []string // for include:project
	rules    []rule
	hasRules bool
	inputs   []entry
}

func (l *loader) includes(v *value) []includeEntry {
	items := []*value{v}
	if v.kind == list {
		items = v.items
	}
	var all []includeEntry
	for _, item := range items {
		switch {
		case item.isScalar():
			one := includeEntry{at: item.at, kind: "local", location: item.text}
			if strings.HasPrefix(item.text, "http://") || strings.HasPrefix(item.text, "https://") {
				one.kind = "remote"
			}
			all = append(all, one)
		case item.kind == dict:
			if one, ok := l.includeEntry(item); ok {
				all = append(all, one)
			}
		default:
			l.fail(item.at, "include config should be a string, a hash, or an array of these")
		}
	}
	return all
}

const eachInclude = "Each include must use only one of: local, project, template, remote, component"

func (l *loader) includeEntry(v *value) (includeEntry, bool) {
	one := includeEntry{at: v.at}
	before := len(l.errors)
	place := func(kind string) func(v *value) {
		return func(v *value) {
			if one.kind != "" {
				l.fail(v.at, eachInclude)
			}
			one.kind, one.location = kind, l.text("include "+kind, v)
		}
	}
	l.object("include", v, fields{
		"local": place("local"), "project": place("project"), "template": place("template"), "remote": place("remote"),
		"component": place("component"),
		"ref":       func(v *value) { one.ref = l.text("include ref", v) },
		"file":      func(v *value) { one.files = l.textOrTexts("include file", v) },
		"rules": func(v *value) {
			one.hasRules = true
			one.rules = l.rules("include:rules", v, includeRule)
		},
		"inputs": func(v *value) {
			if v.kind != dict {
				l.fail(v.at, "include inputs should be a hash")
			}
			one.inputs = v.entries
		},
	})
	switch {
	case len(l.errors) > before:
	case one.kind == "":
		l.fail(v.at, eachInclude)
	case one.kind == "project" && len(one.files) == 0:
		l.fail(v.at, "include config must specify the file where to fetch the config from")
	}
	return one, len(l.errors) == before
}

// include reads and merges the files that an entry names.
func (l *loader) include(one includeEntry, from origin) *value {
	if one.hasRules {
		r, err := l.match.first(one.rules, l.set)
		if err != nil {
			l.addError(err)
			return nil
		}
		if r == nil || r.when == "never" {
			return nil
		}
	}
	location, ok := l.expand(one.at, one.location)
	if !ok {
		return nil
	}
	switch one.kind {
	case "local":
		return l.includeLocal(one, location, from)
	case "project":
		return l.includeProject(one, location)
	case "template":
		source, err := Template(location)
		if err != nil {
			l.fail(one.at, "Template file `%s` is not a valid location!", clip(one.location))
			return nil
		}
		return l.nested(one, "template "+location, location, source, from)
	case "remote":
		return l.includeRemote(one, location, from)
	}
	l.fail(one.at, "Component `%s` cannot be included: this service does not support components; use project and file", clip(one.location))
	return nil
}

func (l *loader) expand(at position, s string) (string, bool) {
	expanded, err := l.set.Expand(s)
	if err != nil {
		l.addError(asFileError(at, err))
	}
	return expanded, err == nil
}

// includeLocal reads a file from the same project, or all files that match a pattern.
func (l *loader) includeLocal(one includeEntry, location string, from origin) *value {
	names := []string{cleanPath(location)}
	if strings.Contains(location, "*") {
		files, err := l.match.list(from.project, from.ref)
		if err != nil {
			l.addError(err)
			return nil
		}
		pattern, ok := newIncludeGlob(names[0])
		names = nil
		for _, file := range files.paths {
			if ok && isYAML(file) && pattern.match(file) {
				names = append(names, file)
			}
		}
		if names == nil {
			l.fail(one.at, "Local file `%s` does not have any matching files!", clip(one.location))
			return nil
		}
		slices.Sort(names)
	}
	var merged *value
	for _, name := range names {
		merged = merge(merged, l.includeFile(one, from, name, one.location, fmt.Sprintf("Local file `%s`", clip(one.location))))
		if l.failure != nil {
			break
		}
	}
	return merged
}

func (l *loader) includeProject(one includeEntry, project string) *value {
	ref, ok := l.expand(one.at, one.ref)
	if !ok {
		return nil
	}
	var merged *value
	for _, file := range one.files {
		name, ok := l.expand(one.at, file)
		if !ok {
			return nil
		}
		what := fmt.Sprintf("Project `%s` file `%s`", clip(one.location), clip(file))
		merged = merge(merged, l.includeFile(one, origin{project, ref}, cleanPath(name), file, what))
		if l.failure != nil {
			break
		}
	}
	return merged
}

// includeFile reads a file of a project. Messages use the name as written, because the expanded name may contain a
// secret. The message for a missing file starts with what.
func (l *loader) includeFile(one includeEntry, from origin, name, written, what string) *value {
	if !isYAML(name) {
		l.fail(one.at, "Included file `%s` does not have YAML extension!", clip(written))
		return nil
	}
	source, err := []byte(nil), ErrNoFile
	if l.sources.File != nil && name != "" {
		source, err = l.sources.File(from.project, from.ref, name)
	}
	switch {
	case errors.Is(err, ErrNoFile):
		l.fail(one.at, "%s does not exist!", what)
	case errors.Is(err, ErrNoProject):
		l.fail(
			one.at,
			"Project `%s` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.",
			clip(one.location),
		)
	case errors.Is(err, ErrNoRef):
		l.fail(one.at, "Project `%s` reference `%s` does not exist!", clip(one.location), clip(one.ref))
	case err != nil:
		l.addError(fmt.Errorf("include %s: %w", name, err))
	case strings.TrimSpace(string(source)) == "":
		l.fail(one.at, "%s is empty!", what)
	default:
		return l.nested(one, from.project+"@"+from.ref+":"+name, name, source, from)
	}
	return nil
}

func (l *loader) includeRemote(one includeEntry, url string, from origin) *value {
	if l.sources.Remote == nil {
		l.fail(
			one.at,
			"Remote file `%s` cannot be included: this service does not fetch files from other sites; use project and file",
			clip(one.location),
		)
		return nil
	}
	source, err := l.sources.Remote(url)
	if err != nil {
		// The error may contain the address with expanded variables, which can be secrets.
		l.fail(one.at, "Remote file `%s` could not be fetched!", clip(one.location))
		return nil
	}
	return l.nested(one, url, one.location, source, from)
}

// nested reads an included file. It refuses too many files, and files that include themselves.
func (l *loader) nested(one includeEntry, identity, name string, source []byte, from origin) *value {
	if slices.Contains(l.chain, identity) {
		l.fail(one.at, "Include `%s` includes itself", clip(name))
		return nil
	}
	if l.count++; l.count > maxIncludes {
		if l.count == maxIncludes+1 {
			l.fail(one.at, "Maximum of %d nested includes are allowed!", maxIncludes)
		}
		return nil
	}
	l.chain = append(l.chain, identity)
	root := l.read(&name, source, from, one.inputs)
	l.chain = l.chain[:len(l.chain)-1]
	return root
}

func isYAML(name string) bool {
	return strings.HasSuffix(name, ".yml") || strings.HasSuffix(name, ".yaml")
}

// cleanPath returns a path relative to the root of the repository. It cannot lead out of the repository.
func cleanPath(name string) string {
	return strings.TrimPrefix(path.Clean("/"+name), "/")
}
