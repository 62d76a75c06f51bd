package harness

import (
	"io"
	"net"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"

	"svc/server/platform/config"
	"svc/tests/wait"

	"github.com/emersion/go-smtp"
)

// Inbox is a real mail server that keeps the mails that it receives.
type Inbox struct {
	URL  string
	mu   sync.Mutex
	down bool
	got  []Mail
}

// Mail is a received mail.
type Mail struct {
	To     string
	Header mail.Header
	Body   string // all parts, as sent
}

// NewInbox starts a mail server that runs until the test ends.
func NewInbox(t testing.TB) *Inbox {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &Inbox{URL: "smtp://" + listener.Addr().String()}
	s := smtp.NewServer(b)
	s.Domain = "localhost"
	t.Cleanup(func() { s.Close() })
	go s.Serve(listener)
	return b
}

// Use configures a service to send its mails to this server.
func (b *Inbox) Use(cfg *config.Config) { cfg.SMTPURL = b.URL }

// SetDown sets whether the server refuses mails.
func (b *Inbox) SetDown(down bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.down = down
}

// Take returns the mails that arrived since the last call, sorted by address.
func (b *Inbox) Take() []Mail {
	b.mu.Lock()
	defer b.mu.Unlock()
	got := b.got
	b.got = nil
	slices.SortFunc(got, func(x, y Mail) int { return strings.Compare(x.To, y.To) })
	return got
}

// NewSession implements the backend of the mail server.
func (b *Inbox) NewSession(*smtp.Conn) (smtp.Session, error) { return &delivery{inbox: b}, nil }

type delivery struct {
	inbox *Inbox
	to    string
}

func (d *delivery) Mail(string, *smtp.MailOptions) error {
	d.inbox.mu.Lock()
	defer d.inbox.mu.Unlock()
	if d.inbox.down {
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 0, 0}, Message: "come back later"}
	}
	return nil
}

func (d *delivery) Rcpt(to string, _ *smtp.RcptOptions) error {
	d.to = to
	return nil
}

func (d *delivery) Data(r io.Reader) error {
	m, err := mail.ReadMessage(r)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(m.Body)
	d.inbox.mu.Lock()
	defer d.inbox.mu.Unlock()
	d.inbox.got = append(d.inbox.got, Mail{To: d.to, Header: m.Header, Body: string(body)})
	return err
}
func (d *delivery) Reset()        {}
func (d *delivery) Logout() error { return nil }

// WaitForMails waits until no notification or mail job is left in the queue.
func (h *H) WaitForMails() {
	h.T.Helper()
	wait.Until(h.T, "all mails were sent", func() bool {
		var n int
		q := "SELECT count(*) FROM river_job WHERE kind IN ('tell_news', 'send_mail') AND state NOT IN ('completed', " +
			"'discarded', 'cancelled')"
		if err := h.Store.SQL().QueryRowContext(h.T.Context(), q).Scan(&n); err != nil {
			h.T.Fatal(err)
		}
		return n == 0
	})
}
