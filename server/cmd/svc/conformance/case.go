package conformance

import "context"

// Caller is who sends a request.
type Caller string

// The callers of cases. The roles are roles in the group and in the projects of the suite.
const (
	Admin      Caller = "admin" // the administrator whose token was given
	Owner      Caller = "owner"
	Maintainer Caller = "maintainer"
	Developer  Caller = "developer"
	Reporter   Caller = "reporter"
	Guest      Caller = "guest"
	Outsider   Caller = "outsider"  // a user without a role
	Anonymous  Caller = "anonymous" // without a token
)

// Case is one promise of the contract: a request, and what its answer must be.
//
// Requests, bodies and expected members can have placeholders such as <project>. The suite knows their values: things
// that it created at the beginning, and values that an earlier case of the scenario kept.
type Case struct {
	Promise string // a sentence that is true if the case passes
	As      Caller // who sends the request; empty for the administrator

	// Send is the method and the path of the request, such as "GET /projects/<project>/jobs?per_page=2". The path is
	// relative to /api/v4, unless it begins with /api, /oauth, /- or /.well-known.
	Send   string
	JSON   string // the body as JSON
	Form   string // the body as a form: name=value&name=value
	File   *File  // the body as multipart, with one file
	Header Header // further headers of the request

	Status  int    // the status that the answer must have
	Has     string // members that the answer must have, as JSON; "*" stands for any value but null
	Lacks   string // members that the answer must not have, separated by spaces
	Headers Header // headers that the answer must have; "*" stands for any value, "" for no such header
	Text    string // a text that the body must contain

	// Refused has other callers of the same request, and the status that each of them must get. They call first.
	Refused map[Caller]int

	// Allowed has other callers who must get the same answer. The request must be one that can be repeated.
	Allowed []Caller

	Keep  map[string]string // placeholder → member of the answer: values for later cases
	Until bool              // the answer may need a moment: ask again for some seconds
	Reads bool              // needs nothing that the suite creates: also runs with --level read

	// Then checks what the members above cannot say.
	Then func(ctx context.Context, s *Session, a *Answer) error

	// Do replaces the request: several requests, or another program. Operation names what it tests.
	Do        func(ctx context.Context, s *Session) error
	Operation string
}

// Header has header names and values.
type Header map[string]string

// File is a multipart body with one file.
type File struct {
	Field, Name string
	Content     string            // may be a placeholder
	Fields      map[string]string // other fields of the form
}

// Scenario is a series of cases that build on each other. Scenarios run at the same time.
type Scenario struct {
	Name    string
	Prepare func(ctx context.Context, s *Session) error // creates what the cases need
	Cases   []Case
	Finish  func(ctx context.Context, s *Session) // runs at the end in any case
}

// Area is a part of the contract.
type Area struct {
	Name      string
	Scenarios []Scenario
}

// Areas returns all areas in the order of the reports.
func Areas() []Area {
	return []Area{
		conventions(), authentication(), jobs(), repositories(), users(), variables(), pagesDomains(), groupExports(),
		storageMoves(), notifications(), events(), errorTracking(), alerts(), auditEvents(), oauth(), gitOverHTTP(),
		everyOperation(),
	}
}
