package integration

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"svc/server/platform/mail"
	"svc/store/git"
)

// Mail is a mail that is not addressed yet.
type Mail struct{ Subject, Text, HTML string }

// To addresses the mail.
func (m Mail) To(address string) mail.Message {
	return mail.Message{To: address, Subject: m.Subject, Text: m.Text, HTML: m.HTML}
}

// Recipients returns the addresses that the settings name.
func (s Settings) Recipients() []string { return addresses(s.text("recipients")) }

// AddsPusher reports whether the user who started a pipeline gets the mail, too.
func (s Settings) AddsPusher() bool { return s.on("add_pusher") }

// DiffRange is what a mail shows a diff of.
type DiffRange struct {
	ProjectID int64
	From, To  string
}

// Diff returns what the mail about a push shows a diff of, and false if it shows none.
func (s Settings) Diff(e Event) (DiffRange, bool) {
	b := e.body
	shown := e.kind == "push" && !s.on("disable_diffs") && b.Before != git.Zero && b.After != git.Zero
	return DiffRange{ProjectID: b.Project.ID, From: b.Before, To: b.After}, shown
}

// Mail returns the mail about an event. The diff may be empty.
func (e Event) Mail(m Message, diff string) Mail {
	text, page := plainStyle.write(m.line), pageStyle.write(m.line)
	out := Mail{Subject: e.subject(m), Text: text + ".\n", HTML: "<p>" + page + ".</p>\n"}
	if details := plainStyle.details(m); details != "" {
		out.Text += "\n" + details + "\n"
		out.HTML += "<p>" + pageStyle.details(m) + "</p>\n"
	}
	if files := e.files(); len(files) > 0 {
		out.Text += "\nFiles:\n" + strings.Join(files, "\n") + "\n"
		out.HTML += "<p>Files:</p>\n<pre>" + html.EscapeString(strings.Join(files, "\n")) + "</pre>\n"
	}
	if diff != "" {
		out.Text += "\n" + diff
		out.HTML += "<pre>" + html.EscapeString(diff) + "</pre>\n"
	}
	return out
}

// subject returns the subject of the mail about an event, such as [acme/web] main: Fix the build.
func (e Event) subject(m Message) string {
	b := e.body
	place := "[" + b.Project.Path + "] "
	switch {
	case e.kind == "pipeline":
		result := "passed"
		if m.mood == bad {
			result = "failed"
		}
		return fmt.Sprintf("%sPipeline #%d of %s %s", place, b.Attributes.ID, cut(b.Attributes.Ref, maxName), result)
	case e.kind == "push" && len(b.Commits) > 0 && b.After != git.Zero:
		branch := cut(strings.TrimPrefix(b.Ref, branchPrefix), maxName)
		return place + branch + ": " + cut(b.Commits[len(b.Commits)-1].Title, maxTitle)
	}
	return place + bareStyle.write(m.line)
}

// mostFiles is how many changed files a mail lists.
const mostFiles = 100

// files returns the files that the commits of a push change.
func (e Event) files() []string {
	if e.kind != "push" {
		return nil
	}
	var all []string
	for _, c := range e.body.Commits {
		all = slices.Concat(all, c.Added, c.Modified, c.Removed)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) > mostFiles {
		all = append(all[:mostFiles], fmt.Sprintf("and %d others", len(all)-mostFiles))
	}
	return all
}
