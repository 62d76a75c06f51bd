package middleware

import (
	"slices"
	"strings"
)

const (
	apiBase      = "/api/v4"
	longestPath  = 2048 // a longer path gets no help
	mostSegments = 16
)

// pathTemplate is a path of the document, for comparing it with the path of a request.
type pathTemplate struct {
	path     string // "/api/v4/projects/{id}"
	segments []string
	methods  []string
}

// templates holds the paths of the document by their number of segments.
type templates map[int][]pathTemplate

// newTemplates sorts the routes of the document by path.
func newTemplates(routes map[routeKey]*lazyOperation) templates {
	methods := map[string][]string{}
	for route := range routes {
		methods[route.path] = append(methods[route.path], route.method)
	}
	all := templates{}
	for route, offered := range methods {
		segments := strings.Split(strings.TrimPrefix(route, "/"), "/")
		slices.Sort(offered)
		all[len(segments)] = append(all[len(segments)], pathTemplate{documentPath(segments), segments, offered})
	}
	for _, same := range all {
		slices.SortFunc(same, func(a, b pathTemplate) int {
			if byParameters := strings.Count(a.path, "{") - strings.Count(b.path, "{"); byParameters != 0 {
				return byParameters
			}
			return strings.Compare(a.path, b.path)
		})
	}
	return all
}

// documentPath writes the segments of a route as the document does: {id} instead of :id.
func documentPath(segments []string) string {
	var b strings.Builder
	for _, s := range segments {
		b.WriteByte('/')
		if before, name, found := strings.Cut(s, ":"); found {
			b.WriteString(before + "{" + name + "}")
		} else {
			b.WriteString(s)
		}
	}
	return b.String()
}

// splitPath splits the escaped path of a request; nil if it is too long to be compared.
func splitPath(path string) []string {
	path = strings.Trim(path, "/")
	if path == "" || len(path) > longestPath || strings.Count(path, "/") >= mostSegments {
		return nil
	}
	return strings.Split(path, "/")
}

const (
	tooFar    = 3
	mostEdits = tooFar - 1
)

// distance returns the number of edits between a path and the template, or tooFar.
func (t *pathTemplate) distance(segments []string) int {
	total := 0
	for i, want := range t.segments {
		before, name, isParameter := strings.Cut(want, ":")
		switch {
		case isParameter && !fitsParameter(t.segments, i, name, segments[i], before):
			return tooFar
		case isParameter || want == segments[i]:
			continue
		}
		limit := min(likelyEdits(want), mostEdits-total)
		d := edits(segments[i], want, limit)
		if d > limit {
			return tooFar
		}
		total += d
	}
	return total
}

// fitsParameter reports whether a text may be meant as a parameter. An ID has a digit, but projects, groups and
// namespaces also have a path.
func fitsParameter(segments []string, i int, name, text, before string) bool {
	rest, ok := strings.CutPrefix(text, before)
	if !ok || rest == "" {
		return false
	}
	if name != "id" && !strings.HasSuffix(name, "_id") && !strings.HasSuffix(name, "_iid") {
		return true
	}
	if i > 0 && slices.Contains([]string{"projects", "groups", "namespaces"}, segments[i-1]) {
		return true
	}
	return strings.ContainsAny(rest, "0123456789")
}

// nearest returns the path of the document that a path resembles most, if it is probably a slip; else nothing. A path
// that has the method of the request wins over one that has not.
func (all templates) nearest(method string, segments []string) string {
	best, least := "", 2*tooFar
	for i := range all[len(segments)] {
		t := &all[len(segments)][i]
		d := t.distance(segments)
		if d == tooFar {
			continue
		}
		score := 2 * d
		if !slices.Contains(t.methods, method) {
			score++
		}
		if score < least {
			best, least = t.path, score
		}
	}
	return best
}

// match returns the template that a path fits exactly, or nil.
func (all templates) match(segments []string) *pathTemplate {
	for i := range all[len(segments)] {
		if t := &all[len(segments)][i]; t.distance(segments) == 0 {
			return t
		}
	}
	return nil
}

// hintForPath names the path that the client probably meant.
func (all templates) hintForPath(method, path string) string {
	segments := splitPath(path)
	switch {
	case segments == nil:
		return ""
	case segments[0] != "api":
		if t := all.match(append([]string{"api", "v4"}, segments...)); t != nil && all.match(segments) == nil {
			return "The paths of the API begin with " + apiBase + ": did you mean " + t.path + "?"
		}
		return ""
	case all.match(segments) != nil:
		return ""
	}
	if meant := all.nearest(method, segments); meant != "" {
		return "Did you mean " + meant + "? " + apiBase + "/openapi.json lists the paths of the API."
	}
	return ""
}

// hintForMethod says which method changes the resource, or which path near to this one has the method.
func (all templates) hintForMethod(method, path string) string {
	segments := splitPath(path)
	if segments == nil {
		return ""
	}
	t := all.match(segments)
	if t == nil {
		return ""
	}
	var sentences []string
	for _, change := range []string{"PUT", "PATCH"} {
		if slices.Contains([]string{"POST", "PUT", "PATCH"}, method) && slices.Contains(t.methods, change) {
			sentences = append(sentences, "To change this resource, send "+change+".")
		}
	}
	if list := all.match(segments[:len(segments)-1]); list != nil && method == "POST" && slices.Contains(list.methods, method) {
		sentences = append(sentences, "To create one, send POST to "+list.path+".")
	}
	if one := all.below(t, method); one != nil && method != "POST" {
		sentences = append(sentences, "Name one resource: "+method+" "+one.path+".")
	}
	return strings.Join(sentences, " ")
}

// below returns the path that has one more parameter at the end and the method, or nil.
func (all templates) below(t *pathTemplate, method string) *pathTemplate {
	for i := range all[len(t.segments)+1] {
		one := &all[len(t.segments)+1][i]
		if strings.HasPrefix(one.path, t.path+"/{") && slices.Contains(one.methods, method) {
			return one
		}
	}
	return nil
}
