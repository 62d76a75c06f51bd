package logview

import (
	"regexp"
	"strings"
)

// stamp is what newer runners put before each line: the time, the stream, and + if the line goes on with the one before.
var stamp = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z ([0-9a-f]{2}[OE])([+ ]?)`)

// Plain is a line of a log without the time stamp of the runner.
func Plain(line string) string { return line[len(stamp.FindString(line)):] }

// held is a line with a time stamp that the next line may go on with. Runners end such a line where the program has written a
// carriage return, as after the marker of a section, and where it is very long.
type held struct {
	stream string
	text   string
	cut    bool
	style  style // before the line
	shown  int   // its number, if Flush has shown it already
	told   int   // bytes of the text that were shown then
}

// ended takes the line in rest, which has ended.
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

// release adds the events of the line that was held.
func (r *Reader) release(events []Event) []Event {
	h := r.held
	if h == nil {
		return events
	}
	r.held = nil
	if h.shown > 0 {
		return r.again(events, h)
	}
	return r.line(events, h.text, h.cut)
}

// Flush returns the line that is held, for somebody who waits for it. If the log goes on with it, it comes once more, whole and
// with the same number. A line that begins or ends a section stays: its title is still to come.
func (r *Reader) Flush() []Event {
	h := r.held
	if h == nil || marker.MatchString(h.text) {
		return nil
	}
	if h.shown > 0 {
		return r.again(nil, h)
	}
	events := r.line(nil, h.text, h.cut)
	h.shown = r.number
	h.told = len(h.text)
	return events
}

// again shows a line once more if more of it has come.
func (r *Reader) again(events []Event, h *held) []Event {
	if h.told == len(h.text) {
		return events
	}
	h.told, r.style = len(h.text), h.style
	r.number = h.shown - 1
	return r.line(events, h.text, h.cut)
}
