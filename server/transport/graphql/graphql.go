// Package graphql serves GraphQL at /api/graphql. Resolvers call the same domains and the same access checks as the API,
// and what the caller may not see is null.
//
//	graphql.go    the handler
//	request.go    reads requests of every form
//	errors.go     errors, as clients know them
//	id.go         global IDs
//	types.go      the table of all resolvers
//	list.go       pages of the store as connections
//	query.go      the fields of Query
//	user.go       users
//	group.go      groups and namespaces
//	member.go     members of groups and projects
//	project.go    projects
//	issue.go      issues, and what they share with merge requests
//	mergerequest.go  merge requests
//	planning.go   labels, milestones and boards
//	discussion.go  threads and notes
//	pipeline.go   pipelines and jobs
//	snippet.go    snippets and their mutations
//	mutation.go   what all mutations share
//	note_mutations.go   mutations of notes and threads
//	issue_mutations.go  mutations of issues, merge requests, emoji and to-do items
package graphql

import (
	"context"
	"embed"
	"io/fs"
	"net/http"
	"time"

	"svc/server/domain/discussion/award"
	"svc/server/domain/discussion/note"
	"svc/server/domain/issue"
	"svc/server/domain/mergerequest"
	"svc/server/domain/snippet"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/build"
	"svc/server/platform/pagination"
	"svc/server/platform/reqctx"
	"svc/server/transport/graphql/engine"
	"svc/store"
)

//go:embed schema/*.graphql
var schemaFiles embed.FS

const (
	maxQuery  = 10_000           // characters of a query
	maxBatch  = 10               // operations of one request
	timeLimit = 30 * time.Second // of one request
)

// Dependencies are what a Handler needs.
type Dependencies struct {
	Access *access.Access
	Store  *store.Store
	Build  build.Info
	Base   string // external base URL
	SSH    int    // port of git over SSH
	Paid   bool
	Pages  pagination.MaxOffset

	Notes         *note.Service
	Issues        *issue.Service
	MergeRequests *mergerequest.Service
	Viewer        *mergerequest.Viewer
	Awards        *award.Service
	Snippets      *snippet.Service
	// Report records an error that the caller does not see.
	Report func(ctx context.Context, err error)
}

// Handler serves GraphQL.
type Handler struct {
	Dependencies
	engine *engine.Engine
}

// New returns a Handler. It fails if the schema and the resolvers do not match.
func New(d Dependencies) (*Handler, error) {
	h := &Handler{Dependencies: d}
	files, err := fs.Sub(schemaFiles, "schema")
	if err != nil {
		return nil, err
	}
	h.engine, err = engine.New(files, h.types())
	return h, err
}

// Identify finds the caller of a request, and checks its credential. writes says whether an operation changes something.
type Identify func(writes bool) (*reqctx.Actor, error)

// Serve answers a request.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, identify Identify) error {
	info := reqctx.Of(r.Context())
	info.Operation = "graphql"
	calls, batch, failed := readRequest(r)
	var parsed []operation
	writes := false
	if failed == nil {
		parsed = h.parse(calls)
		for _, p := range parsed {
			writes = writes || p.Operation != nil && p.Writes()
		}
	}
	actor, err := identify(writes)
	if err != nil {
		return h.refuse(w, err)
	}
	info.Actor = actor
	switch {
	case failed != nil:
		return fail(w, failed.status, failed.text)
	case writes && r.Method != http.MethodPost:
		return fail(w, http.StatusUnprocessableEntity, "Mutations are forbidden in GET requests")
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeLimit)
	defer cancel()
	results := h.run(ctx, parsed)
	if !batch {
		return write(w, http.StatusOK, results[0])
	}
	return write(w, http.StatusOK, results)
}

// operation is one operation of a request, or the error that its text has.
type operation struct {
	*engine.Operation
	variables map[string]any
	failed    *engine.Error
}

// parse reads the operations of a request.
func (h *Handler) parse(calls []call) []operation {
	out := make([]operation, len(calls))
	for i, c := range calls {
		op, err := h.engine.Parse(c.query, c.operationName)
		out[i] = operation{Operation: op, variables: c.variables, failed: err}
	}
	return out
}

// run executes the operations of a request one after the other. Together they may cost as much as one.
func (h *Handler) run(ctx context.Context, parsed []operation) []engine.Result {
	limits := limitsFor(reqctx.Of(ctx).Actor)
	left := limits
	results := make([]engine.Result, len(parsed))
	for i, p := range parsed {
		if p.failed != nil {
			results[i] = engine.Failed(p.failed)
			continue
		}
		if errs := h.engine.Prepare(p.Operation, p.variables, left); len(errs) > 0 {
			results[i] = engine.Failed(errs...)
			continue
		}
		left.Complexity -= p.Complexity()
		score := complexity{Score: p.Complexity(), Limit: limits.Complexity}
		results[i] = h.engine.Execute(context.WithValue(ctx, complexityKey{}, score), p.Operation, h.explain)
	}
	return results
}

// limitsFor returns the limits on the operations of a caller.
func limitsFor(actor *reqctx.Actor) engine.Limits {
	switch {
	case actor == nil:
		return engine.Limits{Depth: 15, Complexity: 200}
	case actor.User.Admin:
		return engine.Limits{Depth: 25, Complexity: 300}
	}
	return engine.Limits{Depth: 20, Complexity: 250}
}

// complexity is what an operation costs.
type complexity struct{ Score, Limit int }

type complexityKey struct{}

// signedIn returns the caller, or the error of an anonymous one.
func signedIn(ctx context.Context) (*reqctx.Actor, error) {
	actor := reqctx.Of(ctx).Actor
	if actor == nil {
		return nil, apierr.Unauthorized()
	}
	return actor, nil
}
