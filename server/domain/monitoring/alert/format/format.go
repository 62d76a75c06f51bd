// Package format parses the alerts that monitoring tools send: single alerts in the generic format, and groups of alerts
// in the format of metrics tools. It does no I/O: bytes in, alerts out.
package format

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/domain/monitoring/jsontext"
	"svc/server/platform/fold"
)

const (
	// MaxBody is the maximum size of a payload in bytes.
	MaxBody = 1 << 20
	// MaxDepth is the maximum nesting depth of a payload.
	MaxDepth = 100
	// MaxAlerts is how many alerts of one message are read; further ones are ignored.
	MaxAlerts = 100
	// maxValues is the maximum number of members and elements of a payload.
	maxValues = 100_000

	maxTitle       = 200
	maxDescription = 1000
	maxWord        = 100 // a service or a monitoring tool
	maxName        = 255 // a host or an environment
	maxHosts       = 100

	// Untitled is the title of an alert without a title.
	Untitled = "New: Alert"
)

var (
	// ErrMalformed means that a payload cannot be parsed, or is not an alert.
	ErrMalformed = errors.New("malformed")
	// ErrFormat means that a payload is not in the metrics format, which is the only one accepted.
	ErrFormat = errors.New("not the metrics-alerting format")
)

// The payload formats.
const (
	Generic = "generic"
	Metrics = "metrics"
)

// The severities, worst first.
const (
	Critical = "critical"
	High     = "high"
	Medium   = "medium"
	Low      = "low"
	Info     = "info"
	Unknown  = "unknown"
)

// Alert is a parsed alert.
type Alert struct {
	Format         string
	Title          string
	Description    string
	Severity       string
	Service        string
	MonitoringTool string
	Hosts          []string
	Environment    string
	Fingerprint    string // a hash; empty if the alert has no fingerprint and matches no other alert
	StartedAt      time.Time
	EndedAt        *time.Time // set if the alert is resolved
	Payload        []byte     // the JSON of this alert alone
}

// Options control how payloads are parsed.
type Options struct {
	Now         time.Time
	Mapping     Mapping
	ByPayload   bool // whether the fingerprint of an alert without one is computed from its payload
	MetricsOnly bool
}

// TooDeep reports whether a payload is nested deeper than MaxDepth.
func TooDeep(body []byte) bool { return jsontext.TooDeep(body, MaxDepth) }

// Read parses a message. If any alert in it is malformed, it returns an error for the whole message.
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

// hash returns a fingerprint as it is stored: of a fixed length, whatever was sent.
func hash(of any) string {
	text, _ := json.Marshal(of) // a value that was parsed from JSON always marshals
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

var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 UTC", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04Z07:00",
	time.DateOnly, time.RFC1123Z, time.RFC1123,
}

// parseTime parses a time. An empty text and the zero time mean that no time was sent.
func parseTime(value any) (*time.Time, error) {
	text, err := parseText(value)
	if err != nil || text == "" {
		return nil, err
	}
	for _, layout := range layouts {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		t = t.UTC().Truncate(time.Microsecond) // the precision of the databases
		switch {
		case t.IsZero():
			return nil, nil // the sender meant no time
		case t.Year() < 1 || t.Year() > 9999:
			return nil, ErrMalformed
		}
		return &t, nil
	}
	return nil, ErrMalformed
}

// parseText reads a text and trims it. Null is an empty text.
func parseText(value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "", nil
	case string:
		return strings.TrimSpace(v), nil
	}
	return "", ErrMalformed
}
