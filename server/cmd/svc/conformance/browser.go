package conformance

import (
	"context"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // RFC 6238: authenticator apps use SHA-1
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// password is the password of the users of the suite who sign in with the pages.
const password = "correct-horse-battery-9"

// browser acts like the web browser of a user: it keeps cookies and fills in forms as they were shown.
type browser struct {
	session *Session
	client  *http.Client
}

// page is a page that a browser has loaded.
type page struct {
	status int
	url    *url.URL
	header http.Header
	body   string
}

// form is a form of a page.
type form struct {
	action string
	fields url.Values
	kinds  map[string]string // type of each field by name
}

func (s *Session) newBrowser() (*browser, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	c := *s.suite.client.http
	c.Jar = jar
	return &browser{session: s, client: &c}, nil
}

// load sends a request and returns the page, without following redirects.
func (b *browser) load(ctx context.Context, method, address, body string) (page, error) {
	b.session.suite.requests.Add(1)
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return page{}, err
	}
	req.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	req.Header.Set("User-Agent", "svc-conformance")
	if body != "" {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := b.client.Do(req)
	if err != nil {
		return page{}, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, maxBody))
	return page{res.StatusCode, res.Request.URL, res.Header, string(data)}, err
}

// open loads a page of the installation and follows redirects to other pages of it.
func (b *browser) open(ctx context.Context, path string) (page, error) {
	p, err := b.load(ctx, "GET", b.session.suite.client.base.String()+path, "")
	return b.follow(ctx, p, err)
}

func (b *browser) follow(ctx context.Context, p page, err error) (page, error) {
	for range 10 {
		if err != nil || p.status < 300 || p.status > 399 {
			break
		}
		to, problem := p.url.Parse(p.header.Get("Location"))
		if problem != nil || to.Host != b.session.suite.client.base.Host {
			break
		}
		p, err = b.load(ctx, "GET", to.String(), "")
	}
	return p, err
}

// submit sends a form of a page with some fields filled in.
func (b *browser) submit(ctx context.Context, p page, f form, fill map[string]string) (page, error) {
	to, err := p.url.Parse(f.action)
	if err != nil {
		return page{}, err
	}
	for name, value := range fill {
		f.fields.Set(name, value)
	}
	return b.load(ctx, "POST", to.String(), f.fields.Encode())
}

var (
	formPattern  = regexp.MustCompile(`(?s)<form([^>]*)>(.*?)</form>`)
	inputPattern = regexp.MustCompile(`(?s)<(?:input|textarea|select)\s([^>]*)>`)
)

// forms returns the forms of a page.
func (p page) forms() []form {
	var all []form
	for _, found := range formPattern.FindAllStringSubmatch(p.body, -1) {
		f := form{action: attribute(found[1], "action"), fields: url.Values{}, kinds: map[string]string{}}
		for _, input := range inputPattern.FindAllStringSubmatch(found[2], -1) {
			name, kind := attribute(input[1], "name"), attribute(input[1], "type")
			if name == "" || (kind == "checkbox" && !strings.Contains(input[1], "checked")) {
				continue
			}
			f.fields.Add(name, attribute(input[1], "value"))
			f.kinds[name] = kind
		}
		all = append(all, f)
	}
	return all
}

func attribute(tag, name string) string {
	found := regexp.MustCompile(`\b` + name + `="([^"]*)"`).FindStringSubmatch(tag)
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}

// fieldOf returns the name of the first field whose name or type is one of the words.
func (f form) fieldOf(words ...string) string {
	for _, word := range words {
		for name := range f.fields {
			if name == word || strings.HasSuffix(name, "["+word+"]") || f.kinds[name] == word {
				return name
			}
		}
	}
	return ""
}

// signIn returns the browser of a user who has signed in with the form.
func (s *Session) signIn(ctx context.Context, user string) (*browser, error) {
	username, err := s.values.get(user + "_username")
	if err != nil {
		return nil, err
	}
	b, err := s.newBrowser()
	if err != nil {
		return nil, err
	}
	p, err := b.open(ctx, "/users/sign_in")
	if err != nil {
		return nil, err
	}
	for _, f := range p.forms() {
		if f.fieldOf("password") == "" {
			continue
		}
		answer, err := b.submit(ctx, p, f, map[string]string{
			f.fieldOf("login", "username", "email", "text"): username, f.fieldOf("password"): password,
		})
		if err != nil {
			return nil, err
		}
		if answer.status != http.StatusFound && answer.status != http.StatusSeeOther {
			return nil, fmt.Errorf("the form to sign in answered %d", answer.status)
		}
		return b, nil
	}
	return nil, skipError{"the installation has no form to sign in at /users/sign_in"}
}

// twoFactorPath is the page on which a user turns two-factor authentication on.
const twoFactorPath = "/-/profile/two_factor_auth"

var secretPattern = regexp.MustCompile(`<code[^>]*>([A-Z2-7 ]{16,})</code>`)

// turnOnTwoFactor turns two-factor authentication on for a user and sets <two_factor_id>. A product without that page
// has no such user, and the cases that need one are skipped.
func (s *Session) turnOnTwoFactor(ctx context.Context, user string) error {
	s.values.lack("two_factor_id", "the installation has no page "+twoFactorPath+" that the suite understands")
	b, err := s.signIn(ctx, user)
	var skip skipError
	if errors.As(err, &skip) {
		return nil
	}
	if err != nil {
		return err
	}
	p, err := b.open(ctx, twoFactorPath)
	if err != nil {
		return err
	}
	secret := secretPattern.FindStringSubmatch(p.body)
	for _, f := range p.forms() {
		code := f.fieldOf("code", "pin_code")
		if secret == nil || code == "" {
			continue
		}
		digits, err := oneTimeCode(secret[1], time.Now())
		if err != nil {
			return err
		}
		answer, err := b.submit(ctx, p, f, map[string]string{code: digits, f.fieldOf("current_password", "password"): password})
		if answer, err = b.follow(ctx, answer, err); err != nil || answer.status != http.StatusOK {
			return errors.Join(err, fmt.Errorf("turning on two-factor authentication answered %d", answer.status))
		}
		id, err := s.values.get(user + "_id")
		s.values.set("two_factor_id", id)
		return err
	}
	return nil
}

// oneTimeCode returns the code of a secret at a time (RFC 6238).
func oneTimeCode(secret string, at time.Time) (string, error) {
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ReplaceAll(secret, " ", ""))
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha1.New, key)
	if err := binary.Write(mac, binary.BigEndian, at.Unix()/30); err != nil {
		return "", err
	}
	sum := mac.Sum(nil)
	at4 := sum[len(sum)-1] & 0xf
	return fmt.Sprintf("%06d", (binary.BigEndian.Uint32(sum[at4:at4+4])&0x7fffffff)%1_000_000), nil
}
