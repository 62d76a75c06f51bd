package integration

import (
	"fmt"
	"strconv"
	"strings"
)

// Message is what a chat or a mail says about an event: who did what, with links.
type Message struct {
	actor   string
	line    line   // one sentence
	details []line // more lines, such as the commits of a push
	mood    mood
}

// line is a text of several parts.
type line []part

// part is a text, or a link if it has a URL. The text may come from a caller: every style escapes it.
type part struct{ text, url string }

// mood is whether the news are good.
type mood int

const (
	neutral mood = iota
	good
	bad
)

// number returns the color that a message has in chats.
func (m mood) number() int { return [...]int{0x345678, 0x36a64f, 0xd00000}[m] }

// color returns the color as a text.
func (m mood) color() string { return fmt.Sprintf("#%06x", m.number()) }

const (
	maxName    = 100 // characters of names that a message shows
	maxTitle   = 200
	maxExcerpt = 300
	shortID    = 8
)

// to returns a link. A text without a URL stays a text.
func to(text, url string) part { return part{text: text, url: url} }

// say returns a line of texts and links.
func say(parts ...any) line {
	all := make(line, 0, len(parts))
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			all = append(all, part{text: p})
		case part:
			all = append(all, p)
		}
	}
	return all
}

// cut returns a text in one line, with at most a number of characters.
func cut(text string, most int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return string(runes)
}

// Message returns what to say about an event, and false if there is nothing to say.
func (e Event) Message() (Message, bool) {
	m := Message{actor: cut(e.actor(), maxName)}
	switch e.kind {
	case "push":
		e.push(&m)
	case "tag_push":
		e.tag(&m)
	case "issue", "confidential_issue":
		e.issue(&m)
	case "merge_request":
		e.mergeRequest(&m)
	case "note", "confidential_note":
		e.note(&m)
	case "wiki_page":
		e.wikiPage(&m)
	case "pipeline":
		e.pipeline(&m)
	case "deployment":
		e.deployment(&m)
	}
	return m, len(m.line) > 0
}

// project returns a link to the project.
func (e Event) project() part { return to(e.body.Project.Path, e.body.Project.URL) }

// actions has what people do, by the actions of bodies.
var actions = map[string]string{
	"open": "opened", "close": "closed", "reopen": "reopened", "merge": "merged", "approved": "approved", "unapproved": "unapproved",
	"approval": "added an approval to", "unapproval": "removed an approval from",
	"create": "created", "update": "changed", "delete": "deleted",
}

func (e Event) issue(m *Message) {
	a, kind := e.body.Attributes, " issue "
	if e.kind == "confidential_issue" {
		kind = " confidential issue "
	}
	if did := actions[a.Action]; did != "" {
		m.line = say(m.actor, " "+did+kind, to("#"+number(a.IID)+" "+cut(a.Title, maxTitle), a.URL), " in ", e.project())
	}
}

func (e Event) mergeRequest(m *Message) {
	a := e.body.Attributes
	if did := actions[a.Action]; did != "" {
		m.line = say(m.actor, " "+did+" merge request ", to("!"+number(a.IID)+" "+cut(a.Title, maxTitle), a.URL), " in ", e.project())
	}
	if a.Action == "merge" {
		m.mood = good
	}
}

func (e Event) note(m *Message) {
	a, b := e.body.Attributes, e.body
	var on string
	switch {
	case b.Issue != nil:
		on = "issue #" + number(b.Issue.IID) + " " + cut(b.Issue.Title, maxTitle)
	case b.MergeRequest != nil:
		on = "merge request !" + number(b.MergeRequest.IID) + " " + cut(b.MergeRequest.Title, maxTitle)
	case b.Snippet != nil:
		on = "snippet $" + number(b.Snippet.ID) + " " + cut(b.Snippet.Title, maxTitle)
	case b.Commit != nil:
		on = "commit " + short(b.Commit.ID) + " " + cut(b.Commit.Title, maxTitle)
	default:
		on = "something that is gone"
	}
	m.line = say(m.actor, " commented on ", to(on, a.URL), " in ", e.project())
	m.details = []line{say(cut(a.Note, maxExcerpt))}
}

func (e Event) wikiPage(m *Message) {
	a := e.body.Attributes
	page := to(cut(a.Title, maxTitle), a.URL)
	if a.Action == "delete" {
		page.url = ""
	}
	if did := actions[a.Action]; did != "" {
		m.line = say(m.actor, " "+did+" wiki page ", page, " in ", e.project())
	}
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func short(id string) string { return id[:min(len(id), shortID)] }
