package conformance

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"svc/server/cmd/svc/conformance/check"
)

// contractText lists the operations that every product with this API must have: method, path and section.
//
//go:embed contract.txt
var contractText string

// Operation is an operation of the contract.
type Operation struct {
	Method, Path, Section string
	ID                    string // operationId in the OpenAPI document
}

// Contract returns the operations of the contract.
var Contract = sync.OnceValue(func() []Operation {
	var all []Operation
	for line := range strings.Lines(contractText) {
		request, section, ok := strings.Cut(strings.TrimSpace(line), "\t")
		method, path, isRequest := strings.Cut(request, " ")
		if !ok || !isRequest || strings.HasPrefix(line, "#") {
			continue
		}
		o := Operation{Method: method, Path: path, Section: section}
		sample := placeholderInContract.Replace(path)
		if route := check.Match(method, absolute(sample)); route != nil {
			o.ID = route.Op.OperationID
		}
		all = append(all, o)
	}
	return all
})

// placeholderInContract makes a path that calls the operation: ":id" stands for a value.
var placeholderInContract = strings.NewReplacer(":", "x")

// Coverage says how many checks an operation has.
type Coverage struct {
	Operation string `json:"operation"`
	Request   string `json:"request"`
	Section   string `json:"section"`
	Good      int    `json:"good"`
	Refusals  int    `json:"refusals"`
	Failed    int    `json:"failed"`
	Skipped   int    `json:"skipped"`
}

// coverage counts the checks of each operation of the contract, then those of the other operations of the document.
func coverage(results []Result) []Coverage {
	var rows []Coverage
	at := map[string]int{}
	row := func(id, request, section string) {
		if _, ok := at[id]; !ok && id != "" {
			at[id] = len(rows)
			rows = append(rows, Coverage{Operation: id, Request: request, Section: section})
		}
	}
	for _, o := range Contract() {
		row(o.ID, o.Method+" "+o.Path, o.Section)
	}
	others := slices.Clone(check.Routes())
	slices.SortStableFunc(others, func(a, b check.Route) int { return strings.Compare(a.Op.Tags[0], b.Op.Tags[0]) })
	for _, r := range others {
		row(r.Op.OperationID, r.Method+" "+r.Path, "")
	}
	for _, result := range results {
		i, ok := at[result.Operation]
		if !ok {
			continue
		}
		switch {
		case result.Outcome == Skipped:
			rows[i].Skipped++
			continue
		case result.Outcome == Failed:
			rows[i].Failed++
		}
		if result.Kind == Refusal {
			rows[i].Refusals++
		} else {
			rows[i].Good++
		}
	}
	return rows
}

// routeOf returns the operation that a case calls, or nil.
func routeOf(c Case) *check.Route {
	if c.Send == "" {
		return nil
	}
	method, path, _ := strings.Cut(c.Send, " ")
	path, _, _ = strings.Cut(path, "?")
	return check.Match(method, absolute(placeholder.ReplaceAllString(path, "x")))
}
