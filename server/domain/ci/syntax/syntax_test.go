package syntax

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/ci/variables"
)

// push returns the context of a push to main, with the given pipeline variables ("A=1 B=2").
func push(given string) Context {
	return Context{
		Source: "push", Ref: "main", Project: "acme/web",
		Predefined: []variables.Variable{
			variables.Public("CI_COMMIT_BRANCH", "main"), variables.Public("CI_COMMIT_REF_NAME", "main"),
			variables.Public("CI_DEFAULT_BRANCH", "main"), variables.Public("CI_PIPELINE_SOURCE", "push"),
		},
		Given: func(string) []variables.Variable { return pairs(given) },
	}
}

func pairs(s string) []variables.Variable {
	var list []variables.Variable
	for _, pair := range strings.Fields(s) {
		key, value, _ := strings.Cut(pair, "=")
		list = append(list, variables.Variable{Key: key, Value: value})
	}
	return list
}

// files returns a project that has the given files.
func files(all map[string]string) Sources {
	return Sources{File: func(project, ref, path string) ([]byte, error) {
		key := path
		if project != "" {
			key = project + "@" + ref + ":" + path
		}
		switch source, ok := all[key]; {
		case ok:
			return []byte(source), nil
		case project == "no/project":
			return nil, ErrNoProject
		case ref == "noref":
			return nil, ErrNoRef
		}
		return nil, ErrNoFile
	}}
}

func build(source string, sources Sources, context Context) (*Pipeline, error) {
	c, err := Load([]byte(source), sources, context)
	if err != nil {
		return nil, err
	}
	return c.Compile(context)
}

// mustBuild compiles a valid file.
func mustBuild(t *testing.T, source string) *Pipeline {
	t.Helper()
	p, err := build(source, Sources{}, push(""))
	if err != nil {
		t.Fatal(errorText(err))
	}
	return p
}

// errorText writes errors with their positions, one per line.
func errorText(err error) string {
	var all Errors
	if !errors.As(err, &all) {
		return fmt.Sprint(err)
	}
	lines := make([]string, len(all))
	for i, e := range all {
		lines[i] = fmt.Sprintf("%d:%d %s", e.Line, e.Column, e.Message)
		if e.File != "" {
			lines[i] = e.File + ":" + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

func names(p *Pipeline) string {
	all := make([]string, len(p.Jobs))
	for i := range p.Jobs {
		all[i] = p.Jobs[i].Name
	}
	return strings.Join(all, " ")
}
