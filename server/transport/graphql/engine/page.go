package engine

import (
	"encoding/base64"
	"maps"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// maxPage is the largest number of rows of a connection, and the number if the caller names none.
const maxPage = 100

// Page is a part of a list, the value of a connection.
type Page struct {
	Nodes  []any
	Offset int  // of the first node in the whole list
	More   bool // there are nodes after this page
	Count  *int // of the whole list; nil if it is not known
}

// edge is a node with its cursor.
type edge struct {
	node any
	at   int
}

// Window is the part of a list that a caller asks for.
type Window struct {
	Offset, Limit int
	last          int // the number of rows from the end, if the end is not known yet; else 0
}

// cursor returns the cursor of a row.
func cursor(at int) string {
	return base64.RawURLEncoding.EncodeToString([]byte("row:" + strconv.Itoa(at)))
}

func readCursor(text string) (int, bool) {
	plain, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return 0, false
	}
	number, found := strings.CutPrefix(string(plain), "row:")
	at, err := strconv.Atoi(number)
	return at, found && err == nil && at >= 0 && at < 1<<40
}

// WindowOf reads the arguments of a connection.
func WindowOf(args Args) (Window, error) {
	from, to := 0, -1
	for _, name := range []string{"after", "before"} {
		given := args.Text(name)
		if given == "" {
			continue
		}
		at, ok := readCursor(given)
		if !ok {
			return Window{}, &Error{Message: "The cursor of '" + name + "' is not valid"}
		}
		if name == "after" {
			from = at + 1
		} else {
			to = at
		}
	}
	first, hasFirst := args.Int("first")
	last, hasLast := args.Int("last")
	if first < 0 || last < 0 {
		return Window{}, &Error{Message: "'first' and 'last' cannot be negative"}
	}
	first, last = min(first, maxPage), min(last, maxPage)
	if !hasFirst {
		first = maxPage
	}
	switch {
	case hasLast && hasFirst:
		return Window{}, &Error{Message: "Use either 'first' or 'last'"}
	case hasLast && to >= 0:
		from = max(from, to-last)
		return Window{Offset: from, Limit: max(0, to-from)}, nil
	case hasLast:
		return Window{Offset: from, last: last}, nil
	case to >= 0:
		return Window{Offset: from, Limit: max(0, min(first, to-from))}, nil
	}
	return Window{Offset: from, Limit: first}, nil
}

// Total is the number of rows of a list; Known is false if it has too many to count.
type Total struct {
	Count int
	Known bool
	More  bool
}

// Paginate reads the part of a list that the arguments ask for.
func Paginate[T any](args Args, read func(offset, limit int) ([]T, Total, error)) (any, error) {
	w, err := WindowOf(args)
	if err != nil {
		return nil, err
	}
	if args.Has("last") && args["last"] != nil && w.Limit == 0 && w.last > 0 {
		_, total, err := read(w.Offset, 1)
		if err != nil {
			return nil, err
		}
		if !total.Known {
			return nil, &Error{Message: "The list is too long for 'last' without 'before'"}
		}
		start := max(w.Offset, total.Count-w.last)
		w = Window{Offset: start, Limit: max(0, total.Count-start)}
	}
	rows, total, err := read(w.Offset, w.Limit)
	if err != nil {
		return nil, err
	}
	page := &Page{Nodes: make([]any, len(rows)), Offset: w.Offset, More: total.More}
	for i, row := range rows {
		page.Nodes[i] = row
	}
	if total.Known {
		page.Count = &total.Count
	}
	return page, nil
}

// Slice returns the part of a whole list that the arguments ask for.
func Slice[T any](args Args, all []T) (any, error) {
	return Paginate(args, func(offset, limit int) ([]T, Total, error) {
		start := min(offset, len(all))
		end := min(start+limit, len(all))
		return all[start:end], Total{Count: len(all), Known: true, More: end < len(all)}, nil
	})
}

// addConnections adds the resolvers of connections, whose types all have the same form.
func (e *Engine) addConnections() {
	connection := Resolvers{
		"nodes": Value(func(p *Page) any { return p.Nodes }),
		"edges": Value(func(p *Page) any {
			edges := make([]any, len(p.Nodes))
			for i, n := range p.Nodes {
				edges[i] = edge{n, p.Offset + i}
			}
			return edges
		}),
		"pageInfo": Value(func(p *Page) any { return p }),
		"count":    Value(func(p *Page) any { return p.Count }),
	}
	edges := Resolvers{
		"node":   Value(func(e edge) any { return e.node }),
		"cursor": Value(func(e edge) any { return cursor(e.at) }),
	}
	e.types["PageInfo"] = Resolvers{
		"hasNextPage":     Value(func(p *Page) any { return p.More }),
		"hasPreviousPage": Value(func(p *Page) any { return p.Offset > 0 }),
		"startCursor":     Value(func(p *Page) any { return p.end(0) }),
		"endCursor":       Value(func(p *Page) any { return p.end(len(p.Nodes) - 1) }),
	}
	for name, def := range e.schema.Types {
		if def.Kind != ast.Object {
			continue
		}
		switch {
		case strings.HasSuffix(name, "Connection"):
			own := maps.Clone(connection)
			if def.Fields.ForName("count") == nil {
				delete(own, "count")
			}
			maps.Copy(own, e.types[name])
			e.types[name] = own
		case strings.HasSuffix(name, "Edge"):
			e.types[name] = edges
		}
	}
}

// end returns the cursor of a node; nil on an empty page.
func (p *Page) end(at int) any {
	if len(p.Nodes) == 0 {
		return nil
	}
	return cursor(p.Offset + at)
}
