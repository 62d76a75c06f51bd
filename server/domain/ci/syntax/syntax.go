// Package syntax turns a CI file into a pipeline, or into a list of mistakes with their positions. It does no I/O: files
// of projects, changed files and variables are passed in as values and functions, and it uses no clock, network or
// database.
//
// A CI file passes through these steps:
//
//	load.go         runs the steps up to a Config
//	parse.go        YAML to values with positions; aliases and merge keys
//	inputs.go       spec:inputs and their arguments
//	interpolate.go  $[[ inputs.x ]]
//	include.go      other files, merged below
//	extends.go      jobs merged over the jobs that they extend
//	reference.go    !reference [job, key]
//	config.go       keywords to a Config
//	check.go        whether jobs, stages and needs fit together
//	compile.go      rules evaluated in a Context, which gives the jobs of a Pipeline
//	expand.go       variables in the texts that the engine uses
//	connect.go      needs and stages of the jobs in the pipeline
//
// Each keyword, or group of keywords, is read in a file of its own:
//
//	job.go          keywords of a job, and small ones such as stage, tags and timeout
//	default.go      default and the global keywords
//	inherit.go      inherit
//	workflow.go     workflow
//	rules.go        rules
//	only.go         only and except
//	when.go         when, start_in, allow_failure
//	needs.go        needs and dependencies
//	parallel.go     parallel and matrices
//	script.go       scripts and hooks
//	variable.go     variables
//	image.go        image and services
//	artifacts.go    artifacts and reports
//	cache.go        cache
//	coverage.go     coverage, also in a log
//	environment.go  environment
//	pages.go        pages
//	release.go      release
//	retry.go        retry
//	tokens.go       id_tokens
//	trigger.go      trigger
//	refused.go      keywords that are not supported
//
// The other files are shared parts:
//
//	syntax.go       Sources and Context
//	pipeline.go     Pipeline, Job and their parts
//	describe.go     the jobs of a file for the linter
//	merged.go       the whole configuration as one YAML file
//	template.go     files for include:template
//	skip.go         [skip ci]
//	value.go        values of a CI file
//	merge.go        merging of dictionaries
//	decode.go       values to Go types
//	duration.go     durations
//	errors.go       errors and positions
//	match.go        evaluation of rules
//	expression.go   conditions
//	pattern.go      regular expressions
//	glob.go         patterns for paths
//	filelist.go     lists of files that patterns are matched with
//	work.go         limit on the cost of rules
//
// Time and memory are bounded for every file: parse.go and value.go limit its expanded size, include.go the number of
// files, and work.go the cost of rules.
package syntax

import (
	"errors"

	"svc/server/domain/ci/variables"
)

// Errors that the functions of Sources and Context return if something does not exist or the user may not see it. Any
// other error is an internal error, which is returned to the caller unchanged.
var (
	ErrNoFile    = errors.New("file not found")
	ErrNoProject = errors.New("project not found")
	ErrNoRef     = errors.New("reference not found")
)

// Sources gives access to included files.
type Sources struct {
	// File reads a file of a project at a ref. An empty project means the pipeline's project, at its commit. An empty
	// ref means the default branch.
	File func(project, ref, path string) ([]byte, error)
	// Remote reads a file from another site. If it is nil, such includes are refused.
	Remote func(url string) ([]byte, error)
}

// Context describes the pipeline that a file is compiled for.
type Context struct {
	Source  string // push, web, schedule, merge_request_event …
	Ref     string // short name of the branch or tag
	Tag     bool
	Project string // full path

	// Predefined are the predefined variables. Variables of the file override them.
	Predefined []variables.Variable
	// Given returns the variables that override those of the file: those of the pipeline, project, groups and instance
	// that apply to the environment. It may be nil.
	Given func(environment string) []variables.Variable
	// Inputs are the arguments for spec:inputs of the file.
	Inputs map[string]string

	// Changed lists the files that differ from the previous commit, or from another ref. False means that there is
	// nothing to compare with, as for a new branch or a tag. Every file then counts as changed. A nil function means
	// the same.
	Changed func(compareTo string) ([]string, bool, error)
	// Files lists the files of a project at a ref. An empty project means the pipeline's commit. It may be nil.
	Files func(project, ref string) ([]string, error)
}

// given returns the layer of variables above the file, for an environment.
func (c *Context) given(environment string) variables.Layer {
	if c.Given == nil {
		return nil
	}
	return variables.NewLayer(c.Given(environment))
}
