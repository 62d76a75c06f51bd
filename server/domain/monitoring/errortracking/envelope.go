// Package errortracking reads what client libraries send when a program fails: which error it is, and what is told of it.
package errortracking

import (
	"bytes"
	"encoding/json"
	"errors"
)

// maxItems is how many items of an envelope are looked at; client libraries send a few.
const maxItems = 100

// ErrMalformed is that something was sent that is not what it should be.
var ErrMalformed = errors.New("malformed")

// Envelope is what a client library sends at once.
type Envelope struct {
	EventID string
	DSN     string
	Events  [][]byte // the items that are events, as JSON
}

// ReadEnvelope reads an envelope: a line of JSON about itself, and then for each item a line of JSON about it and its bytes,
// whose number is told, or which end with the line.
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
