package mail

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

const sendTimeout = 30 * time.Second

// server is where letters are handed over.
type server struct {
	host, from string
	options    []gomail.Option
}

// newServer reads the address of a server. smtps:// is encrypted from the first byte, smtp:// by STARTTLS where the server
// offers it. A password never travels unencrypted, unless the server is on this machine.
func newServer(address, from string, more ...gomail.Option) (*server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return nil, fmt.Errorf("the SMTP server must be written like smtp://user:password@host:587") // without the text: it may hold a password
	}
	s := &server{host: u.Hostname(), from: from, options: []gomail.Option{
		gomail.WithTimeout(sendTimeout), gomail.WithTLSConfig(&tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}),
	}}
	password, hasPassword := u.User.Password()
	port := "587"
	switch u.Scheme {
	case "smtp":
		policy := gomail.TLSOpportunistic
		if hasPassword && !isLoopback(u.Hostname()) {
			policy = gomail.TLSMandatory
		}
		s.options = append(s.options, gomail.WithTLSPolicy(policy))
	case "smtps":
		port = "465"
		s.options = append(s.options, gomail.WithSSL())
	default:
		return nil, fmt.Errorf("the SMTP server must begin with smtp:// or smtps://")
	}
	if u.Port() != "" {
		port = u.Port()
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	s.options = append(s.options, gomail.WithPort(number))
	if hasPassword {
		s.options = append(s.options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	s.options = append(s.options, more...)
	_, err = gomail.NewClient(s.host, s.options...)
	return s, err
}

func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && addr.IsLoopback())
}

// send hands one letter over.
func (s *server) send(ctx context.Context, id string, l Letter) error {
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := m.From(s.from); err != nil {
		return err
	}
	if err := m.To(l.To); err != nil {
		return err
	}
	m.Subject(l.Subject)
	m.SetMessageIDWithValue(id)
	m.SetDate()
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	for name, value := range l.Headers {
		m.SetGenHeader(gomail.Header(name), oneLine(value))
	}
	m.SetBodyString(gomail.TypeTextPlain, l.Text)
	if l.HTML != "" {
		m.AddAlternativeString(gomail.TypeTextHTML, l.HTML)
	}
	client, err := gomail.NewClient(s.host, s.options...) // one for each letter: it keeps the state of a connection
	if err != nil {
		return err
	}
	return client.DialAndSendWithContext(ctx, m)
}

// oneLine keeps a value from beginning another header.
func oneLine(value string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, value)
}
