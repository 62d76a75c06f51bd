package web

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/tests/harness"

	"golang.org/x/net/html"
)

const (
	pageLimit      = 150_000          // bytes of a page with its style sheet and scripts
	requestLimit   = 5                // requests of a page, without pictures
	statementLimit = 35               // statements of a page, the session included
	patience       = 15 * time.Second // for a page, beside all other tests
	perAddress     = 4                // pages that the walk opens of each address
)

// notOpened lists the addresses that the walk cannot open as a page, and why.
var notOpened = map[string]string{
	"/-/pages/sign_in":            "it needs the host of a site",
	"/-/unsubscribe":              "it needs the link of a mail",
	"/oauth/authorize":            "it needs an application",
	"/oauth/authorize/native":     "it needs a code",
	"/users/sign_up":              "registration is off",
	"/-/profile/applications/:id": "people make their applications on the page itself",
	"/users/two_factor":           "it needs a password",
	"/users/password/expired":     "it needs a password",
}

// walk opens every page that links lead to, and checks it.
type walk struct {
	*hostileWorld
	b       *harness.Browser
	opened  map[string]int  // pages that were opened, by address
	queued  map[string]bool // paths
	queue   []string
	assets  map[string]int // sizes of our files
	largest string         // address of the page with the most statements
	most    int64
}

func TestEveryPageIsSafeAndSmall(t *testing.T) {
	t.Parallel()
	w := &walk{hostileWorld: newHostileWorld(t), opened: map[string]int{}, queued: map[string]bool{}, assets: map[string]int{}}
	w.b = w.Browser()
	w.walkFrom("/", w.root, "/users/sign_in", "/users/password/new", "/users/password/edit?reset_password_token=x",
		"/users/confirmation?confirmation_token=x", "/users/confirmation/new", "/-/explore", "/-/search")
	w.b, w.queued = w.SignedIn(w.owner.User), map[string]bool{}
	w.b.NoRedirects() // a release can lead to another site
	w.walkFrom(w.starts()...)
	for _, address := range w.Server.Pages.Addresses() {
		if _, known := notOpened[address]; known == (w.opened[address] > 0) {
			t.Errorf("%s was opened %d times; notOpened says %q", address, w.opened[address], notOpened[address])
		}
	}
	t.Logf("the page with the most statements is %s: %d", w.largest, w.most)
}

// starts returns the addresses that have no parameters, and those to which only scripts and other sites lead.
func (w *walk) starts() []string {
	job := fmt.Sprintf("%s/-/jobs/%d", w.root, w.job.ID)
	all := []string{
		w.root + "/-/badges/main/pipeline.svg", job + "/log?from=0", job + "/raw",
		job + "/artifacts/download", job + "/artifacts/raw/page.html", job + "/artifacts/raw/a.svg",
		w.root + "/-/raw/main/svg/x.svg", w.root + "/-/compare/old...main",
		w.root + "/-/edit/main/main.go", w.root + "/-/delete/main/main.go", w.root + "/-/releases/permalink/latest/downloads/x",
	}
	for _, hook := range w.hooks {
		all = append(all, hook+"/edit")
	}
	for path, thread := range w.threads {
		all = append(all, w.root+"/-"+strings.TrimPrefix(path, w.api())+"/"+thread)
	}
	for _, path := range w.Server.Pages.Addresses() {
		switch root, rest, _ := strings.Cut(path, "}"); {
		case strings.ContainsAny(path, ":*"): // links lead there
		case root == "/{project":
			all = append(all, w.root+rest)
		case root == "/groups/{group":
			all = append(all, "/groups/"+w.group.FullPath+rest)
		case root == "/{user":
			all = append(all, "/"+w.owner.User.Username+rest)
		default:
			all = append(all, path)
		}
	}
	return all
}

// walkFrom opens pages and everything that they lead to.
func (w *walk) walkFrom(paths ...string) {
	for _, path := range paths {
		w.add(path)
	}
	for len(w.queue) > 0 {
		path := w.queue[0]
		w.queue = w.queue[1:]
		w.open(path)
	}
}

// add adds a page to those that the walk opens.
func (w *walk) add(path string) {
	path, _, _ = strings.Cut(path, "#")
	if path != "" && !w.queued[path] && !strings.HasPrefix(path, "/-/docs") {
		w.queued[path] = true
		w.queue = append(w.queue, path)
	}
}

// open opens a page unless enough of the same address have been opened, checks it, and adds what it links to.
func (w *walk) open(path string) {
	address := w.addressOf(path)
	_, query, _ := strings.Cut(path, "?")
	probes := strings.Contains(path, "probe") // the page may refuse it
	if w.opened[address] >= perAddress && !probes {
		return
	}
	before, begin := w.Store.Statements(), time.Now()
	page := w.b.Get(path)
	used := w.Store.Statements() - before
	if took := time.Since(begin); took > patience {
		w.t.Errorf("%s takes %v", path, took)
	}
	switch _, known := notOpened[address]; {
	case page.Status >= 300 && page.Status < 400:
		if to := page.Header.Get("Location"); strings.HasPrefix(to, "/") {
			w.add(to)
		}
		if !known {
			w.opened[address]++
		}
		return
	case page.Status == 422 && strings.Contains(page.Text(), "too large"): // its text cannot be changed in a browser
	case page.Status >= 500 || page.Status != 200 && !probes && !known && !w.otherBranch(path) && w.b.Cookie("_svc_session") != "":
		w.t.Errorf("%s answers %d: %s", path, page.Status, page.Text())
	case page.Status == 200 && !probes && w.addressOf(page.URL.RequestURI()) == address:
		w.opened[address]++
	}
	if used > w.most {
		w.most, w.largest = used, path
	}
	if used > statementLimit {
		w.t.Errorf("%s takes %d statements, at most %d are allowed", path, used, statementLimit)
	}
	if !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
		w.checkFile(page)
		return
	}
	w.inspect(page, probes, query == "")
}

// inspect checks what a page has, and adds what it links to. If it has filters, it is also opened with hostile ones.
func (w *walk) inspect(page harness.Page, probes, plain bool) {
	root, err := html.Parse(strings.NewReader(page.Body))
	if err != nil {
		w.t.Fatal(err)
	}
	w.checkSize(page, root)
	var filters url.Values
	for node := range root.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		if complaint := unsafe(node); complaint != "" {
			w.t.Errorf("%s has %s", page.URL, complaint)
		}
		if node.Data == "a" && !probes {
			if link := attribute(node, "href"); strings.HasPrefix(link, "/") && !strings.HasPrefix(link, "//") {
				w.add(link)
			}
		}
		if name := attribute(node, "name"); name != "" && name != "authenticity_token" && inSearch(node) {
			if filters == nil {
				filters = url.Values{}
			}
			filters.Set(name, strings.ReplaceAll(hostile, "boom", "probe"))
		}
	}
	if filters != nil && plain {
		w.add(page.URL.Path + "?" + filters.Encode())
		w.add(page.URL.EscapedPath() + "?page=2&" + filters.Encode())
	}
}

// otherBranch reports whether a path is that of a file in another branch than main, which may not have the file.
func (w *walk) otherBranch(path string) bool {
	return inBranch.MatchString(path) && !strings.Contains(path, "/main")
}

var inBranch = regexp.MustCompile(`/-/(tree|blob|blame|commits|raw)/`)

// addressOf returns the pattern of a page, or the path of what is no page of the kit.
func (w *walk) addressOf(path string) string {
	req, err := http.NewRequest(http.MethodGet, w.URL+path, nil) //nolint:noctx // it is never sent
	if err != nil {
		w.t.Errorf("a link leads to %s: %v", path, err)
		return ""
	}
	if address := w.Server.Pages.AddressOf(req); address != "" {
		return address
	}
	return kindOf.FindString(req.URL.Path)
}

// kindOf finds the part of an address that says what a file is.
var kindOf = regexp.MustCompile(`/-/[a-z]+|/api|\.git|^/[a-z]+`)

// attribute returns an attribute of an element.
func attribute(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// inSearch reports whether an input belongs to a form whose fields become parameters of the address.
func inSearch(node *html.Node) bool {
	for up := range node.Ancestors() {
		if up.Data == "form" {
			return strings.EqualFold(attribute(up, "method"), "get") && attribute(up, "role") != "search" || attribute(up, "method") == ""
		}
	}
	return false
}

var (
	forbidden = []string{"style", "iframe", "object", "embed", "base", "frame", "applet", "audio", "video", "math", "template", "portal"}
	addresses = []string{"href", "src", "action", "formaction", "srcset", "poster", "background", "xlink:href", "data", "ping", "cite"}
	safe      = regexp.MustCompile(`^(https?://|mailto:|ssh://|[/?#]|$)`)
)

// unsafe returns what an element has that could run, load or cover something; empty if there is nothing.
func unsafe(node *html.Node) string {
	if slices.Contains(forbidden, node.Data) {
		return "the element " + node.Data
	}
	if src := attribute(node, "src"); node.Data == "script" && (!strings.HasPrefix(src, "/-/assets/") || node.FirstChild != nil) {
		return "a script " + src
	}
	if node.Data == "meta" && attribute(node, "http-equiv") != "" {
		return "a meta element that acts like a header"
	}
	for _, a := range node.Attr {
		key := strings.ToLower(a.Key)
		switch {
		case strings.HasPrefix(key, "on") || key == "style" || key == "srcdoc":
			return fmt.Sprintf("the attribute %s of %s", a.Key, node.Data)
		case slices.Contains(addresses, key) && !safe.MatchString(a.Val):
			return fmt.Sprintf("the address %q in %s", a.Val, node.Data)
		case node.Data == "img" && key == "src" && !ownPicture(a.Val):
			return "a picture from " + a.Val
		case strings.Contains(key, "boom") || strings.ContainsAny(key, "<>\"'"):
			return "a broken attribute " + a.Key
		}
	}
	return ""
}

// ownPicture reports whether the address of a picture is one of the service.
func ownPicture(address string) bool {
	return strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//")
}

// checkSize checks how much a browser loads for a page, and how often it asks.
func (w *walk) checkSize(page harness.Page, root *html.Node) {
	size, requests := len(page.Body), 1
	for node := range root.Descendants() {
		file := ""
		switch {
		case node.Type != html.ElementNode:
		case node.Data == "script":
			file = attribute(node, "src")
		case node.Data == "link" && attribute(node, "rel") == "stylesheet":
			file = attribute(node, "href")
		}
		if file == "" {
			continue
		}
		if _, ok := w.assets[file]; !ok {
			got := w.Browser().Get(file)
			if got.Status != 200 {
				w.t.Errorf("%s answers %d", file, got.Status)
			}
			w.assets[file] = len(got.Body)
		}
		size += w.assets[file]
		requests++
	}
	if size > pageLimit || requests > requestLimit {
		w.t.Errorf("%s has %d bytes in %d requests, at most %d in %d are allowed", page.URL, size, requests, pageLimit, requestLimit)
	}
}

// checkFile checks that a browser does not run what a file contains.
func (w *walk) checkFile(page harness.Page) {
	if page.Header.Get("X-Content-Type-Options") != "nosniff" {
		w.t.Errorf("browsers guess what %s is", page.URL)
	}
	kind, policy := page.Header.Get("Content-Type"), page.Header.Get("Content-Security-Policy")
	runs := strings.Contains(kind, "svg") || strings.Contains(kind, "xml") || strings.Contains(kind, "html")
	if runs && !strings.Contains(policy, "sandbox") && !strings.HasPrefix(page.Header.Get("Content-Disposition"), "attachment") {
		w.t.Errorf("%s is %s and may run, its policy is %q", page.URL, kind, policy)
	}
}
