// Package mail sends mails in the background: by SMTP, or into the log if no SMTP server is configured.
package mail

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"svc/store/clock"
	"svc/store/observe"
	"svc/store/secret"
)

// Message is one mail. It is not sent after Until, because its links have expired by then.
type Message struct {
	To, Subject, Text string
	HTML              string            // the text as HTML; empty for none
	ID                string            // the Message-ID, which replies refer to; empty for a generated one
	Headers           map[string]string // further headers
	Until             time.Time
}

// SendJob is the job that sends a mail. The mail is encrypted, because it may contain links that give access to an
// account and the queue keeps jobs for a while.
type SendJob struct {
	ID     string `json:"id" river:"unique"` // a job that is queued twice with one id runs once
	Sealed []byte `json:"sealed"`
}

// Kind names the job in the queue.
func (SendJob) Kind() string { return "send_mail" }

// Options configures how mails are sent.
type Options struct {
	SMTP   string // smtp://user:password@host:port or smtps://…; empty for the log
	From   string
	Host   string // host of this service, for Message-IDs
	Key    string // the instance's secret key
	Logger *slog.Logger
	Queue  func(ctx context.Context, job SendJob) error
	// Each queues many mails, except those whose id is already queued.
	Each func(ctx context.Context, jobs []SendJob) error
	// Keep, if set, gets the mails instead of a server. Tests read them there.
	Keep func(id string, m Message)
}

// Mailer queues mails and sends them.
type Mailer struct {
	queue  func(ctx context.Context, job SendJob) error
	each   func(ctx context.Context, jobs []SendJob) error
	vault  secret.Vault
	logger *slog.Logger
	host   string
	keep   func(id string, m Message)
	way    atomic.Pointer[Way]

	outcomes observe.Outcomes
}

// Way is how mails are delivered.
type Way struct {
	real    bool // really sent, not only logged
	deliver func(ctx context.Context, id string, l Message) error
}

// Outcomes returns how many mails this process has sent, or logged, and how often sending one failed.
func (p *Mailer) Outcomes() *observe.Outcomes { return &p.outcomes }

// New checks the options; it sends nothing.
func New(o Options) (*Mailer, error) {
	vault, err := secret.NewVault(o.Key, secret.MailPurpose)
	if err != nil {
		return nil, err
	}
	p := &Mailer{queue: o.Queue, each: o.Each, vault: vault, logger: o.Logger, host: o.Host, keep: o.Keep}
	way, err := p.NewWay(o.SMTP, o.From)
	if err != nil {
		return nil, err
	}
	p.Use(way)
	return p, nil
}

// NewWay checks the address of a mail server, empty for the log, and a sender. Use delivers mails that way.
func (p *Mailer) NewWay(smtp, from string) (*Way, error) {
	switch {
	case p.keep != nil:
		return &Way{real: true, deliver: func(_ context.Context, id string, m Message) error {
			p.keep(id, m)
			return nil
		}}, nil
	case smtp != "":
		server, err := newServer(smtp, from)
		if err != nil {
			return nil, err
		}
		return &Way{real: true, deliver: server.send}, nil
	}
	return &Way{deliver: p.logMessage}, nil
}

// Use delivers the mails that are sent from now on that way, also those that are queued.
func (p *Mailer) Use(way *Way) { p.way.Store(way) }

// Send queues a mail in the caller's transaction: it is sent if, and only if, that is committed.
func (p *Mailer) Send(ctx context.Context, l Message) error {
	plain, err := json.Marshal(l)
	if err != nil {
		return err
	}
	id := secret.Random()[:20] + "@" + p.host
	return p.queue(ctx, SendJob{ID: id, Sealed: p.vault.Seal(plain, id)})
}

// Delivers reports whether mails are really sent, not only logged.
func (p *Mailer) Delivers() bool { return p.way.Load().real }

// SendEach queues mails under names. The names stay the same when the job that writes the mails runs again, so no mail
// is queued twice. It joins the caller's transaction.
func (p *Mailer) SendEach(ctx context.Context, letters map[string]Message) error {
	jobs := make([]SendJob, 0, len(letters))
	for name, l := range letters {
		plain, err := json.Marshal(l)
		if err != nil {
			return err
		}
		id := name + "@" + p.host
		jobs = append(jobs, SendJob{ID: id, Sealed: p.vault.Seal(plain, id)})
	}
	if len(jobs) == 0 {
		return nil
	}
	return p.each(ctx, jobs)
}

// Run sends a mail. If a mail is sent twice, because the process was killed in between, it has the same id both times.
func (p *Mailer) Run(ctx context.Context, job SendJob) error {
	plain, err := p.vault.Open(job.Sealed, job.ID)
	if err != nil {
		return err
	}
	var l Message
	if err := json.Unmarshal(plain, &l); err != nil {
		return err
	}
	if !l.Until.IsZero() && !clock.Now(ctx).Before(l.Until) {
		p.logger.WarnContext(ctx, "dropped a mail that could not be sent in time", "to", l.To, "subject", l.Subject)
		return nil
	}
	id := job.ID
	if l.ID != "" {
		id = l.ID
	}
	span := observe.Start(ctx, "send mail", observe.Client)
	err = p.way.Load().deliver(ctx, id, l)
	p.outcomes.Add(err == nil)
	if err != nil {
		span.Fail("the mail could not be sent")
	}
	span.Finish()
	if err != nil {
		return fmt.Errorf("send mail to %s: %w", l.To, err)
	}
	return nil
}

// logMessage logs a mail if no server is configured, so that the administrator finds its links in the log.
func (p *Mailer) logMessage(ctx context.Context, _ string, l Message) error {
	p.logger.InfoContext(ctx, "mail is not sent because no SMTP server is configured", "to", l.To, "subject", l.Subject, "text", l.Text)
	return nil
}
