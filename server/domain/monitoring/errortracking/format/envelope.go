// Package format parses the events that client libraries send when a program fails, and computes which error an
// event belongs to.
package format

import (
	"bytes"
	"encoding/json"
	"errors"
)

// maxItems is the maximum number of items in an envelope. Client libraries send only a few.
const maxItems = 100

// ErrMalformed means that an envelope or event cannot be parsed.
var ErrMalformed = errors.New("malformed")

// Envelope is one message of a client library.
type Envelope struct {
	EventID string
	DSN     string
	Events  [][]byte // the items of type event, as JSON
}

// ReadEnvelope parses an envelope: a line of JSON with its header, then for each item a line of JSON with the item's
// header and the item's bytes. If the item header has no length, the item ends with the line.
func ReadEnvelope(data []byte) (Envelope, error) {
	line, rest := cutLine(data)
	var head struct {
		EventID string `json:"event_id"`
		DSN     string `json:"dsn"`
	}
	if json.Unmarshal(line, &head) != nil {
		return Envelope{}, ErrMalformed
	}
	e := Envelope{EventID: head.EventID, DSN: head.DSN}
	for n := 0; len(bytes.TrimSpace(rest)) > 0; n++ {
		if n == maxItems {
			return Envelope{}, ErrMalformed
		}
		var item struct {
			Type   string `json:"type"`
			Length *int   `json:"length"`
		}
		if line, rest = cutLine(rest); len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if json.Unmarshal(line, &item) != nil {
			return Envelope{}, ErrMalformed
		}
		var body []byte
		if item.Length == nil {
			body, rest = cutLine(rest)
		} else {
			if *item.Length < 0 || *item.Length > len(rest) {
				return Envelope{}, ErrMalformed
			}
			body, rest = rest[:*item.Length], rest[*item.Length:]
			if len(rest) > 0 {
				if rest[0] != '\n' {
					return Envelope{}, ErrMalformed
				}
				rest = rest[1:]
			}
		}
		if item.Type == "event" {
			e.Events = append(e.Events, body)
		}
	}
	return e, nil
}

func cutLine(data []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(data, []byte("\n"))
	return line, rest
}
