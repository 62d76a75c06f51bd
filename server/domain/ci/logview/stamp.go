package logview

import (
	"regexp"
	"strings"
)

// stamp is what newer runners write before each line: the time, the stream, and + if the line continues the previous
// one.
var stamp = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z ([0-9a-f]{2}[OE])([+ ]?)`)

// Plain returns a line of a log without the runner's timestamp.
func Plain(line string) string { return line[len(stamp.FindString(line)):] }

// held is a line with a timestamp that the next line may continue. Runners split a line after a carriage return, such
// as after a section marker, and if it is very long.
type held struct {
	stream     string
	text       string
	cut        bool
	style      style // before the line
	shown      int   // line number, if Flush has returned the line already
	shownBytes int   // number of bytes of text that Flush returned
}

// ended processes the complete line in rest.
func (r *Reader) ended(events []Event) []Event {
	text, cut := strings.ToValidUTF8(string(r.rest), "\ufffd"), r.cut
	r.rest, r.cut = r.rest[:0], false
	found := stamp.FindStringSubmatch(text)
	if found == nil {
		return r.line(r.release(events), text, cut)
	}
	text = text[len(found[0]):]
	if h := r.held; h != nil && found[2] == "+" && found[1] == h.stream {
		room := max(maxLine-len(h.text), 0)
		h.cut = h.cut || cut || len(text) > room
		h.text += strings.ToValidUTF8(text[:min(len(text), room)], "")
		return events
	}
	events = r.release(events)
	r.held = &held{stream: found[1], text: text, cut: cut, style: r.style}
	return events
}

// release adds the events of the held line.
func (r *Reader) release(events []Event) []Event {
	h := r.held
	if h == nil {
		return events
	}
	r.held = nil
	if h.shown > 0 {
		return r.reshow(events, h)
	}
	return r.line(events, h.text, h.cut)
}

// Flush returns the held line, for a reader that follows the log live. If the line continues later, it is returned
// again, complete and with the same number. Flush does not return a line with a section marker, because the title of
// the section is still to come.
func (r *Reader) Flush() []Event {
	h := r.held
	if h == nil || marker.MatchString(h.text) {
		return nil
	}
	if h.shown > 0 {
		return r.reshow(nil, h)
	}
	events := r.line(nil, h.text, h.cut)
	h.shown = r.number
	h.shownBytes = len(h.text)
	return events
}

// reshow returns a flushed line once more if it has grown since.
func (r *Reader) reshow(events []Event, h *held) []Event {
	if h.shownBytes == len(h.text) {
		return events
	}
	h.shownBytes, r.style = len(h.text), h.style
	r.number = h.shown - 1
	return r.line(events, h.text, h.cut)
}
