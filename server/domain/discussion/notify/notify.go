// Package notify mails users about events. It finds the users who want to hear of an event and may see the item, and
// writes the mails.
package notify

import (
	"context"
	"net/url"
	"strings"
	"time"

	"svc/openapi/wire"
	"svc/server/platform/events"
	"svc/server/platform/mail"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

const (
	mostBody     = 20000              // characters of a text that a mail shows; a link leads to the rest
	mailLifetime = 3 * 24 * time.Hour // after which an undelivered mail is no longer of interest
)

// Notifier mails users about events.
type Notifier struct {
	store *store.Store
	post  *mail.Mailer
	links Links
	base  string
	host  string
}

// New returns a Notifier. Links in mails begin with base, the external URL of the service.
func New(st *store.Store, post *mail.Mailer, base string, links Links) (*Notifier, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	return &Notifier{store: st, post: post, links: links, base: base, host: u.Hostname()}, nil
}

// notification is an event with the rows that the mails need.
type notification struct {
	events.Notification
	project  model.Project
	on       model.Noteable // an issue, a merge request or a commit; otherwise its Type is empty
	note     *model.Note
	pipeline *model.Pipeline
	release  *model.Release
	author   model.User
	body     string // the text of the note or description
}

// Run mails the recipients of an event. If it runs twice, each mail is sent once, because its name in the queue is the
// same both times.
func (t *Notifier) Run(ctx context.Context, news events.Notification) error {
	if !t.post.Delivers() {
		return nil
	}
	s, err := t.read(ctx, news)
	if store.IsNotFound(err) {
		return nil // the item was deleted meanwhile
	}
	if err != nil {
		return err
	}
	if off, err := t.store.Projects.EmailsDisabled(ctx, s.project); err != nil || off {
		return err
	}
	to, err := t.recipients(ctx, s)
	if err != nil {
		return err
	}
	letters := make(map[string]mail.Message, len(to))
	for _, r := range to {
		letter, err := t.write(s, r)
		if err != nil {
			return err
		}
		letter.Until = clock.Now(ctx).Add(mailLifetime)
		letters[queueName(s.Notification, r.user.ID)] = letter
	}
	return t.store.Tx(ctx, func(ctx context.Context) error { return t.post.SendEach(ctx, letters) })
}

// read reads the current rows of the items that an event is about.
func (t *Notifier) read(ctx context.Context, news events.Notification) (notification, error) {
	s := notification{Notification: news}
	row, err := t.store.Projects.Get(ctx, news.ProjectID, "", nil)
	if err != nil {
		return s, err
	}
	s.project = row.Project
	if news.NoteID != 0 {
		if err := t.readNotes(ctx, &s); err != nil {
			return s, err
		}
	}
	if err := t.readTarget(ctx, &s); err != nil {
		return s, err
	}
	if s.AuthorID != 0 {
		people, err := t.store.Users.ByID(ctx, []int64{s.AuthorID})
		if err != nil {
			return s, err
		}
		s.author = people[s.AuthorID]
	}
	return s, nil
}

// betweenNotes separates the notes of a review in a mail.
const betweenNotes = "\n\n----\n\n"

// readNotes reads the notes of an event. Notes that were deleted meanwhile are left out.
func (t *Notifier) readNotes(ctx context.Context, s *notification) error {
	notes, err := t.store.Notes.FindAll(ctx, append([]int64{s.NoteID}, s.Further...))
	if err != nil {
		return err
	}
	if len(notes) == 0 {
		return &store.NotFoundError{}
	}
	texts := make([]string, len(notes))
	for i, n := range notes {
		texts[i] = n.Body
	}
	s.note, s.body = &notes[0], strings.Join(texts, betweenNotes)
	return nil
}

// readTarget reads the item that an event is about, and its text unless the event is about a note.
func (t *Notifier) readTarget(ctx context.Context, s *notification) (err error) {
	switch s.TargetType {
	case model.OnIssue, model.OnMergeRequest:
		if s.on, err = t.store.Noteables.Get(ctx, s.TargetType, s.TargetID); err == nil && s.note == nil {
			s.body, err = t.store.Noteables.Description(ctx, s.on)
		}
	case model.OnSnippet:
		s.on, err = t.store.Noteables.Get(ctx, s.TargetType, s.TargetID)
	case model.OnCommit:
		if s.note == nil || s.note.CommitID == nil {
			return &store.NotFoundError{}
		}
		s.on = model.Noteable{Type: model.OnCommit, ProjectID: s.project.ID, CommitID: *s.note.CommitID}
	case events.OnPipeline:
		err = t.readPipeline(ctx, s)
	case events.OnRelease:
		var found model.ReleaseRow
		found, err = t.store.Releases.Find(ctx, s.TargetID)
		s.release, s.body = &found.Release, wire.Value(found.Release.Description)
	}
	return err
}

// readPipeline reads the pipeline of an event. If a pipeline succeeds after one that failed, the event becomes "fixed".
func (t *Notifier) readPipeline(ctx context.Context, s *notification) error {
	p, err := t.store.Pipelines.Get(ctx, s.project.ID, s.TargetID)
	if err != nil {
		return err
	}
	s.pipeline = &p
	if s.Event != events.SuccessPipeline {
		return nil
	}
	before, err := t.store.Pipelines.PreviousStatus(ctx, p)
	if before == "failed" {
		s.Event = events.FixedPipeline
	}
	return err
}
