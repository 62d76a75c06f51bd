// Package notify tells people by mail of what happens: it finds out who wants to hear of news, and may, and writes them letters.
package notify

import (
	"context"
	"net/url"
	"time"

	"svc/server/platform/events"
	"svc/server/platform/mail"
	"svc/store"
	"svc/store/model"
)

const (
	mostBody = 20000              // characters of a text that stand in a letter; the rest is behind its link
	patience = 3 * 24 * time.Hour // after which nobody wants to hear of it any more
)

// Teller tells people what happens.
type Teller struct {
	store *store.Store
	post  *mail.Post
	links Links
	base  string
	host  string
}

// New takes who sends letters, the service's external URL, and how links that end a subscription are signed.
func New(st *store.Store, post *mail.Post, base string, links Links) (*Teller, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	return &Teller{store: st, post: post, links: links, base: base, host: u.Hostname()}, nil
}

// story is news with all that there is to tell of it.
type story struct {
	events.News
	project  model.Project
	on       model.Noteable // an issue, a merge request or a commit; else without a type
	note     *model.Note
	pipeline *model.Pipeline
	author   model.User
	body     string // what was written
}

// Run tells of news. When it runs twice, each letter is sent once: its name in the queue is the same both times.
func (t *Teller) Run(ctx context.Context, news events.News) error {
	if !t.post.Sends() {
		return nil
	}
	s, err := t.read(ctx, news)
	if store.IsNotFound(err) {
		return nil // it is gone meanwhile
	}
	if err != nil {
		return err
	}
	if off, err := t.store.Projects.MailsOff(ctx, s.project); err != nil || off {
		return err
	}
	to, err := t.recipients(ctx, s)
	if err != nil {
		return err
	}
	letters := make(map[string]mail.Letter, len(to))
	for _, r := range to {
		letter, err := t.write(s, r)
		if err != nil {
			return err
		}
		letter.Until = time.Now().Add(patience)
		letters[letterName(s.News, r.user.ID)] = letter
	}
	return t.store.Tx(ctx, func(ctx context.Context) error { return t.post.SendEach(ctx, letters) })
}

// read reads what news are about, as it is now.
func (t *Teller) read(ctx context.Context, news events.News) (story, error) {
	s := story{News: news}
	row, err := t.store.Projects.Get(ctx, news.ProjectID, "", nil)
	if err != nil {
		return s, err
	}
	s.project = row.Project
	if news.NoteID != 0 {
		note, err := t.store.Notes.Find(ctx, news.NoteID)
		if err != nil {
			return s, err
		}
		s.note, s.body = &note, note.Body
	}
	switch news.TargetType {
	case model.OnIssue, model.OnMergeRequest:
		if s.on, err = t.store.Noteables.Get(ctx, news.TargetType, news.TargetID); err != nil {
			return s, err
		}
		if s.note == nil {
			if s.body, err = t.store.Noteables.Description(ctx, s.on); err != nil {
				return s, err
			}
		}
	case model.OnCommit:
		if s.note == nil || s.note.CommitID == nil {
			return s, &store.NotFoundError{}
		}
		s.on = model.Noteable{Type: model.OnCommit, ProjectID: s.project.ID, CommitID: *s.note.CommitID}
	case events.OnPipeline:
		if err := t.readPipeline(ctx, &s); err != nil {
			return s, err
		}
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

// readPipeline reads a pipeline; one that succeeds after one that failed is mended.
func (t *Teller) readPipeline(ctx context.Context, s *story) error {
	p, err := t.store.Pipelines.Get(ctx, s.project.ID, s.TargetID)
	if err != nil {
		return err
	}
	s.pipeline = &p
	if s.Event != events.SuccessPipeline {
		return nil
	}
	before, err := t.store.Pipelines.Before(ctx, p)
	if before == "failed" {
		s.Event = events.FixedPipeline
	}
	return err
}
