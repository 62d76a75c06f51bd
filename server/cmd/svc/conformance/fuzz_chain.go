package conformance

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"svc/server/cmd/svc/conformance/check"
)

// chain has the operations on one thing. Those that the document does not have are nil.
type chain struct{ create, read, change, remove *check.Route }

// chains returns the operations that create something, with those that read, change and delete it.
func chains(routes []check.Route) []chain {
	items := map[string]map[string]*check.Route{} // collection → method → operation on an item
	for i, r := range routes {
		if at := strings.LastIndex(r.Path, "/{"); at > 0 && !strings.Contains(r.Path[at+1:], "/") && strings.HasSuffix(r.Path, "}") {
			if items[r.Path[:at]] == nil {
				items[r.Path[:at]] = map[string]*check.Route{}
			}
			items[r.Path[:at]][r.Method] = &routes[i]
		}
	}
	var all []chain
	for i, r := range routes {
		item := items[r.Path]
		if r.Method != http.MethodPost || item[http.MethodGet] == nil {
			continue
		}
		change := item[http.MethodPut]
		if change == nil {
			change = item[http.MethodPatch]
		}
		all = append(all, chain{&routes[i], item[http.MethodGet], change, item[http.MethodDelete]})
	}
	return all
}

// runChain creates a thing and reads, changes and deletes it. What was created must be readable, and what was deleted
// must be gone.
func (z *fuzzer) runChain(ctx context.Context, c chain) {
	if z.limited[c.create.Op.OperationID] {
		return
	}
	made := z.generate(*c.create)
	a := z.try(ctx, made)
	if a == nil || (a.Status != http.StatusCreated && a.Status != http.StatusOK) {
		return
	}
	_, parameter, _ := strings.Cut(c.read.Path[strings.LastIndex(c.read.Path, "/"):], "{")
	value := linkOf(a, strings.TrimSuffix(parameter, "}"))
	if value == "" {
		return
	}
	path := made.path + "/" + url.PathEscape(value)
	z.remember(c.read.Path, value)
	id := a.Member("id")
	if read := z.try(ctx, generated{route: *c.read, path: path}); read != nil && read.Status == http.StatusNotFound {
		z.complain(c.read, read, "what was just created cannot be read")
	}
	if c.change != nil {
		g := z.generate(*c.change)
		g.path = path
		if a := z.try(ctx, g); a != nil && a.Status < 300 && linkOf(a, strings.TrimSuffix(parameter, "}")) != value {
			return // it has another name now
		}
	}
	if c.remove == nil || z.source.Chance(30) {
		return
	}
	a = z.try(ctx, generated{route: *c.remove, path: path})
	if a != nil && (a.Status == http.StatusNoContent || a.Status == http.StatusOK) {
		z.forget(c.read.Path, value)
		read := z.try(ctx, generated{route: *c.read, path: path})
		if read != nil && read.Status < 300 && read.Member("id") == id { // a name may stand for something else now
			z.complain(c.read, read, "what was just deleted can still be read")
		}
	}
}

// complain records a problem of an operation in a chain, unless it has one already.
func (z *fuzzer) complain(r *check.Route, a *Answer, problem string) {
	found := z.findings[r.Op.OperationID]
	if found.result != nil || a.Status == http.StatusTooManyRequests {
		return
	}
	found.result = &Result{
		Problems: []string{fmt.Sprintf("%s: the status is %d", problem, a.Status)}, Caller: fuzzUser,
		Contract: r.Method + " " + r.Path + " in the OpenAPI document",
	}
	found.result.describe(z.session.suite.client.base.String(), a)
}

// linkOf returns the member of an answer that names the thing in the path of its item.
func linkOf(a *Answer, parameter string) string {
	names := []string{parameter}
	switch {
	case strings.HasSuffix(parameter, "_iid"):
		names = append(names, "iid")
	case strings.HasSuffix(parameter, "_id"), parameter == "id":
		names = append(names, "id")
	}
	for _, name := range append(names, "name", "slug", "key") {
		if value := a.Member(name); value != "" {
			return value
		}
	}
	return ""
}

// remembered is how many things of one kind are kept for later requests.
const remembered = 4

func (z *fuzzer) remember(item, value string) {
	z.pool[item] = append(z.pool[item], value)
	if len(z.pool[item]) > remembered {
		z.pool[item] = z.pool[item][1:]
	}
}

func (z *fuzzer) forget(item, value string) {
	for i, known := range z.pool[item] {
		if known == value {
			z.pool[item] = append(z.pool[item][:i:i], z.pool[item][i+1:]...)
			return
		}
	}
}
