// Package examples has one successful call of each operation, as a test really made it, by area. The document, the
// reference and the explorer show them. make golden writes the files.
package examples

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"sync"
	"weak"
)

// Example is a call of an operation that succeeded.
type Example struct {
	Method      string          `json:"method"`
	Path        string          `json:"path"`                   // with the query
	ContentType string          `json:"content_type,omitempty"` // of a request that is not JSON
	Request     json.RawMessage `json:"request,omitempty"`      // the JSON body, or the fields of a form
	RequestText string          `json:"request_text,omitempty"` // a body that is text
	Status      int             `json:"status"`
	Response    json.RawMessage `json:"response,omitempty"`      // the JSON body
	Text        string          `json:"response_text,omitempty"` // a body that is text
}

//go:embed *.json
var files embed.FS

// Of returns the example of an operation.
func Of(operationID string) (Example, bool) {
	e, ok := (*all())[operationID]
	return e, ok
}

var cached struct {
	sync.Mutex
	weak.Pointer[map[string]Example]
}

// all returns the examples of all areas. They take megabytes and are seldom needed, so they are read again after the
// collector has removed them.
func all() *map[string]Example {
	cached.Lock()
	defer cached.Unlock()
	if found := cached.Value(); found != nil {
		return found
	}
	found := read()
	cached.Pointer = weak.Make(&found)
	return &found
}

// read reads all examples. A file that cannot be read is a mistake in the build; every test would find it.
func read() map[string]Example {
	found := map[string]Example{}
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		area := map[string]Example{}
		if err := json.Unmarshal(data, &area); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		maps.Copy(found, area)
		return nil
	})
	if err != nil {
		panic(err)
	}
	return found
}
