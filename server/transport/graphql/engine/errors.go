package engine

import (
	"errors"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Location is a place in the text of a query.
type Location struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// Error is one error of an answer.
type Error struct {
	Message    string         `json:"message"`
	Locations  []Location     `json:"locations,omitempty"`
	Path       []any          `json:"path,omitempty"`
	Extensions map[string]any `json:"extensions,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// at returns the location of a position.
func at(p *ast.Position) []Location {
	if p == nil {
		return nil
	}
	return []Location{{Line: p.Line, Column: p.Column}}
}

// fromParser turns an error of the parser or the validator into one of ours.
func fromParser(err error) *Error {
	var e *gqlerror.Error
	if !errors.As(err, &e) {
		return &Error{Message: err.Error()}
	}
	out := &Error{Message: e.Message}
	for _, l := range e.Locations {
		out.Locations = append(out.Locations, Location{Line: l.Line, Column: l.Column})
	}
	return out
}
