package format

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/domain/monitoring/jsontext"
)

// The limits of what is stored of an event.
const (
	maxTitle       = 255
	maxDescription = 1000
	maxName        = 200
	maxDepth       = 100
	maxPayload     = 256 << 10
	future         = 24 * time.Hour // how far the client's clock may be ahead
)

// Event is a parsed event.
type Event struct {
	ID                   string
	Fingerprint          string
	Title, Description   string
	Culprit              string
	Platform             string
	Level                string
	Environment, Release string
	At                   time.Time
	Payload              []byte // the received JSON without whitespace
}

// sent holds the members of an event that are used. Clients write some of them in different ways, so their types are
// parsed leniently.
type sent struct {
	EventID     any             `json:"event_id"`
	Timestamp   json.RawMessage `json:"timestamp"`
	Level       any             `json:"level"`
	Platform    any             `json:"platform"`
	Culprit     any             `json:"culprit"`
	Transaction any             `json:"transaction"`
	Environment any             `json:"environment"`
	Release     any             `json:"release"`
	Message     json.RawMessage `json:"message"`
	LogEntry    json.RawMessage `json:"logentry"`
	Fingerprint json.RawMessage `json:"fingerprint"`
	Exception   json.RawMessage `json:"exception"`
}

type exception struct {
	Type       any `json:"type"`
	Value      any `json:"value"`
	Stacktrace struct {
		Frames []frame `json:"frames"`
	} `json:"stacktrace"`
}

type frame struct {
	Module   any  `json:"module"`
	Filename any  `json:"filename"`
	Function any  `json:"function"`
	Lineno   any  `json:"lineno"`
	InApp    bool `json:"in_app"`
}

// ReadEvent parses an event.
func ReadEvent(data []byte, now time.Time) (Event, error) {
	var s sent
	if len(data) > maxPayload || !utf8.Valid(data) || bytes.Contains(data, []byte(`\u0000`)) || jsontext.TooDeep(data, maxDepth) ||
		json.Unmarshal(data, &s) != nil {
		return Event{}, ErrMalformed
	}
	var compact bytes.Buffer
	if json.Compact(&compact, data) != nil || compact.Len() == 0 || compact.Bytes()[0] != '{' {
		return Event{}, ErrMalformed
	}
	e := Event{
		ID: eventID(text(s.EventID)), Platform: cut(text(s.Platform), maxName), Level: level(text(s.Level)),
		Environment: cut(text(s.Environment), maxName),
		Release:     cut(text(s.Release), maxName), At: parseTime(s.Timestamp, now), Payload: compact.Bytes(),
	}
	thrown := exceptions(s.Exception)
	message := cut(messageOf(s), maxDescription)
	parts := []string{message}
	e.Title, e.Culprit = firstLine(message), cut(text(s.Transaction), maxName)
	if e.Culprit == "" {
		e.Culprit = cut(text(s.Culprit), maxName)
	}
	if len(thrown) > 0 {
		last := thrown[len(thrown)-1]
		e.Title, e.Description = cut(text(last.Type), maxTitle), cut(text(last.Value), maxDescription)
		if e.Title == "" {
			e.Title = firstLine(e.Description)
		}
		if e.Culprit == "" {
			e.Culprit = cut(culprit(last.Stacktrace.Frames), maxName)
		}
		parts = signature(thrown)
	} else {
		e.Description = message
	}
	if e.Title == "" {
		e.Title = "<unlabeled event>"
	}
	e.Fingerprint = fingerprint(s.Fingerprint, append([]string{e.Platform}, parts...))
	return e, nil
}

// exceptions reads {"values": […]}, a list, or a single exception.
func exceptions(raw json.RawMessage) []exception {
	var wrapped struct {
		Values []exception `json:"values"`
	}
	if json.Unmarshal(raw, &wrapped) == nil && len(wrapped.Values) > 0 {
		return wrapped.Values
	}
	var many []exception
	if json.Unmarshal(raw, &many) == nil && len(many) > 0 {
		return many
	}
	var single exception
	if json.Unmarshal(raw, &single) == nil && (text(single.Type) != "" || text(single.Value) != "") {
		return []exception{single}
	}
	return nil
}

// messageOf returns the message of an event: the log entry, preferably its template, which is the same every time, or the
// message.
func messageOf(s sent) string {
	for _, raw := range []json.RawMessage{s.LogEntry, s.Message} {
		var entry struct {
			Message   any `json:"message"`
			Formatted any `json:"formatted"`
		}
		if json.Unmarshal(raw, &entry) == nil {
			if m := text(entry.Message); m != "" {
				return m
			}
			if m := text(entry.Formatted); m != "" {
				return m
			}
		}
		var plain string
		if json.Unmarshal(raw, &plain) == nil && plain != "" {
			return plain
		}
	}
	return ""
}

// volatile matches what differs between two occurrences of one error: numbers, addresses, ids.
var volatile = regexp.MustCompile(`0x[0-9a-fA-F]+|[0-9a-fA-F]{8,}|[0-9]+`)

// signature returns what makes two exceptions the same error: their types and stack frames or, without frames, their
// messages.
func signature(thrown []exception) []string {
	var parts []string
	for _, x := range thrown {
		parts = append(parts, "type "+text(x.Type))
		own := false
		for _, f := range x.Stacktrace.Frames {
			own = own || f.InApp
		}
		passed := false
		for _, f := range x.Stacktrace.Frames {
			if own && !f.InApp {
				continue
			}
			where := text(f.Module)
			if where == "" {
				where = text(f.Filename)
			}
			parts = append(parts, "at "+where+" "+text(f.Function))
			passed = true
		}
		if !passed {
			parts = append(parts, "says "+volatile.ReplaceAllString(text(x.Value), "#"))
		}
	}
	return parts
}

// fingerprint returns the hash of the client's fingerprint if it sent one, else of our own parts.
func fingerprint(raw json.RawMessage, ours []string) string {
	var theirs []any
	parts := ours
	if json.Unmarshal(raw, &theirs) == nil && len(theirs) > 0 {
		parts = []string{"given"}
		for _, one := range theirs {
			switch t := text(one); t {
			case "{{ default }}", "{{default}}":
				parts = append(parts, ours...)
			default:
				parts = append(parts, t)
			}
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// culprit returns where the error happened: the last frame of the program itself, else the last frame.
func culprit(frames []frame) string {
	if len(frames) == 0 {
		return ""
	}
	at := frames[len(frames)-1]
	for _, f := range frames {
		if f.InApp {
			at = f
		}
	}
	where := text(at.Filename)
	if where == "" {
		where = text(at.Module)
	}
	if f := text(at.Function); f != "" {
		where += " in " + f
	}
	return where
}

func level(s string) string {
	switch s {
	case "fatal", "error", "warning", "info", "debug":
		return s
	}
	return "error"
}

var hexID = regexp.MustCompile(`^[0-9a-f]{32}$`)

// eventID returns an id without dashes, or "" if it is not valid.
func eventID(s string) string {
	s = strings.ToLower(strings.ReplaceAll(s, "-", ""))
	if !hexID.MatchString(s) {
		return ""
	}
	return s
}

// parseTime parses seconds since 1970 or a date. For an implausible time it returns now.
func parseTime(raw json.RawMessage, now time.Time) time.Time {
	var seconds float64
	var written string
	at := now
	switch {
	case json.Unmarshal(raw, &seconds) == nil && seconds > 0 && seconds < math.MaxInt32*2:
		at = time.UnixMilli(int64(seconds * 1000)).UTC()
	case json.Unmarshal(raw, &written) == nil:
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
			if t, err := time.Parse(layout, written); err == nil {
				at = t.UTC()
				break
			}
		}
	}
	if at.Year() < 2000 || at.After(now.Add(future)) {
		return now
	}
	return at
}

// text returns a value if it is a string, else "".
func text(v any) string {
	s, _ := v.(string)
	return s
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return cut(line, maxTitle)
}

// cut shortens a text to a number of characters.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	runes := []rune(s)
	return string(runes[:min(len(runes), most)])
}
