package graphql

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	maxBody     = 1 << 20
	bodyTimeout = 30 * time.Second
	maxNesting  = 100 // of the JSON of a request
)

// call is one operation as the client sends it.
type call struct {
	query, operationName string
	variables            map[string]any
}

// failure refuses a whole request.
type failure struct {
	status int
	text   string
}

func unprocessable(text string) *failure { return &failure{http.StatusUnprocessableEntity, text} }

// readRequest reads the operations of a request. batch says whether the client sent a list of them.
func readRequest(r *http.Request) (calls []call, batch bool, failed *failure) {
	if r.Method != http.MethodPost {
		return readForm(r.URL.Query())
	}
	// Not every writer has a connection behind it, so an error here does not matter.
	data, failed := readBody(r)
	if failed != nil {
		return nil, false, failed
	}
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && media == "application/x-www-form-urlencoded":
		values, err := url.ParseQuery(string(data))
		if err != nil {
			return nil, false, unprocessable("The form cannot be read")
		}
		return readForm(values)
	case err == nil && media == "multipart/form-data":
		return readMultipart(data, params["boundary"])
	case err == nil && media == "application/graphql":
		return readForm(url.Values{"query": {string(data)}})
	case len(bytes.TrimSpace(data)) == 0:
		return readForm(r.URL.Query())
	}
	return readJSON(data)
}

func readBody(r *http.Request) ([]byte, *failure) {
	data, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &failure{http.StatusRequestTimeout, "The request body comes too slowly"}
	case err != nil:
		return nil, &failure{http.StatusBadRequest, "The request body could not be read"}
	case len(data) > maxBody:
		return nil, &failure{http.StatusRequestEntityTooLarge, "The request body is too large"}
	}
	return data, nil
}

// readJSON reads an object, or a list of objects.
func readJSON(data []byte) (calls []call, batch bool, failed *failure) {
	if nested(data) {
		return nil, false, unprocessable("The JSON is nested too deeply")
	}
	var body any
	if err := json.Unmarshal(data, &body); err != nil || !utf8.Valid(data) {
		return nil, false, unprocessable("The request body is not JSON")
	}
	list, batch := body.([]any)
	if !batch {
		list = []any{body}
	}
	switch {
	case len(list) == 0:
		return nil, false, unprocessable("The batch is empty")
	case len(list) > maxBatch:
		return nil, false, unprocessable("The batch has too many operations")
	}
	for _, one := range list {
		object, ok := one.(map[string]any)
		if !ok {
			return nil, false, unprocessable("The request body must be an object or a list of objects")
		}
		c, failed := readObject(object)
		if failed != nil {
			return nil, false, failed
		}
		calls = append(calls, c)
	}
	return calls, batch, nil
}

// nested reports whether JSON is nested too deeply, without reading it as values.
func nested(data []byte) bool {
	depth, inText := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			if depth++; depth > maxNesting {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

func readObject(object map[string]any) (call, *failure) {
	var c call
	for name, to := range map[string]*string{"query": &c.query, "operationName": &c.operationName} {
		switch v := object[name].(type) {
		case nil:
		case string:
			*to = v
		default:
			return c, unprocessable("'" + name + "' must be a text")
		}
	}
	var failed *failure
	c.variables, failed = readVariables(object["variables"])
	if failed == nil {
		failed = c.check()
	}
	return c, failed
}

// readVariables accepts an object, or its JSON as text.
func readVariables(given any) (map[string]any, *failure) {
	switch v := given.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return v, nil
	case string:
		if strings.TrimSpace(v) == "" {
			return nil, nil
		}
		var parsed any
		if nested([]byte(v)) || json.Unmarshal([]byte(v), &parsed) != nil {
			return nil, unprocessable("'variables' is not JSON")
		}
		if object, ok := parsed.(map[string]any); ok || parsed == nil {
			return object, nil
		}
	}
	return nil, unprocessable("'variables' must be an object")
}

func (c call) check() *failure {
	switch {
	case utf8.RuneCountInString(c.query) > maxQuery:
		return unprocessable("Query too large")
	case !utf8.ValidString(c.query) || strings.ContainsRune(c.query, 0):
		return unprocessable("The query is not text")
	case strings.TrimSpace(c.query) == "":
		return unprocessable("No query string was present")
	}
	return nil
}

// readForm reads the parameters of a URL or of a form.
func readForm(values url.Values) (calls []call, batch bool, failed *failure) {
	c := call{query: values.Get("query"), operationName: values.Get("operationName")}
	if c.variables, failed = readVariables(values.Get("variables")); failed == nil {
		failed = c.check()
	}
	return []call{c}, false, failed
}
