// Package logview renders the log of a job for a web page: lines of escaped HTML with classes for colours, and sections
// that can be folded. It does no I/O, and its memory is bounded by its input.
package logview

import (
	"bytes"
	"html/template"
	"regexp"
	"strconv"
	"strings"
)

// Event is a line, the start of a section, or its end.
type Event struct {
	Line     int           `json:"line,omitempty"` // line number, from 1
	HTML     template.HTML `json:"html,omitempty"` // of a line or of a section title
	Open     string        `json:"open,omitempty"` // name of the section that starts
	Close    string        `json:"close,omitempty"`
	Duration string        `json:"took,omitempty"` // duration of the section that ends
	Fold     bool          `json:"fold,omitempty"` // the section is collapsed at first
}

const (
	maxLine     = 64 << 10 // bytes of a line that are shown
	maxSections = 20       // nesting depth
)

// Reader turns a log into events. The log may be passed in pieces of any size, in order. A line with a timestamp is
// held until the next line shows that it is complete, or until Flush.
type Reader struct {
	rest     []byte // of an unfinished line
	cut      bool   // rest is truncated
	held     *held
	number   int
	style    style
	sections []section
}

type section struct {
	name  string
	since int64
}

// Read processes the next piece of the log and returns the events that are complete.
func (r *Reader) Read(p []byte) []Event {
	var events []Event
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			r.keep(p)
			return events
		}
		r.keep(p[:i])
		events = r.ended(events)
		p = p[i+1:]
	}
}

// End returns the last line of a log without a final newline, and closes the sections that are still open.
func (r *Reader) End() []Event {
	var events []Event
	if len(r.rest) > 0 {
		events = r.ended(events)
	}
	events = r.release(events)
	for len(r.sections) > 0 {
		events = append(events, r.close(len(r.sections)-1, 0)...)
	}
	return events
}

// OpenSections returns the names of the open sections, the outermost first.
func (r *Reader) OpenSections() []string {
	names := make([]string, len(r.sections))
	for i, s := range r.sections {
		names[i] = s.name
	}
	return names
}

func (r *Reader) keep(p []byte) {
	if room := maxLine - len(r.rest); len(p) > room {
		p, r.cut = p[:max(room, 0)], true
	}
	r.rest = append(r.rest, p...)
}

var marker = regexp.MustCompile(`section_(start|end):(\d{1,12}):([A-Za-z0-9_.-]{1,100})(\[[^\]\r\n]{0,200}\])?\r?(?:\x1b\[0K)?`)

// line adds the events of a complete line.
func (r *Reader) line(events []Event, text string, cut bool) []Event {
	text = strings.TrimSuffix(text, "\r")
	marked := false
	for {
		at := marker.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		marked = true
		if before := text[:at[0]]; visible(before) != "" {
			events = append(events, r.show(before))
		}
		kind, name := text[at[2]:at[3]], text[at[6]:at[7]]
		moment, _ := strconv.ParseInt(text[at[4]:at[5]], 10, 64)
		fold := at[8] >= 0 && strings.Contains(text[at[8]:at[9]], "collapsed=true")
		text = text[at[1]:]
		switch {
		case kind == "end":
			events = append(events, r.end(name, moment)...)
		case len(r.sections) < maxSections:
			title := text
			if next := marker.FindStringIndex(text); next != nil {
				title = text[:next[0]]
			}
			text = text[len(title):]
			if visible(title) == "" { // old runners send none
				title = strings.ReplaceAll(name, "_", " ")
			}
			r.sections = append(r.sections, section{name, moment})
			events = append(events, Event{Open: name, HTML: r.style.html(visible(title)), Fold: fold})
		}
	}
	if marked && visible(text) == "" {
		return events
	}
	shown := r.show(text)
	if cut {
		shown.HTML += "…"
	}
	return append(events, shown)
}

// end closes a section and the sections inside it.
func (r *Reader) end(name string, moment int64) []Event {
	for i := len(r.sections) - 1; i >= 0; i-- {
		if r.sections[i].name == name {
			var events []Event
			for len(r.sections) > i+1 {
				events = append(events, r.close(len(r.sections)-1, 0)...)
			}
			return append(events, r.close(i, moment)...)
		}
	}
	return nil
}

func (r *Reader) close(i int, moment int64) []Event {
	s := r.sections[i]
	r.sections = r.sections[:i]
	e := Event{Close: s.name}
	if took := moment - s.since; moment > 0 && s.since > 0 && took >= 0 && took < 1<<20 {
		e.Duration = clock(took)
	}
	return []Event{e}
}

func clock(seconds int64) string {
	two := func(n int64) string {
		if n < 10 {
			return "0" + strconv.FormatInt(n, 10)
		}
		return strconv.FormatInt(n, 10)
	}
	if seconds >= 3600 {
		return two(seconds/3600) + ":" + two(seconds/60%60) + ":" + two(seconds%60)
	}
	return two(seconds/60) + ":" + two(seconds%60)
}

// visible returns the part of a line after the last carriage return, because terminals overwrite the rest.
func visible(text string) string {
	text = strings.TrimRight(text, "\r")
	return text[strings.LastIndexByte(text, '\r')+1:]
}

func (r *Reader) show(text string) Event {
	r.number++
	return Event{Line: r.number, HTML: r.style.html(visible(text))}
}
