package conformance

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// try sends a request and looks for problems in the answer. A problem is made smaller and recorded once per operation.
func (z *fuzzer) try(ctx context.Context, g generated) *Answer {
	a, problems := z.probe(ctx, g)
	z.session.last = a
	if a == nil {
		return nil
	}
	id := g.route.Op.OperationID
	found := z.findings[id]
	if found == nil {
		found = &finding{}
		z.findings[id] = found
	}
	found.requests++
	if a.Status < 300 {
		found.good++
	}
	if a.Status == http.StatusTooManyRequests {
		z.limited[id] = true
	}
	if len(problems) > 0 && found.result == nil {
		z.report(ctx, g, a, problems)
	}
	return a
}

// report makes a request with a problem smaller and records it.
func (z *fuzzer) report(ctx context.Context, g generated, a *Answer, problems []string) {
	g, smaller, smallerProblems := z.shrink(ctx, g, problems)
	if smaller != nil {
		a, problems = smaller, smallerProblems
	}
	result := &Result{Problems: problems, Caller: fuzzUser, Contract: g.route.Method + " " + g.route.Path + " in the OpenAPI document"}
	result.describe(z.session.suite.client.base.String(), a)
	result.Request, result.Answer = z.session.values.hide(result.Request), z.session.values.hide(result.Answer)
	z.findings[g.route.Op.OperationID].result = result
}

// probe sends a request and returns the answer and its problems.
func (z *fuzzer) probe(ctx context.Context, g generated) (*Answer, []string) {
	r := g.request()
	if z.session.authenticate(&r) != nil {
		return nil, nil
	}
	a, err := z.session.suite.client.once(ctx, r)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil // the time is over
		}
		return &Answer{Request: r}, []string{"there is no answer: " + err.Error()}
	}
	var problems []string
	switch {
	case a.Status >= 500:
		problems = append(problems, fmt.Sprintf("the status is %d", a.Status))
	case g.refuse != "" && a.Status < 400:
		problems = append(problems, fmt.Sprintf("the status is %d, although %s", a.Status, g.refuse))
	case z.limit > 0 && a.Took > z.limit:
		problems = append(problems, fmt.Sprintf("the answer took %s, more than %s", a.Took.Round(1e6), z.limit))
	}
	if a.Status != http.StatusTooManyRequests {
		problems = append(problems, z.session.suite.client.compare(a)...)
	}
	return a, problems
}

// shrink leaves out parts of a request as long as the problem stays the same.
func (z *fuzzer) shrink(ctx context.Context, g generated, problems []string) (generated, *Answer, []string) {
	var last *Answer
	kind := kindOfProblem(problems)
	keep := func(smaller generated) bool {
		a, found := z.probe(ctx, smaller)
		if a == nil || kindOfProblem(found) != kind {
			return false
		}
		g, last, problems = smaller, a, found
		return true
	}
	for _, name := range slices.Sorted(maps.Keys(g.query)) {
		smaller := g
		smaller.query = maps.Clone(g.query)
		smaller.query.Del(name)
		keep(smaller)
	}
	for _, name := range slices.Sorted(maps.Keys(g.body)) {
		smaller := g
		smaller.body = maps.Clone(g.body)
		delete(smaller.body, name)
		if g.refuse == "" && keep(smaller) {
			continue
		}
		if text, ok := g.body[name].(string); ok && len(text) > 20 && g.refuse == "" {
			smaller.body = maps.Clone(g.body)
			smaller.body[name] = strings.ToValidUTF8(text[:len(text)/2], "")
			keep(smaller)
		}
	}
	return g, last, problems
}

// kindOfProblem returns the first words of the first problem: two problems of one kind have one cause.
func kindOfProblem(problems []string) string {
	if len(problems) == 0 {
		return ""
	}
	words := strings.Fields(problems[0])
	return strings.Join(words[:min(4, len(words))], " ")
}
