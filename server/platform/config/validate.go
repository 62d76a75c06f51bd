package config

import (
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"svc/server/platform/outbound"
	"svc/server/platform/telemetry"
)

// validate makes the checks that the tags cannot express. It derives the URL from the listen address if the user gave
// none.
func (c *Config) validate(values givens) Mistakes {
	var wrong Mistakes
	wrong = append(wrong, c.validateListen(values)...)
	if c.URL != "" {
		base, err := BaseURL(c.URL)
		if err != nil {
			wrong.add(values.label("url"), "%s", err)
		}
		c.URL = base
	}
	if c.SSHListen != "" && !isHostPort(c.SSHListen) {
		wrong.add(values.label("ssh-listen"), "%q is not host:port with a port from 0 to 65535, write it like 0.0.0.0:22", c.SSHListen)
	}
	wrong = append(wrong, c.validateTLS(values)...)
	wrong = append(wrong, c.validatePages(values)...)
	if c.Data == "" {
		wrong.add(values.label("data"), "the value is empty, set a folder")
	}
	if c.DatabaseURL != "" && !isPostgres(c.DatabaseURL) {
		wrong.add(values.label("database-url"), "the value must begin with postgres:// or postgresql://, leave it empty to use SQLite")
	}
	wrong = append(wrong, c.validateMail(values)...)
	if _, err := outbound.ParseAllowlist(c.WebhookAllow); err != nil {
		wrong.add(values.label("webhook-allow"), "%s", err)
	}
	wrong = append(wrong, c.validateObservation(values)...)
	if c.Seed != 0 && c.Fixtures != "" {
		wrong.add(values.label("fixtures"), "an instance begins with a seed or with fixtures, not with both")
	}
	if c.Ephemeral && c.DatabaseURL != "" {
		wrong.add(values.label("ephemeral"), "an ephemeral instance has its own database, leave database-url empty")
	}
	wrong = append(wrong, c.validateTestMode(values)...)
	if strings.ContainsFunc(c.RootToken, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		wrong.add(values.label("root-token"), "the value contains a space or a control character, remove it")
	}
	return wrong
}

// validateTestMode checks the settings of the control plane. It may reset and delete everything without a credential, so
// it exists only for instances that are deleted anyway, and only for programs on this machine.
func (c *Config) validateTestMode(values givens) Mistakes {
	var wrong Mistakes
	control := values.label("control-listen")
	if !isHostPort(c.ControlListen) {
		wrong.add(control, "%q is not host:port with a port from 0 to 65535, write it like 127.0.0.1:0", c.ControlListen)
	} else if !isLoopback(c.ControlListen) {
		wrong.add(control, "%q is not a loopback address, write it like 127.0.0.1:0", c.ControlListen)
	}
	if !c.TestMode {
		return wrong
	}
	if !c.Ephemeral {
		wrong.add(values.label("test-mode"), "the control plane can reset and delete everything, so it needs ephemeral")
	}
	for key, address := range map[string]string{
		"ssh-listen": c.SSHListen, "pages-listen": c.PagesListen, "pages-tls-listen": c.PagesTLSListen,
		"tls-cert": c.TLSCert, "redirect-listen": c.RedirectListen,
		"audit-file": c.AuditFile, "audit-url": c.AuditURL, // events of different worlds have the same ids
	} {
		if address != "" {
			wrong.add(values.label(key), "not offered together with test-mode")
		}
	}
	for key, on := range map[string]bool{"tls-acme": c.TLSACME, "proxy-protocol": c.ProxyProtocol} {
		if on {
			wrong.add(values.label(key), "not offered together with test-mode")
		}
	}
	return wrong
}

// isLoopback reports whether an address host:port can be reached from this machine only. A name other than localhost may
// lead anywhere.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// validateMail checks the settings for outgoing mail.
func (c *Config) validateMail(values givens) Mistakes {
	var wrong Mistakes
	if c.SMTPURL != "" && !isSMTP(c.SMTPURL) {
		wrong.add(values.label("smtp-url"), "the value must be like smtp://user:password@host:587 or smtps://user:password@host:465")
	}
	if c.MailFrom != "" {
		if _, err := mail.ParseAddress(c.MailFrom); err != nil {
			wrong.add(
				values.label("mail-from"),
				"%q is not a mail address, write it like svc@example.com or My service <svc@example.com>", c.MailFrom,
			)
		}
	}
	return wrong
}

// validateObservation checks the settings of traces and of the audit stream. No message contains a secret.
func (c *Config) validateObservation(values givens) Mistakes {
	var wrong Mistakes
	if c.OTLPEndpoint != "" {
		to, err := url.Parse(c.OTLPEndpoint)
		if err != nil || (to.Scheme != "http" && to.Scheme != "https") || to.Hostname() == "" || to.User != nil {
			wrong.add(values.label("otlp-endpoint"),
				"the value must be an http or https URL without user and password, write it like http://127.0.0.1:4318")
		}
	}
	if _, err := telemetry.ParseHeaders(c.OTLPHeaders); err != nil {
		wrong.add(values.label("otlp-headers"), "%v", err)
	}
	if c.AuditURL != "" {
		if _, err := outbound.Parse(c.AuditURL); err != nil {
			wrong.add(values.label("audit-url"), "the value must be an http or https URL, write it like https://audit.example.com/events")
		}
	}
	if c.AuditHeader != "" {
		if _, _, err := outbound.ParseHeader(c.AuditHeader); err != nil {
			wrong.add(values.label("audit-header"), "%v", err)
		}
	}
	return wrong
}

func isHostPort(text string) bool {
	host, port, err := net.SplitHostPort(text)
	if err != nil || strings.ContainsFunc(host, func(r rune) bool { return unicode.IsSpace(r) || r == '/' }) {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

// BaseURL returns a base URL as the settings have it, without slashes at its end, or an error that explains why the text
// is none.
func BaseURL(text string) (string, error) {
	text = strings.TrimRight(text, "/")
	if why := wrongURL(text); why != "" {
		return "", fmt.Errorf("%s, write it like https://git.example.com", why)
	}
	return text, nil
}

// wrongURL explains why text cannot be a base URL. It quotes the text only if the text contains no password.
func wrongURL(text string) string {
	base, err := url.Parse(text)
	switch {
	case strings.Contains(text, "@"):
		return "a base URL must not have a user or password"
	case err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Hostname() == "":
		return strconv.Quote(text) + " is not an absolute http or https URL"
	case strings.ContainsAny(text, "?#"):
		return strconv.Quote(text) + " has a query or a fragment"
	default:
		return ""
	}
}

// isPostgres checks the scheme only: the rest may be in a form that only the driver understands, like several hosts.
func isPostgres(text string) bool {
	return strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
}

func isSMTP(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "smtp" || u.Scheme == "smtps") && u.Hostname() != ""
}

// validatePages checks the settings of sites and their certificates.
func (c *Config) validatePages(values givens) Mistakes {
	var wrong Mistakes
	for key, address := range map[string]string{"pages-listen": c.PagesListen, "pages-tls-listen": c.PagesTLSListen} {
		if address != "" && !isHostPort(address) {
			wrong.add(values.label(key), "%q is not host:port with a port from 0 to 65535, write it like 0.0.0.0:8090", address)
		}
	}
	if (c.PagesTLSCert == "") != (c.PagesTLSKey == "") {
		wrong.add(values.label("pages-tls-cert"), "a certificate needs its key, set both pages-tls-cert and pages-tls-key")
	}
	if c.ACMEDirectory != "" {
		if u, err := url.Parse(c.ACMEDirectory); err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
			wrong.add(values.label("acme-directory"), "the value must be an https URL without user or password")
		}
	}
	if c.ACMEEmail != "" {
		if at, err := mail.ParseAddress(c.ACMEEmail); err != nil || at.Address != c.ACMEEmail {
			wrong.add(values.label("acme-email"), "%q is not a mail address, write it like svc@example.com", c.ACMEEmail)
		}
	}
	return wrong
}
