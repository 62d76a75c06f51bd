package syntax

import (
	"errors"
	"fmt"
	"strings"
)

// An Error is a mistake in a CI file, with its position.
type Error struct {
	File    string // as included; empty for the project's own CI file
	Line    int    // from 1; 0 if the position is unknown
	Column  int
	Message string
}

func (e Error) Error() string { return e.Message }

// Errors lists all mistakes in a CI file. It has at least one element.
type Errors []Error

func (e Errors) Error() string { return strings.Join(e.Messages(), "\n") }

// Messages returns the messages without positions, as the API shows them.
func (e Errors) Messages() []string {
	messages := make([]string, len(e))
	for i := range e {
		messages[i] = e[i].Message
	}
	return messages
}

// ErrFiltered means that workflow:rules exclude the pipeline.
var ErrFiltered = errors.New("Pipeline filtered out by workflow rules.") //nolint:staticcheck // the sentence that users are shown

// ErrNoJobs means that the rules of all jobs exclude them.
var ErrNoJobs = errors.New(noJobs) //nolint:staticcheck // the sentence that users are shown

const noJobs = "Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being " +
	"added to the pipeline."

// maxProblems limits the memory for errors and warnings of a file with many mistakes.
const maxProblems = 100

// problems collects errors and warnings.
type problems struct {
	errors   Errors
	warnings []Error
}

func (p *problems) fail(at position, format string, args ...any) {
	if len(p.errors) < maxProblems {
		p.errors = append(p.errors, at.error(format, args...))
	}
}

func (p *problems) warn(at position, format string, args ...any) {
	if len(p.warnings) < maxProblems {
		p.warnings = append(p.warnings, at.error(format, args...))
	}
}

// err returns the errors, or nil if there are none.
func (p *problems) err() error {
	if len(p.errors) == 0 {
		return nil
	}
	return p.errors
}

// position is a position in a file.
type position struct {
	file         *string
	line, column int
}

func (m position) error(format string, args ...any) Error {
	e := Error{Line: m.line, Column: m.column, Message: fmt.Sprintf(format, args...)}
	if m.file != nil {
		e.File = *m.file
	}
	return e
}
