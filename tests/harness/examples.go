package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"svc/openapi/examples"
	"svc/openapi/ordered"

	"github.com/getkin/kin-openapi/openapi3"
)

// The document shows answers that the tests really got. With SVC_GOLDEN=write, the harness chooses for each operation
// the call that shows the most, and writes it into openapi/examples.

// candidate is an example with the reasons to prefer it.
type candidate struct {
	examples.Example
	score int
	test  string // chooses between equals, so that the choice does not depend on the order of tests
}

const (
	maxExample     = 1 << 20 // larger bodies are not shown
	maxExampleText = 300     // longer texts are cut

	// The score of a candidate: members with a value count for it, long and odd texts against it.
	perMember   = 10
	perBytes    = 10
	oddText     = 300
	inOtherForm = 100000 // a form, or JSON that the service must convert, although the operation takes JSON
)

var (
	recording  = os.Getenv("SVC_GOLDEN") == "write"
	examplesMu sync.Mutex
	bestCalls  = map[string]candidate{}
)

// recordExample keeps a successful call if it shows more than the calls before it.
func (h *H) recordExample(req *http.Request, res *http.Response, body []byte) {
	succeeded := res.StatusCode < 300 || res.StatusCode == http.StatusFound
	if !recording || !succeeded || req.Method == http.MethodHead || len(body) > maxExample {
		return
	}
	route := match(req)
	if route == nil {
		return
	}
	c := candidate{test: h.T.Name(), Example: examples.Example{
		Method: req.Method, Path: h.clean(req.URL.RequestURI()), Status: res.StatusCode,
	}}
	if err := errors.Join(c.addRequest(h, route, req), c.addResponse(h, res, body)); err != nil {
		return // a body that is not what its type says, for a test of bad input
	}
	c.judge(req)
	examplesMu.Lock()
	defer examplesMu.Unlock()
	id := route.Op.OperationID
	best, ok := bestCalls[id]
	if !ok || c.score > best.score || c.score == best.score && c.test < best.test {
		bestCalls[id] = c
	}
}

// addRequest adds the body of a request.
func (c *candidate) addRequest(h *H, route *Route, req *http.Request) error {
	body := route.Op.RequestBody
	if body == nil || req.GetBody == nil {
		return nil
	}
	from, err := req.GetBody()
	if err != nil {
		return err
	}
	sent, err := io.ReadAll(io.LimitReader(from, maxExample+1))
	if err != nil || len(sent) > maxExample {
		return errors.Join(err, errors.New("the body is too long"))
	}
	if len(sent) == 0 {
		return nil
	}
	kind, params, _ := mime.ParseMediaType(req.Header.Get("Content-Type"))
	value, err := fields(kind, params, sent)
	if err != nil {
		return err
	}
	if media := body.Value.Content[kind]; kind == "application/json" && !fits(media, sent) {
		c.score -= inOtherForm
	}
	if kind != "application/json" {
		c.ContentType = kind
		if body.Value.Content["application/json"] != nil {
			c.score -= inOtherForm
		}
	}
	if value == nil {
		if utf8.Valid(sent) {
			c.RequestText = h.clean(string(sent))
		}
		return nil
	}
	value = shorten(value)
	c.score += 2 * perMember * count(value)
	c.Request, err = h.show(value)
	return err
}

// fits reports whether a body in JSON is right by its schema as it is: the service also reads texts as numbers and lists.
func fits(media *openapi3.MediaType, sent []byte) bool {
	var value any
	if media == nil || json.Unmarshal(sent, &value) != nil {
		return false
	}
	return media.Schema.Value.VisitJSON(value, openapi3.VisitAsRequest()) == nil && len(UnknownMembers(media.Schema.Value, value)) == 0
}

// UnknownMembers returns the members of an object that its schema does not have. The service ignores them, and warns.
func UnknownMembers(schema *openapi3.Schema, value any) []string {
	object, ok := value.(map[string]any)
	if !ok || len(schema.Properties) == 0 || schema.AdditionalProperties.Schema != nil {
		return nil
	}
	var unknown []string
	for name := range object {
		if schema.Properties[name] == nil {
			unknown = append(unknown, name)
		}
	}
	return unknown
}

// fields returns the members of a body in JSON or of a form; nil if the body is something else.
func fields(kind string, params map[string]string, sent []byte) (any, error) {
	switch kind {
	case "application/json":
		return ordered.Parse(sent)
	case "application/x-www-form-urlencoded":
		form := ordered.New()
		for _, pair := range strings.Split(string(sent), "&") {
			name, value, _ := strings.Cut(pair, "=")
			name, err := url.QueryUnescape(name)
			if err != nil {
				return nil, err
			}
			if value, err = url.QueryUnescape(value); err != nil {
				return nil, err
			}
			form.Set(name, value)
		}
		return form, nil
	case "multipart/form-data":
		return parts(multipart.NewReader(bytes.NewReader(sent), params["boundary"]))
	}
	return nil, nil
}

// parts returns the fields of a multipart form. A file is shown as @ and its name, as curl writes it.
func parts(from *multipart.Reader) (any, error) {
	form := ordered.New()
	for {
		part, err := from.NextPart()
		if errors.Is(err, io.EOF) {
			return form, nil
		}
		if err != nil {
			return nil, err
		}
		if part.FileName() != "" {
			form.Set(part.FormName(), "@"+part.FileName())
			continue
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, err
		}
		form.Set(part.FormName(), string(value))
	}
}

func (c *candidate) addResponse(h *H, res *http.Response, body []byte) error {
	kind := res.Header.Get("Content-Type")
	if strings.HasPrefix(kind, "text/") {
		c.Text = h.clean(string(body))
		if len(c.Text) > maxExampleText*4 {
			c.Text = strings.ToValidUTF8(c.Text[:maxExampleText*4], "") + "…"
		}
		return nil
	}
	if !strings.HasPrefix(kind, "application/json") && !strings.HasSuffix(kind, "+json") {
		return nil
	}
	value, err := ordered.Parse(body)
	if err != nil {
		return err
	}
	value = shorten(value)
	c.score += perMember * count(value)
	c.Response, err = h.show(value)
	return err
}

// judge lowers the score of what is hard to read.
func (c *candidate) judge(req *http.Request) {
	text := c.Path + string(c.Request) + c.RequestText + string(c.Response) + c.Text
	c.score -= len(text) / perBytes
	for _, odd := range []string{"sudo", "private_token", "access_token=", "job_token=", "%2e", "..", `\u`, "<", ".json?", "%25"} {
		if strings.Contains(text, odd) {
			c.score -= oddText
		}
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r > 126 && r != '…' || r < ' ' && r != '\n' }) {
		c.score -= oddText
	}
	if req.Header.Get("Sudo") != "" || strings.HasSuffix(req.URL.Path, ".json") || strings.HasSuffix(req.URL.Path, "/") {
		c.score -= oddText
	}
}

// show writes a value without what differs in each run.
func (h *H) show(value any) (json.RawMessage, error) {
	data, err := ordered.Marshal(value)
	if err != nil {
		return nil, err
	}
	return json.RawMessage(h.clean(string(data))), nil
}

// shorten keeps the first element of every list and the beginning of long texts.
func shorten(value any) any {
	switch value := value.(type) {
	case *ordered.Object:
		for _, name := range value.Names {
			value.Set(name, shorten(value.Get(name)))
		}
	case []any:
		value = value[:min(len(value), 1)]
		for i := range value {
			value[i] = shorten(value[i])
		}
		return value
	case string:
		if len(value) > maxExampleText {
			return cut(value)
		}
	}
	return value
}

// cut returns the beginning of a text. One without spaces may be Base64 and stays it.
func cut(text string) string {
	if !strings.ContainsAny(text, " \n") {
		return text[:maxExampleText]
	}
	return strings.ToValidUTF8(text[:maxExampleText], "") + "…"
}

// count returns how many members with a value an example shows.
func count(value any) int {
	n := 0
	switch value := value.(type) {
	case *ordered.Object:
		for _, name := range value.Names {
			n += count(value.Get(name))
		}
	case []any:
		for _, child := range value {
			n += count(child)
		}
	case nil:
	case string:
		if value != "" {
			n = 1
		}
	default:
		n = 1
	}
	return n
}

// WriteExamples writes the chosen examples, one file for each area. If only some tests ran, it adds what is missing.
func WriteExamples(allRan bool) error {
	areas := map[string]map[string]examples.Example{}
	for _, r := range Routes() {
		id, area := r.Op.OperationID, r.Op.Tags[0]
		best, ok := bestCalls[id]
		if old, known := examples.Of(id); known && !(ok && allRan) {
			best.Example, ok = old, true
		}
		if !ok {
			continue
		}
		if areas[area] == nil {
			areas[area] = map[string]examples.Example{}
		}
		areas[area][id] = best.Example
	}
	folder := filepath.Join("..", "..", "openapi", "examples")
	for area, calls := range areas {
		var text bytes.Buffer
		enc := json.NewEncoder(&text)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(calls); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, area+".json"), text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
