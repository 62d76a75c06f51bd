// Package syntax turns a CI file into a pipeline, or into a list of what is wrong with it and where. It is pure: files of
// projects, changed files and variables come in as values and functions, and no clock, network or database is asked.
//
// A file goes through it in this order, one file of code each:
//
//	parse.go      YAML to values with their places; aliases and merge keys
//	inputs.go     spec:inputs and $[[ inputs.x ]]
//	include.go    other files, merged below (load.go)
//	extends.go    jobs merged over the jobs that they extend
//	reference.go  !reference [job, key]
//	config.go     keywords to a Config, each read in the file that bears its name; check.go sees that all fits together
//	compile.go    rules asked in a Context (match.go, expression.go), which leaves the jobs of one Pipeline (pipeline.go)
//
// Whatever a file holds, time and memory are bounded: parse.go and value.go bound its size written out, include.go the
// number of files, work.go the asking of rules.
package syntax

import (
	"errors"

	"svc/server/domain/ci/variables"
)

// What the functions of Sources and Context answer when something is not there, or the user may not see it. Any other
// error is a failure of ours and is handed to the caller as it is.
var (
	ErrNoFile    = errors.New("file not found")
	ErrNoProject = errors.New("project not found")
	ErrNoRef     = errors.New("reference not found")
)

// Sources is where included files come from.
type Sources struct {
	// File reads a file of a project at a ref. Without a project it is the pipeline's own, at its commit; without a ref the
	// default branch.
	File func(project, ref, path string) ([]byte, error)
	// Remote reads a file from elsewhere. Without this function such an include is refused.
	Remote func(url string) ([]byte, error)
}

// Context is what a pipeline is made for.
type Context struct {
	Source  string // push, web, schedule, merge_request_event …
	Ref     string // short name of the branch or tag
	Tag     bool
	Project string // full path

	// Predefined are the variables of the service, which those of the file override.
	Predefined []variables.Variable
	// Given returns the variables that override those of the file: of the pipeline, project, groups and instance, as far as
	// they hold for the environment. It may be nil.
	Given func(environment string) []variables.Variable
	// Inputs are the arguments for spec:inputs of the file.
	Inputs map[string]string

	// Changed lists the files that differ from before, or from another ref. False says that there is nothing to compare with,
	// for a new branch or a tag: then everything counts as changed. It may be nil, which says the same.
	Changed func(compareTo string) ([]string, bool, error)
	// Files lists the files of a project at a ref; without a project those of the pipeline's commit. It may be nil.
	Files func(project, ref string) ([]string, error)
}

// given is the layer above the file, for an environment.
func (c *Context) given(environment string) variables.Layer {
	if c.Given == nil {
		return nil
	}
	return variables.NewLayer(c.Given(environment))
}
