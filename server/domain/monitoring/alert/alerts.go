// Package alert reads the alerts that monitoring tools send: single alerts in the generic format, and groups of alerts in
// the format of metrics tools. It is pure: bytes in, alerts out.
package alert

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/platform/fold"
)

const (
	// MaxBody is how large a payload may be.
	MaxBody = 1 << 20
	// MaxDepth is how many levels a payload may have.
	MaxDepth = 100
	// MaxAlerts is how many alerts of one message are read; the others are left out.
	MaxAlerts = 100
	// maxValues is how many members and elements a payload may have.
	maxValues = 100_000

	maxTitle       = 200
	maxDescription = 1000
	maxWord        = 100 // a service, a monitoring tool
	maxName        = 255 // a host, an environment
	maxHosts       = 100

	// Untitled is the title of an alert without one.
	Untitled = "New: Alert"
)

var (
	// ErrMalformed is that a payload cannot be read, or is no alert.
	ErrMalformed = errors.New("malformed")
	// ErrFormat is that a payload is not in the one format that is taken.
	ErrFormat = errors.New("not the metrics-alerting format")
)

// The formats.
const (
	Generic = "generic"
	Metrics = "metrics"
)

// Severities, the worst first.
const (
	Critical = "critical"
	High     = "high"
	Medium   = "medium"
	Low      = "low"
	Info     = "info"
	Unknown  = "unknown"
)

// Alert is what was reported.
type Alert struct {
	Format         string
	Title          string
	Description    string
	Severity       string
	Service        string
	MonitoringTool string
	Hosts          []string
	Environment    string
	Fingerprint    string // a hash; empty for an alert that is like no other
	StartedAt      time.Time
	EndedAt        *time.Time // when the alert is over
	Payload        []byte     // of this alert alone, JSON
}

// Options say how payloads are read.
type Options struct {
	Now         time.Time
	Mapping     Mapping
	ByPayload   bool // alerts without a fingerprint are told apart by all that they say
	MetricsOnly bool
}

// TooDeep tells whether a payload has more levels than it may. It looks at brackets only, and so is quick.
func TooDeep(body []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// Read reads a message. Either all of it is good, or nothing is.
func Read(body []byte, o Options) ([]Alert, error) {
	if len(body) > MaxBody {
		return nil, ErrMalformed
	}
	value, err := fold.JSON(body, fold.Limits{Depth: MaxDepth, Values: maxValues})
	if err != nil {
		return nil, ErrMalformed
	}
	payload, ok := value.(map[string]any)
	switch {
	case !ok:
		return nil, ErrMalformed
	case isMetrics(payload):
		return readMetrics(payload, o)
	case o.MetricsOnly:
		return nil, ErrFormat
	}
	a, err := readGeneric(payload, o)
	if err != nil {
		return nil, err
	}
	a.Payload = bytes.TrimSpace(body)
	return []Alert{a}, nil
}

// hash is a fingerprint as it is kept: short, whatever was sent.
func hash(of any) string {
	text, _ := json.Marshal(of) // what was read from JSON can be written
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// cut shortens a text to a number of characters.
func cut(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := 0
	for i := range text {
		if runes == most-3 {
			return text[:i] + "..."
		}
		runes++
	}
	return text
}

var layouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 UTC", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04Z07:00", time.DateOnly, time.RFC1123Z, time.RFC1123}

// moment reads a time. None, or the first day of all, is no time.
func moment(value any) (*time.Time, error) {
	text, err := word(value)
	if err != nil || text == "" {
		return nil, err
	}
	for _, layout := range layouts {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		t = t.UTC().Truncate(time.Microsecond) // as precisely as the databases keep it
		switch {
		case t.IsZero():
			return nil, nil // no time was meant
		case t.Year() < 1 || t.Year() > 9999:
			return nil, ErrMalformed
		}
		return &t, nil
	}
	return nil, ErrMalformed
}

// word reads a text without what surrounds it; nothing is an empty one.
func word(value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "", nil
	case string:
		return strings.TrimSpace(v), nil
	}
	return "", ErrMalformed
}
