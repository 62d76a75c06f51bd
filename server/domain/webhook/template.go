package webhook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

var templatePath = regexp.MustCompile(`\{\{\s*([^{}\s]+)\s*\}\}`)

// render fills in a template: {{a.b}} becomes the member b of the member a of the body. A text is escaped for JSON, but
// has no quotes; everything else is JSON. A missing member is null. The result must be JSON.
func render(template string, body []byte) ([]byte, error) {
	var members any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&members); err != nil {
		return nil, fmt.Errorf("read the body: %w", err)
	}
	rendered := templatePath.ReplaceAllFunc([]byte(template), func(place []byte) []byte {
		path := templatePath.FindSubmatch(place)[1]
		return literal(member(members, strings.Split(string(path), ".")))
	})
	var parsed any
	if err := json.Unmarshal(rendered, &parsed); err != nil {
		//nolint:staticcheck // the text of the contract
		return nil, fmt.Errorf("Error while parsing rendered custom webhook template: %w", err)
	}
	return rendered, nil
}

// member returns the member at a path, or nil. Lists cannot be entered.
func member(value any, path []string) any {
	for _, name := range path {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[name]
	}
	return value
}

// literal returns a value as JSON; a text has no quotes.
func literal(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return []byte("null") // a decoded value can always be encoded
	}
	text := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	if _, ok := value.(string); ok {
		return text[1 : len(text)-1]
	}
	return text
}
