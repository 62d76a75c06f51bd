package notify

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	html "html/template"
	"net/url"
	"strconv"
	"strings"
	text "text/template"

	"svc/openapi/wire"
	"svc/server/platform/events"
	"svc/server/platform/mail"
	"svc/server/platform/naming"
	"svc/store/model"
)

//go:embed templates
var files embed.FS

// helpers are functions that templates can call. Text that users write is never HTML: templates escape it line by line.
var helpers = map[string]any{"lines": func(s string) []string { return strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n") }}

var (
	plain = text.Must(text.New("").Funcs(helpers).ParseFS(files, "templates/*.txt"))
	rich  = html.Must(html.New("").Funcs(helpers).ParseFS(files, "templates/*.html"))
)

// page is the data of a template.
type page struct {
	Project, Author, Recipient string
	Kind, Ref, Title, URL      string // for example: issue, #12, its title and URL
	Body                       string
	Cut                        bool // whether the body is longer than what the mail shows
	Text                       string
	Branch, Commit             string // of a pipeline
	Reason, Unsubscribe        string
}

// reasonTexts completes the sentence in a mail that explains why the user receives it.
var reasonTexts = map[string]string{
	"mentioned": "you were mentioned", "assigned": "you are or were assigned",
	"review_requested": "your review was requested", "author": "you are the author",
	"commented": "you commented on it", "triggered": "you started the pipeline", "subscribed": "you subscribed to it",
	"member": "you are a member of the project",
	watching: "of your notification settings",
}

// write returns the mail to one recipient.
func (t *Notifier) write(s notification, r recipient) (mail.Message, error) {
	p := t.page(s, r)
	l := mail.Message{To: r.address, Subject: subject(s, p), Headers: t.headers(s, r)}
	if startsThread(s.Event) {
		l.ID = t.threadID(s)
	}
	if s.on.IID != 0 {
		path := t.base + t.links.Path(
			Subscription{UserID: r.user.ID, Kind: s.on.Type, ID: s.on.ID, Ref: p.Kind + " " + p.Ref + " of " + s.project.FullPath},
		)
		p.Unsubscribe = path
		l.Headers["List-Unsubscribe"], l.Headers["List-Unsubscribe-Post"] = "<"+path+">", "List-Unsubscribe=One-Click"
	}
	var b bytes.Buffer
	if err := plain.ExecuteTemplate(&b, s.Event+".txt", p); err != nil {
		return l, fmt.Errorf("write a letter of %s: %w", s.Event, err)
	}
	l.Text = b.String()
	b.Reset()
	if err := rich.ExecuteTemplate(&b, s.Event+".html", p); err != nil {
		return l, fmt.Errorf("write a letter of %s: %w", s.Event, err)
	}
	l.HTML = b.String()
	return l, nil
}

// page returns the template data for one recipient.
func (t *Notifier) page(s notification, r recipient) page {
	home := t.base + "/" + s.project.FullPath
	p := page{
		Project: s.project.FullName, Author: s.author.Name, Recipient: r.user.Name, Title: s.on.Title, URL: home,
		Text: s.Text, Reason: reasonTexts[r.reason],
	}
	if p.Author == "" {
		p.Author = "Somebody"
	}
	switch {
	case s.pipeline != nil:
		p.Kind, p.Ref, p.Branch, p.Commit = "pipeline", "#"+strconv.FormatInt(s.pipeline.ID, 10), s.pipeline.Ref, short(s.pipeline.SHA)
		p.URL = home + "/-/pipelines/" + strconv.FormatInt(s.pipeline.ID, 10)
	case s.release != nil:
		p.Kind, p.Ref, p.Title = "release", s.release.Tag, s.release.Tag
		if name := wire.Value(s.release.Name); name != "" {
			p.Title = name
		}
		p.URL = home + "/-/releases/" + url.PathEscape(s.release.Tag)
	case s.on.Type == model.OnIssue:
		p.Kind, p.Ref = "issue", "#"+strconv.FormatInt(s.on.IID, 10)
		p.URL = naming.IssueURL(t.base, s.project.FullPath, s.on.IID)
	case s.on.Type == model.OnMergeRequest:
		p.Kind, p.Ref = "merge request", "!"+strconv.FormatInt(s.on.IID, 10)
		p.URL = naming.MergeRequestURL(t.base, s.project.FullPath, s.on.IID)
	case s.on.Type == model.OnSnippet:
		p.Kind, p.Ref = "snippet", "$"+strconv.FormatInt(s.on.ID, 10)
		p.URL = home + "/-/snippets/" + strconv.FormatInt(s.on.ID, 10)
	case s.on.Type == model.OnCommit:
		p.Kind, p.Ref = "commit", short(s.on.CommitID)
		p.URL = home + "/-/commit/" + s.on.CommitID
	}
	if s.note != nil {
		p.URL += "#note_" + strconv.FormatInt(s.note.ID, 10)
	}
	if letters := []rune(s.body); len(letters) > mostBody {
		p.Body, p.Cut = string(letters[:mostBody]), true
	} else {
		p.Body = s.body
	}
	return p
}

func short(sha string) string { return sha[:min(8, len(sha))] }

// startsThread reports whether an event begins a mail thread. All other mails about the same item reply to that mail.
func startsThread(event string) bool {
	return event == events.NewIssue || event == events.NewMergeRequest
}

// subject returns the same subject for all mails about one item, so that mail programs keep them together.
func subject(s notification, p page) string {
	name := s.project.Name + " | "
	switch {
	case s.Event == events.MovedProject:
		return name + "Project was moved"
	case s.pipeline != nil:
		ended := map[string]string{
			events.FailedPipeline: "Failed", events.FixedPipeline: "Fixed", events.SuccessPipeline: "Successful",
		}[s.Event]
		return name + ended + " pipeline for " + p.Branch + " | " + p.Commit
	case s.release != nil:
		return name + "New release: " + p.Title + " (" + p.Ref + ")"
	case s.on.Type == model.OnCommit:
		return "Re: " + name + "Commit " + p.Ref
	}
	title := name + p.Title + " (" + p.Ref + ")"
	if startsThread(s.Event) {
		return title
	}
	return "Re: " + title
}

// threadID returns the message ID of the first mail about an item. It can be computed even if that mail was never sent.
func (t *Notifier) threadID(s notification) string {
	at := "@" + t.host
	switch s.on.Type {
	case model.OnIssue, model.OnMergeRequest, model.OnSnippet:
		return strings.ToLower(s.on.Type) + "_" + strconv.FormatInt(s.on.ID, 10) + at
	case model.OnCommit:
		return "commit_" + strconv.FormatInt(s.project.ID, 10) + "_" + s.on.CommitID + at
	}
	return ""
}

// headers returns the headers that mail programs sort and thread by.
func (t *Notifier) headers(s notification, r recipient) map[string]string {
	id := strconv.FormatInt(s.project.ID, 10)
	h := map[string]string{
		"X-Svc-Project": s.project.Path, "X-Svc-Project-Id": id, "X-Svc-Project-Path": s.project.FullPath,
		"X-Svc-NotificationReason": r.reason,
		"X-Svc-Event":              s.Event, "List-Id": "<" + id + ".projects." + t.host + ">",
	}
	switch s.on.Type {
	case model.OnIssue:
		h["X-Svc-Issue-ID"], h["X-Svc-Issue-IID"] = strconv.FormatInt(s.on.ID, 10), strconv.FormatInt(s.on.IID, 10)
	case model.OnMergeRequest:
		h["X-Svc-MergeRequest-ID"], h["X-Svc-MergeRequest-IID"] = strconv.FormatInt(s.on.ID, 10), strconv.FormatInt(s.on.IID, 10)
	}
	if s.release != nil {
		h["X-Svc-Release-Tag"] = s.release.Tag
	}
	if s.note != nil {
		h["X-Svc-Discussion-ID"] = s.note.DiscussionID
	}
	if s.pipeline != nil {
		h["X-Svc-Pipeline-Id"], h["X-Svc-Pipeline-Status"] = strconv.FormatInt(s.pipeline.ID, 10), s.pipeline.Status
	}
	if root := t.threadID(s); root != "" && !startsThread(s.Event) {
		h["In-Reply-To"], h["References"] = "<"+root+">", "<"+root+">"
	}
	return h
}

// queueName returns the name in the queue of the mail to one user. It is the same each time the event is processed.
func queueName(news events.Notification, userID int64) string {
	sum := sha256.Sum256([]byte(news.ID + " " + strconv.FormatInt(userID, 10)))
	return "news." + hex.EncodeToString(sum[:12])
}
