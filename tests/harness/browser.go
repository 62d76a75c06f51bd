package harness

import (
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"svc/store/model"

	"golang.org/x/crypto/argon2"
)

// Browser acts like the web browser of a user: it keeps cookies, follows redirects and fills in forms as they were
// shown. Pages are not in the OpenAPI document, so Browser checks what every page must have instead.
type Browser struct {
	h      *H
	client *http.Client
	Page   Page // the last page
}

// Page is a page that a browser has loaded.
type Page struct {
	Status int
	URL    *url.URL
	Header http.Header
	Body   string
}

// Browser returns a browser without cookies.
func (h *H) Browser() *Browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		h.T.Fatal(err)
	}
	return &Browser{h: h, client: &http.Client{Jar: jar}}
}

// Password is the password of users made with Person or WithPassword.
const Password = "correct horse battery"

// WithPassword sets Password and a confirmed address on a user.
func (h *H) WithPassword(u *model.User) {
	at := time.Now().UTC()
	u.PasswordHash, u.ConfirmedAt = hashed(), &at
}

// hashed returns a hash of Password that is cheap to check: the hash contains its cost, and hundreds of tests sign in.
var hashed = sync.OnceValue(func() string {
	salt := []byte("salt for tests..")
	key, text := argon2.IDKey([]byte(Password), salt, 1, 64, 1, 32), base64.RawStdEncoding.EncodeToString
	return "$argon2id$v=19$m=64,t=1,p=1$" + text(salt) + "$" + text(key)
})

// NewUserWithPassword makes a user who has Password.
func (h *H) NewUserWithPassword(edit ...func(*model.User)) *Caller {
	h.T.Helper()
	return h.NewUser(append([]func(*model.User){h.WithPassword}, edit...)...)
}

// SignedIn returns the browser of a user who has signed in with the form.
func (h *H) SignedIn(u model.User) *Browser {
	h.T.Helper()
	b := h.Browser()
	b.Get("/users/sign_in")
	if page := b.Submit("/users/sign_in", url.Values{"login": {u.Username}, "password": {Password}}); page.Status != 200 ||
		page.URL.Path == "/users/sign_in" {
		h.T.Fatalf("%s cannot sign in: %d %s\n%s", u.Username, page.Status, page.URL, page.Text())
	}
	return b
}

// Get opens a page.
func (b *Browser) Get(path string) Page {
	b.h.T.Helper()
	return b.do("GET", path, "", nil)
}

var (
	forms  = regexp.MustCompile(`(?s)<form[^>]* action="([^"]*)"[^>]*>(.*?)</form>`)
	inputs = regexp.MustCompile(`(?s)<(input|textarea|select)\s([^>]*)>`)
	named  = regexp.MustCompile(`\bname="([^"]*)"`)
	valued = regexp.MustCompile(`\bvalue="([^"]*)"`)

	identified = regexp.MustCompile(`\bid="([^"]*)"`)
)

// Fields returns the values of the form with that action as the page shows it, and whether there is such a form.
func (p Page) Fields(action string) (url.Values, bool) {
	for _, form := range forms.FindAllStringSubmatch(p.Body, -1) {
		if html.UnescapeString(form[1]) != action {
			continue
		}
		values := url.Values{}
		for _, input := range inputs.FindAllStringSubmatch(form[2], -1) {
			name := named.FindStringSubmatch(input[2])
			if name == nil || (strings.Contains(input[2], `type="checkbox"`) && !strings.Contains(input[2], " checked")) {
				continue
			}
			value := ""
			if found := valued.FindStringSubmatch(input[2]); found != nil {
				value = html.UnescapeString(found[1])
			}
			values.Add(name[1], value)
		}
		return values, true
	}
	return nil, false
}

// Submit sends the form with that action on the last page, with the given fields filled in.
func (b *Browser) Submit(action string, fill url.Values) Page {
	b.h.T.Helper()
	fields, ok := b.Page.Fields(action)
	if !ok {
		b.h.T.Fatalf("there is no form for %s on %s (%d):\n%s", action, b.Page.URL, b.Page.Status, b.Page.Text())
	}
	for name, values := range fill {
		if _, ok := fields[name]; !ok && !strings.Contains(b.Page.Body, ` name="`+name+`"`) {
			b.h.T.Fatalf("the form for %s has no field %s", action, name)
		}
		fields[name] = values
	}
	return b.Post(action, fields)
}

// Post sends a form that no page has shown.
func (b *Browser) Post(path string, fields url.Values, pairs ...string) Page {
	b.h.T.Helper()
	pairs = append([]string{"Content-Type", "application/x-www-form-urlencoded"}, pairs...)
	return b.do("POST", path, fields.Encode(), pairs)
}

// Send sends any request; the pairs are header names and values.
func (b *Browser) Send(method, path, body string, pairs ...string) Page {
	b.h.T.Helper()
	return b.do(method, path, body, pairs)
}

// Cookie returns the value of a cookie in the browser.
func (b *Browser) Cookie(name string) string {
	base, err := url.Parse(b.h.URL)
	if err != nil {
		b.h.T.Fatal(err)
	}
	for _, c := range b.client.Jar.Cookies(base) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// SetCookie adds a cookie to the browser, as an attacker might.
func (b *Browser) SetCookie(name, value string) {
	base, err := url.Parse(b.h.URL)
	if err != nil {
		b.h.T.Fatal(err)
	}
	b.client.Jar.SetCookies(base, []*http.Cookie{{Name: name, Value: value, Path: "/"}})
}

// NoRedirects makes the browser stop following redirects.
func (b *Browser) NoRedirects() {
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
}

func (b *Browser) do(method, path, body string, pairs []string) Page {
	b.h.T.Helper()
	req, err := http.NewRequestWithContext(b.h.T.Context(), method, b.h.URL+path, strings.NewReader(body))
	if err != nil {
		b.h.T.Fatal(err)
	}
	req.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	req.Header.Set("User-Agent", "Test browser")
	for i := 0; i+1 < len(pairs); i += 2 {
		req.Header.Set(pairs[i], pairs[i+1])
	}
	note := b.h.watch(req)
	res, err := b.client.Do(req)
	if err != nil {
		b.h.T.Fatal(err)
	}
	note(res)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		b.h.T.Fatal(err)
	}
	b.Page = Page{Status: res.StatusCode, URL: res.Request.URL, Header: res.Header, Body: string(data)}
	b.check()
	if match(res.Request) != nil { // pages of the OAuth provider are in the document
		for _, complaint := range Check(res.Request, res, data) {
			b.h.T.Errorf("%s %s answered %d against the document: %s", res.Request.Method,
				clip([]byte(res.Request.URL.RequestURI())), res.StatusCode, complaint)
		}
	}
	return b.Page
}

// These find what may run or change the look inside a page: in tags, because texts may say anything.
var (
	startTags     = regexp.MustCompile(`<[a-zA-Z](?:[^>"]|"[^"]*")*>`)
	quotedValue   = regexp.MustCompile(`"[^"]*"`)
	inlineCode    = regexp.MustCompile(`(?i)^<style|\sstyle=|\son[a-z]+=`)
	scriptAddress = regexp.MustCompile(`(?i)(href|src|action)="\s*javascript:`)
)

// check checks what every page must have.
func (b *Browser) check() {
	b.h.T.Helper()
	p := b.Page
	if !strings.HasPrefix(p.Header.Get("Content-Type"), "text/html") {
		return
	}
	complain := func(text string) { b.h.T.Errorf("%s answered %d: %s", p.URL, p.Status, text) }
	if csp := p.Header.Get("Content-Security-Policy"); !strings.HasPrefix(csp,
		"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none';") {
		complain("the policy is " + csp)
	}
	// With the style sheet and the script, a page has at most 150 KB. The documentation is the same for everybody.
	store, most := "no-store", 125_000
	if strings.HasPrefix(p.URL.Path, "/-/docs") && p.Status == http.StatusOK {
		store, most = "public, max-age=300", 100_000
	}
	if p.Header.Get("X-Frame-Options") != "DENY" || p.Header.Get("Cache-Control") != store {
		complain("it may be framed or kept")
	}
	if len(p.Body) > most {
		complain(fmt.Sprintf("it is larger than %d bytes", most))
	}
	if strings.Count(p.Body, "<h1") != 1 || !strings.Contains(p.Body, `<main id="main"`) {
		complain("it has not one heading and one main part")
	}
	for _, tag := range startTags.FindAllString(p.Body, -1) {
		if scriptAddress.MatchString(tag) || inlineCode.MatchString(quotedValue.ReplaceAllString(tag, `""`)) {
			complain("it has styles or scripts inside, which the policy forbids: " + tag)
		}
	}
	for _, input := range inputs.FindAllStringSubmatch(p.Body, -1) {
		name, id := named.FindStringSubmatch(input[2]), identified.FindStringSubmatch(input[2])
		if name == nil || strings.Contains(input[2], `type="hidden"`) || strings.Contains(input[2], `type="checkbox"`) {
			continue
		}
		if id == nil || !labelled(p.Body, id[1]) && !strings.Contains(input[2], "aria-label=") {
			complain("the input " + name[1] + " has no label")
		}
	}
}

// labelled reports whether a page has a label for the input with an id.
func labelled(body, id string) bool {
	return regexp.MustCompile(`<label[^>]* for="` + regexp.QuoteMeta(id) + `"`).MatchString(body)
}

var tags = regexp.MustCompile(`(?s)<[^>]*>|\s+`)

// Text returns the visible text of the main part of the page.
func (p Page) Text() string {
	_, main, _ := strings.Cut(p.Body, `<main`)
	_, main, _ = strings.Cut(main, ">")
	main, _, _ = strings.Cut(main, "</main>")
	return strings.TrimSpace(html.UnescapeString(strings.Join(strings.Fields(tags.ReplaceAllString(main, " ")), " ")))
}

var mailed = regexp.MustCompile(
	`msg="mail is not sent because no SMTP server is configured" to=(\S+) subject=("[^"]*"|\S+) text="((?:[^"\\]|\\.)*)"`,
)

// Mails returns the texts of the mails to an address so far, read from the log. Background jobs must run.
func (h *H) Mails(address string) []string {
	var texts []string
	for _, m := range mailed.FindAllStringSubmatch(h.Logs.String(), -1) {
		if m[1] == address {
			texts = append(texts, strings.ReplaceAll(m[3], `\n`, "\n"))
		}
	}
	return texts
}

var linked = regexp.MustCompile(`https?://[^/\s]+(/\S+_token=\S+)`)

// MailedLink waits for the nth mail to an address and returns the path of the link in it.
func (h *H) MailedLink(address string, n int) string {
	h.T.Helper()
	text := h.MailedText(address, n)
	link := linked.FindStringSubmatch(text)
	if link == nil {
		h.T.Fatalf("there is no link in the mail to %s: %s", address, text)
	}
	return link[1]
}

// MailedText waits for the nth mail to an address and returns its text.
func (h *H) MailedText(address string, n int) string {
	h.T.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if texts := h.Mails(address); len(texts) >= n {
			return texts[n-1]
		}
	}
	h.T.Fatalf("%s has no letter number %d: %q", address, n, h.Mails(address))
	return ""
}
