package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// set changes an input as a person would, and lets the page notice it.
func (b *tab) set(name, value string) {
	b.t.Helper()
	script := fmt.Sprintf(`(() => {
		const c = document.getElementsByName(%q)[0];
		c.value = %q;
		c.dispatchEvent(new Event("input", { bubbles: true }));
		c.dispatchEvent(new Event("change", { bubbles: true }));
		return true;
	})()`, name, value)
	get(b, chromedp.Evaluate[bool](script))
}

// send presses the button of an operation and waits for a status.
func (b *tab) send(status string) {
	b.t.Helper()
	get(b, chromedp.Evaluate[bool](`(document.getElementById("status").textContent = "", true)`))
	b.run(chromedp.Click(chromedp.CSS("#send")))
	b.until(fmt.Sprintf(`document.getElementById("status").textContent.startsWith(%q)`, status))
}

// width gives the window a width and a color scheme.
func (b *tab) width(pixels int64, scheme string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.run(chromedp.EmulateViewport(pixels, 900))
}

// shoot checks that a page is not wider than a desktop and a phone, and takes screenshots if SVC_SCREENSHOTS is set.
func (b *tab) shoot(name string) {
	b.t.Helper()
	for _, pixels := range []int64{1280, 390} {
		for _, scheme := range []string{"light", "dark"} {
			b.width(pixels, scheme)
			if wide := b.number(`document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
				b.t.Errorf("%s is %v too wide at %d", name, wide, pixels)
			}
			folder := os.Getenv("SVC_SCREENSHOTS")
			if folder == "" {
				continue
			}
			png := get(b, chromedp.FullScreenshot(100))
			file := filepath.Join(folder, fmt.Sprintf("%s-%d-%s.png", name, pixels, scheme))
			if err := os.WriteFile(file, png, 0o600); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	b.run(chromedp.ResetViewport())
}

func TestTheExplorerFindsAnOperationAndSendsIt(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	b := open(t, h)
	signIn(b, u.User, "Your projects")
	b.visit("/-/explorer")
	b.shoot("list")
	b.run(chromedp.SendKeys(chromedp.CSS("#q"), "current user status"))
	b.until(`document.querySelector('#results a[href="/-/explorer/getCurrentUserStatus"]') !== null && location.search.includes("status")`)
	b.shoot("search")
	b.visit("/-/explorer?area=issues")
	b.shoot("area")
	b.visit("/-/explorer?q=getCurrentUser")
	b.run(chromedp.Click(chromedp.CSS(`a[href="/-/explorer/getCurrentUser"]`)), chromedp.WaitVisible(chromedp.CSS("#curl")))
	b.send("200")
	if body := b.text("#content"); !strings.Contains(body, `"username": "`+u.User.Username+`"`) {
		t.Errorf("the answer is %s", body)
	}
	if size := b.text("#size"); !strings.Contains(size, " ms, ") {
		t.Errorf("the size is %q", size)
	}
	if command := b.text("#curl"); command != "curl --header \"PRIVATE-TOKEN: $TOKEN\" \\\n  "+h.URL+"/api/v4/user" {
		t.Errorf("the command is %s", command)
	}
	b.shoot("answer")
}

// Parameters that are empty are not sent; the pages of a list are buttons.
func TestTheExplorerSendsOnlyWhatIsFilledIn(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	g := h.Group()
	h.Join(g, u.User, model.Owner)
	for i := range 3 {
		h.Project(g.ID, func(p *model.Project) { p.Path, p.Name = fmt.Sprint("p", i), fmt.Sprint("p", i) })
	}
	b := open(t, h)
	signIn(b, u.User, "Your projects")
	b.visit("/-/explorer/listProjects")
	b.send("200")
	if command := b.text("#curl"); strings.Contains(command, "?") || strings.Contains(command, "custom_attributes") {
		t.Errorf("nothing was filled in: %s", command)
	}
	b.shoot("get")
	b.set("query.per_page", "1")
	b.set("query.order_by", "id")
	b.set("query.sort", "asc")
	b.set("query.owned", "true")
	b.set("query.topic", "a,b c")
	b.until(`document.getElementById("curl").textContent.includes("topic=a%2Cb%20c")`)
	b.set("query.topic", "")
	b.send("200")
	if body := b.text("#content"); !strings.Contains(body, `"path": "p0"`) || strings.Contains(body, `"path": "p1"`) {
		t.Errorf("the first page is %s", body)
	}
	b.run(chromedp.Click(chromedp.Search(`//p[@id="pages"]/button[text()="next"]`)))
	b.until(`document.getElementById("content").textContent.includes('"path": "p1"')`)
	if command := b.text("#curl"); !strings.Contains(command, "page=2") {
		t.Errorf("the command is %s", command)
	}
	b.set("query.custom_attributes", "no pair")
	b.send("Not sent")
	if hint := b.text("#hint"); !strings.Contains(hint, "name=value") {
		t.Errorf("the page says %s", hint)
	}
}

func TestTheExplorerWritesWithTheSession(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	g := h.Group()
	h.Join(g, u.User, model.Owner)
	p := h.Project(g.ID)
	b := open(t, h)
	signIn(b, u.User, "Your projects")
	b.visit("/-/explorer/createProjectIssue")
	b.set("path.id", p.FullPath)
	b.set("text", `{"title": `)
	b.send("Not sent")
	if wrong := b.text("#text-error"); !strings.Contains(wrong, "This is not JSON") {
		t.Errorf("the page says %q", wrong)
	}
	const title = `It's "<b>new</b>"`
	body, err := json.Marshal(map[string]string{"title": title})
	if err != nil {
		t.Fatal(err)
	}
	b.set("text", string(body))
	b.run(chromedp.Focus(chromedp.CSS("#text")), chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	b.until(`document.getElementById("status").textContent.startsWith("201")`)
	b.shoot("post")
	list := u.Send("GET", "/projects/"+strings.ReplaceAll(p.FullPath, "/", "%2F")+"/issues", "")
	var issues []struct{ Title string }
	if err := json.Unmarshal([]byte(list.Body), &issues); err != nil || len(issues) != 1 || issues[0].Title != title {
		t.Errorf("the issues are %s", list.Body)
	}
	if command := b.text("#curl"); !strings.Contains(command, `--data '{"title":"It'\''s`) || !strings.Contains(command, "%2F") {
		t.Errorf("the command is %s", command)
	}
	b.visit("/-/explorer/deleteProjectIssue")
	b.set("path.id", p.FullPath)
	b.set("path.issue_iid", "1")
	b.run(chromedp.Click(chromedp.CSS("#send")), chromedp.WaitVisible(chromedp.CSS("#sure")))
	b.shoot("sure")
	b.run(chromedp.Click(chromedp.CSS("#sure-no")))
	if got := u.Send("GET", fmt.Sprintf("/projects/%d/issues/1", p.ID), ""); got.Status != 200 {
		t.Errorf("it was deleted without a yes: %d", got.Status)
	}
	b.run(chromedp.Click(chromedp.CSS("#send")), chromedp.WaitVisible(chromedp.CSS("#sure")), chromedp.Click(chromedp.CSS("#sure-yes")))
	b.until(`document.getElementById("status").textContent.startsWith("204")`)
}

func TestTheExplorerMakesATokenAndUsesIt(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	b := open(t, h)
	signIn(b, u.User, "Your projects")
	b.visit("/-/explorer/getPersonalAccessTokenSelf")
	b.run(chromedp.Click(chromedp.CSS("#make")))
	b.until(`document.getElementById("token").value.startsWith("svcpat-")`)
	b.shoot("token")
	b.send("200")
	if body := b.text("#content"); !strings.Contains(body, `"name": "API explorer: getPersonalAccessTokenSelf"`) {
		t.Errorf("the answer is %s", body)
	}
	token := get(b, chromedp.Value(chromedp.CSS("#token")))
	// The token stays in this tab: another operation has it, and knows that it is not enough.
	b.visit("/-/explorer/createProject")
	if kept := get(b, chromedp.Value(chromedp.CSS("#token"))); kept != token || !strings.Contains(b.text("#token-note"), "needs api") {
		t.Errorf("the token is %q, the page says %q", kept, b.text("#token-note"))
	}
	b.send("403")
	if hint := b.text("#hint"); !strings.Contains(hint, "insufficient_scope") {
		t.Errorf("the page says %s", hint)
	}
	stored := get(b, chromedp.Evaluate[string](`JSON.stringify(localStorage) + document.cookie`))
	if strings.Contains(stored, "svcpat-") {
		t.Errorf("the token is kept beyond the tab: %s", stored)
	}
}

func TestTheExplorerShowsTheHintOfAnError(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	b := open(t, h)
	b.visit("/-/explorer/listProjects")
	b.set("who", "token")
	b.send("Not sent")
	b.set("token", h.WithToken(u.User, "api").Token)
	b.set("query.min_access_level", "")
	get(b, chromedp.Evaluate[bool](`(() => {
		const c = document.getElementsByName("query.order_by")[0], o = c.appendChild(document.createElement("option"));
		o.value = "nonsense";
		c.value = "nonsense";
		return true;
	})()`))
	b.send("400")
	hint := b.text("#hint")
	if !strings.Contains(hint, "order_by does not have a valid value") || !strings.Contains(hint, "last_activity_at") {
		t.Errorf("the page says %s", hint)
	}
	b.shoot("error")
}

func TestTheExplorerUploadsAFile(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 32, 32))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "me.png")
	if err := os.WriteFile(file, picture.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	b := open(t, h)
	signIn(b, u.User, "Your projects")
	b.visit("/-/explorer/updateCurrentUserAvatar")
	b.send("Not sent")
	b.run(chromedp.SetUploadFiles(chromedp.CSS(`[name="body.avatar"]`), []string{file}))
	b.send("200")
	if body := b.text("#content"); !strings.Contains(body, "/uploads/-/system/user/avatar/") {
		t.Errorf("the answer is %s", body)
	}
	b.shoot("upload")
	// A file beside JSON: the members of the JSON are sent with it.
	b.visit("/-/explorer/createProject")
	b.set("text", `{"name": "with picture", "topics": ["a", "b"], "container_expiration_policy_attributes": {"enabled": false}}`)
	b.run(chromedp.SetUploadFiles(chromedp.CSS(`[name="body.avatar"]`), []string{file}))
	b.send("201")
	if body := b.text("#content"); !strings.Contains(body, "/uploads/-/system/project/avatar/") ||
		!strings.Contains(body, "\"topics\": [\n    \"a\",\n    \"b\"\n  ]") {
		t.Errorf("the answer is %s", body)
	}
}
