package mail

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// sendTimeout is how long sending a mail may take, connecting included.
const sendTimeout = 30 * time.Second

// server is the SMTP server that sends the mails.
type server struct {
	host, from string
	tls        bool // encrypted from the first byte
	options    []gomail.Option
}

// newServer reads the address of a server. smtps:// is encrypted from the first byte, smtp:// by STARTTLS if the server
// offers it. A password is never sent unencrypted, unless the server is on this machine.
func newServer(address, from string, more ...gomail.Option) (*server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		// without the text: it may contain a password
		return nil, fmt.Errorf("the SMTP server must be written like smtp://user:password@host:587")
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
		port, s.tls = "465", true
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
		s.options = append(
			s.options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(u.User.Username()),
			gomail.WithPassword(password),
		)
	}
	s.options = append(s.options, more...)
	_, err = gomail.NewClient(s.host, s.options...)
	return s, err
}

func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && addr.IsLoopback())
}

// dialUntil returns a function that connects to a server and closes the connection when the context ends: the SMTP
// client checks the context only while it connects.
func dialUntil(ctx context.Context) gomail.DialContextFunc {
	return func(dialing context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(dialing, network, address)
		if err != nil {
			return nil, err
		}
		context.AfterFunc(ctx, func() { conn.Close() })
		return conn, nil
	}
}

// send passes one mail to the server.
func (s *server) send(ctx context.Context, id string, l Message) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
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
	options := s.options
	if !s.tls { // the SMTP client must open an encrypted connection itself, or it treats it as plain
		options = append(slices.Clone(options), gomail.WithDialContextFunc(dialUntil(ctx)))
	}
	client, err := gomail.NewClient(s.host, options...) // one for each mail: the client keeps the state of a connection
	if err != nil {
		return err
	}
	sent := make(chan error, 1)
	go func() { sent <- client.DialAndSendWithContext(ctx, m) }()
	select {
	case err := <-sent:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// CheckServer connects and signs in to the SMTP server of an address, and sends nothing.
func CheckServer(ctx context.Context, address, from string) error {
	s, err := newServer(address, from)
	if err != nil {
		return err
	}
	client, err := gomail.NewClient(s.host, s.options...)
	if err != nil {
		return err
	}
	connected := make(chan error, 1)
	go func() {
		err := client.DialWithContext(ctx)
		if err == nil {
			err = client.Close()
		}
		connected <- err
	}()
	select {
	case err := <-connected:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// oneLine replaces control characters, so that a value cannot begin another header.
func oneLine(value string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, value)
}
