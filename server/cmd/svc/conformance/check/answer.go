package check

import (
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Difference is one difference between an answer and the document.
type Difference struct {
	Kind Kind
	Text string
}

// Kind says what differs.
type Kind string

// The kinds of differences.
const (
	Status  Kind = "status"  // the status is not declared
	Header  Kind = "header"  // a header is missing or has a wrong value
	Content Kind = "content" // the content type or the presence of a body
	Schema  Kind = "schema"  // a value does not follow its schema
	Member  Kind = "member"  // an object has a member that the document does not name
)

// Answer is what the differences are looked for in.
type Answer struct {
	Method string
	Query  url.Values // of the request
	Status int
	Header http.Header
	Body   []byte
}

// paginationHeaders has the headers that every page of an offset-paginated list must have.
var paginationHeaders = map[string]bool{"Link": true, "X-Next-Page": true, "X-Page": true, "X-Per-Page": true, "X-Prev-Page": true}

// Compare compares an answer with the operation and returns the differences.
func (r *Route) Compare(a Answer) []Difference {
	declared := r.Op.Responses.Status(a.Status)
	if declared == nil {
		return []Difference{{Status, "this status is not declared for " + r.Op.OperationID}}
	}
	found := compareHeaders(declared.Value, a)
	if a.Method == http.MethodHead {
		return found
	}
	return append(found, compareContent(declared.Value, a)...)
}

// CompareUnknown compares the answer to a request that calls no operation: below /api an error has the common shape.
func CompareUnknown(path string, a Answer) []Difference {
	if !strings.HasPrefix(path, "/api/") || a.Status < 400 || a.Status == http.StatusTooManyRequests {
		return nil
	}
	found := CompareJSON(Doc().Components.Schemas["Error"].Value, a.Body)
	if err := Doc().Components.Headers["XErrorCode"].Value.Schema.Value.VisitJSON(a.Header.Get("X-Error-Code")); err != nil {
		found = append(found, Difference{Header, "header X-Error-Code: " + err.Error()})
	}
	return found
}

// compareHeaders returns the differences in the headers that the document declares for the answer.
func compareHeaders(declared *openapi3.Response, a Answer) []Difference {
	var found []Difference
	paginated := declared.Headers["X-Page"] != nil && a.Query.Get("pagination") != "keyset"
	for name, header := range declared.Headers {
		got, present := a.Header[http.CanonicalHeaderKey(name)]
		switch {
		case !present && (header.Value.Required || (paginated && paginationHeaders[name])):
			found = append(found, Difference{Header, "header " + name + " is missing"})
		case present && header.Value.Schema.Value.Type.Is("string"):
			if err := header.Value.Schema.Value.VisitJSON(got[0]); err != nil {
				found = append(found, Difference{Header, "header " + name + ": " + err.Error()})
			}
		}
	}
	return found
}

func compareContent(declared *openapi3.Response, a Answer) []Difference {
	if len(declared.Content) == 0 {
		if len(a.Body) > 0 {
			return []Difference{{Content, "a body is not declared"}}
		}
		return nil
	}
	media, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if err != nil {
		return []Difference{{Content, "Content-Type: " + err.Error()}}
	}
	kind := declared.Content.Get(media)
	if kind == nil {
		return []Difference{{Content, "Content-Type " + media + " is not declared"}}
	}
	if media != "application/json" && !strings.HasSuffix(media, "+json") {
		return nil
	}
	return CompareJSON(kind.Schema.Value, a.Body)
}
