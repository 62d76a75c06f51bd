package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

//go:embed templates
var templates embed.FS

// policy lets a page load our style sheet, scripts and images and nothing else, and forbids all framing.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none';"

// shared are the templates of the kit that every page can use.
var shared = []string{
	"templates/layout.html", "templates/form.html", "templates/parts.html", "templates/diff.html", "templates/lists.html",
}

// Templates holds the templates of a package, each parsed when it is first needed.
type Templates struct {
	files  fs.FS
	common []string
	mu     sync.Mutex
	parsed map[string]*template.Template
}

// NewTemplates returns the templates of a package, which has them as templates/<name>.html in an embedded folder. A page
// defines "page", and "head" if its head needs more. The files in common are added to every page of the package.
func NewTemplates(files fs.FS, common ...string) *Templates {
	return &Templates{files: files, common: common, parsed: map[string]*template.Template{}}
}

// get returns the template of a page inside the layout. A page that the package does not have is one of the kit.
func (t *Templates) get(name string) (*template.Template, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if parsed := t.parsed[name]; parsed != nil {
		return parsed, nil
	}
	parsed, err := template.New("layout.html").Funcs(functions).ParseFS(templates, shared...)
	if err != nil {
		return nil, fmt.Errorf("read the layout: %w", err)
	}
	file := "templates/" + name + ".html"
	if _, missing := fs.Stat(t.files, file); missing != nil {
		parsed, err = parsed.ParseFS(templates, file)
	} else {
		all := []string{file}
		for _, other := range t.common {
			all = append(all, "templates/"+other+".html")
		}
		parsed, err = parsed.ParseFS(t.files, all...)
	}
	if err != nil {
		return nil, fmt.Errorf("read the page %s: %w", name, err)
	}
	t.parsed[name] = parsed
	return parsed, nil
}

// View is a page to show.
type View struct {
	Templates *Templates // of the package; nil for a page of the kit
	Name      string     // of the template
	Status    int        // 200 unless it is set
	Title     string     // of the window, and usually the heading
	Tab       Tab        // the tab of the project or group that is marked as the current one
	Crumbs    []Link     // where the page is, from the project or group downward, without the page itself
	Nav       []NavGroup // the side navigation; that of the section unless it is set
	Wide      bool       // the page uses the whole width, for code and diffs
	Scripts   []string   // names of further files of ours in static/, such as "follow.js"
	Data      any        // the template sees it as .Page
}

// Link is a link with its words.
type Link struct {
	Path, Label string
	Here        bool   // it leads to this page
	Key         string // its keyboard shortcut, such as "g i"
}

// frame is what the layout shows around a page.
type frame struct {
	View

	Style, Script, Icon, Token, Path, SignIn string
	User                                     *model.Caller // nil for an anonymous visitor
	Flash                                    *Flash
	Due                                      *time.Time // when the user must have turned on the second factor
	Menu                                     []Link     // of the whole service
	Search                                   string     // the address of the search; empty if there is none
	Head                                     *heading   // of a project or group
	Help                                     string     // the address of the help page
	Pushes                                   bool       // the user may change the code of the project
	Forks                                    bool       // the user may fork the project
	Brand                                    Brand      // what administrators add to the pages
	Broadcasts                               []Broadcast
	Page                                     any
}

// Show responds with a page.
func (v *Visit) Show(view View) error {
	if view.Templates == nil {
		view.Templates = v.kit.own
	}
	t, err := view.Templates.get(view.Name)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := t.Execute(&page, v.frame(view)); err != nil {
		return fmt.Errorf("show the page %s: %w", view.Name, err)
	}
	status := max(view.Status, http.StatusOK)
	h := v.Response().Header()
	apierr.SetCode(h, apierr.CodeOf(status))
	h.Set("Content-Security-Policy", policy+v.Policy)
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Cookie")
	return v.HTMLBlob(status, page.Bytes())
}

// frame returns what the layout shows around a page.
func (v *Visit) frame(view View) frame {
	for i, name := range view.Scripts {
		view.Scripts[i] = AssetPath(name)
	}
	f := frame{
		View: view, Style: AssetPath("style.css"), Script: AssetPath("page.js"), Icon: AssetPath("icon.svg"), Token: v.Token(),
		Path: v.Request().URL.Path, Flash: v.TakeFlash(), Due: v.Due, Menu: v.menu(), Head: v.heading(view), Page: view.Data,
		SignIn: "/users/sign_in", Brand: v.brand(), Broadcasts: v.broadcasts(),
	}
	if v.Actor != nil {
		f.User = &v.Actor.User
		if view.Nav == nil {
			f.Nav = v.sectionNav()
		}
	} else if reads(v.Request().Method) && f.Path != "/" && f.Path != f.SignIn {
		f.SignIn = v.signInPath()
	}
	if v.Project != nil {
		f.Pushes = v.May(access.PushCode)
		f.Forks = v.Project.MayFork() && v.May(access.ForkProject)
	}
	if v.kit.fixed[searchPath] {
		f.Search = searchPath
	}
	if v.kit.fixed[helpPath] {
		f.Help = helpPath
	}
	return f
}

// Check reads all templates of the package; every package of pages has a test that calls it.
func (t *Templates) Check() error {
	names, err := fs.Glob(t.files, "templates/*.html")
	if err != nil {
		return err
	}
	for _, name := range names {
		name = strings.TrimSuffix(path.Base(name), ".html")
		if slices.Contains(t.common, name) || slices.Contains(shared, "templates/"+name+".html") {
			continue
		}
		if _, err := t.get(name); err != nil {
			return err
		}
	}
	return nil
}

// Write writes a page as an anonymous visitor would see it, without a request; for tests of templates.
func (t *Templates) Write(to io.Writer, view View) error {
	parsed, err := t.get(view.Name)
	if err != nil {
		return err
	}
	return parsed.Execute(to, frame{View: view, Page: view.Data})
}

// LeadAnywhere lets the forms of this page end, by redirects, at another site. Browsers apply the page's policy to all
// redirects of a form, and authorizing an application ends at that application.
func (v *Visit) LeadAnywhere() { v.Policy = "" }
