// Package mail sends letters to people: in the background, by SMTP, or into the log where no server is set.
package mail

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"svc/store/secret"
)

// Letter is one mail. What is not sent until a time is not sent any more: its links are over.
type Letter struct {
	To, Subject, Text string
	HTML              string            // the same as the text, for who reads mail in a browser; empty for none
	ID                string            // of the mail, which answers refer to; empty for one of its own
	Headers           map[string]string // further ones
	Until             time.Time
}

// Sending is the job that sends a letter. The letter is sealed, because it may hold what opens an account and the queue
// keeps jobs for a while.
type Sending struct {
	ID     string `json:"id" river:"unique"` // what is queued twice with one id is sent once
	Sealed []byte `json:"sealed"`
}

// Kind names the job in the queue.
func (Sending) Kind() string { return "send_mail" }

// Options says where letters go.
type Options struct {
	SMTP   string // smtp://user:password@host:port or smtps://…; empty for the log
	From   string
	Host   string // of this service, in the ids of mails
	Key    string // the instance's secret key
	Logger *slog.Logger
	Queue  func(ctx context.Context, job Sending) error
	// Each queues many letters, but none whose id is there already.
	Each func(ctx context.Context, jobs []Sending) error
}

// Post takes letters and sends them.
type Post struct {
	queue   func(ctx context.Context, job Sending) error
	each    func(ctx context.Context, jobs []Sending) error
	vault   secret.Vault
	logger  *slog.Logger
	host    string
	real    bool
	deliver func(ctx context.Context, id string, l Letter) error
}

// New checks where letters go; nothing is sent.
func New(o Options) (*Post, error) {
	vault, err := secret.NewVault(o.Key, "mail")
	if err != nil {
		return nil, err
	}
	p := &Post{queue: o.Queue, each: o.Each, vault: vault, logger: o.Logger, host: o.Host}
	p.deliver = p.intoLog
	if o.SMTP != "" {
		server, err := newServer(o.SMTP, o.From)
		if err != nil {
			return nil, err
		}
		p.deliver, p.real = server.send, true
	}
	return p, nil
}

// Send queues a letter in the caller's transaction: it is sent if, and only if, that is committed.
func (p *Post) Send(ctx context.Context, l Letter) error {
	plain, err := json.Marshal(l)
	if err != nil {
		return err
	}
	id := secret.Random()[:20] + "@" + p.host
	return p.queue(ctx, Sending{ID: id, Sealed: p.vault.Seal(plain, id)})
}

// Sends tells whether letters go anywhere but into the log.
func (p *Post) Sends() bool { return p.real }

// SendEach queues letters by names that stay the same when what writes them runs again: no letter is queued twice. It joins the
// caller's transaction.
func (p *Post) SendEach(ctx context.Context, letters map[string]Letter) error {
	jobs := make([]Sending, 0, len(letters))
	for name, l := range letters {
		plain, err := json.Marshal(l)
		if err != nil {
			return err
		}
		id := name + "@" + p.host
		jobs = append(jobs, Sending{ID: id, Sealed: p.vault.Seal(plain, id)})
	}
	if len(jobs) == 0 {
		return nil
	}
	return p.each(ctx, jobs)
}

// Run sends a letter. A letter that is sent twice, because the process was killed in between, has the same id both times.
func (p *Post) Run(ctx context.Context, job Sending) error {
	plain, err := p.vault.Open(job.Sealed, job.ID)
	if err != nil {
		return err
	}
	var l Letter
	if err := json.Unmarshal(plain, &l); err != nil {
		return err
	}
	if !l.Until.IsZero() && !time.Now().Before(l.Until) {
		p.logger.WarnContext(ctx, "a mail was given up: it could not be sent in time", "to", l.To, "subject", l.Subject)
		return nil
	}
	id := job.ID
	if l.ID != "" {
		id = l.ID
	}
	if err := p.deliver(ctx, id, l); err != nil {
		return fmt.Errorf("send mail to %s: %w", l.To, err)
	}
	return nil
}

// intoLog is where mail goes without a server: whoever runs the service finds its links there.
func (p *Post) intoLog(ctx context.Context, _ string, l Letter) error {
	p.logger.InfoContext(ctx, "mail is not sent, because no SMTP server is set", "to", l.To, "subject", l.Subject, "text", l.Text)
	return nil
}
