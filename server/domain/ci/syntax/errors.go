package syntax

import (
	"errors"
	"fmt"
	"strings"
)

// An Error is one thing that is wrong with a CI file, and where.
type Error struct {
	File    string // as it was included; empty for the project's own CI file
	Line    int    // from 1; 0 if the place is not known
	Column  int
	Message string
}

func (e Error) Error() string { return e.Message }

// Errors is everything that was found to be wrong; there is at least one.
type Errors []Error

func (e Errors) Error() string { return strings.Join(e.Messages(), "\n") }

// Messages are the texts without their places, as the API shows them.
func (e Errors) Messages() []string {
	messages := make([]string, len(e))
	for i := range e {
		messages[i] = e[i].Message
	}
	return messages
}

// ErrFiltered says that workflow:rules want no pipeline.
var ErrFiltered = errors.New("Pipeline filtered out by workflow rules.") //nolint:staticcheck // the sentence that users are shown

// ErrNoJobs says that no job is left: the rules of all jobs keep them out.
var ErrNoJobs = errors.New("Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.") //nolint:staticcheck // the sentence that users are shown

// maxProblems bounds what a file full of mistakes makes us remember.
const maxProblems = 100

// problems gathers what is wrong and what is doubtful.
type problems struct {
	errors   Errors
	warnings []Error
}

func (p *problems) fail(at mark, format string, args ...any) {
	if len(p.errors) < maxProblems {
		p.errors = append(p.errors, at.error(format, args...))
	}
}

func (p *problems) warn(at mark, format string, args ...any) {
	if len(p.warnings) < maxProblems {
		p.warnings = append(p.warnings, at.error(format, args...))
	}
}

// err is nil while nothing is wrong.
func (p *problems) err() error {
	if len(p.errors) == 0 {
		return nil
	}
	return p.errors
}

// mark is a place in a file.
type mark struct {
	file         *string
	line, column int
}

func (m mark) error(format string, args ...any) Error {
	e := Error{Line: m.line, Column: m.column, Message: fmt.Sprintf(format, args...)}
	if m.file != nil {
		e.File = *m.file
	}
	return e
}
