// Package browser tests the pages in a real Chromium.
package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"svc/tests/harness"
	"svc/tests/wait"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// chromium is the browser that all tests of this package share.
var chromium context.Context

func TestMain(m *testing.M) {
	program, err := findOrInstall()
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	options := append([]chromedp.ExecAllocatorOption{}, chromedp.DefaultExecAllocatorOptions[:]...)
	options = append(options, chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-dev-shm-usage", true), chromedp.WindowSize(1100, 800))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	var stop context.CancelFunc
	chromium, stop = chromedp.NewContext(ctx)
	if err := chromedp.Do(chromium); err != nil {
		fmt.Println("Chromium does not start:", err)
		os.Exit(1)
	}
	code := m.Run()
	stop()
	cancel()
	os.Exit(code)
}

// findOrInstall finds Chromium, or installs Debian's package.
func findOrInstall() (string, error) {
	find := func() string {
		for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
			if path, err := exec.LookPath(name); err == nil {
				return path
			}
		}
		return ""
	}
	if path := find(); path != "" {
		return path, nil
	}
	if _, err := exec.LookPath("apt-get"); err != nil || os.Geteuid() != 0 {
		return "", errors.New("these tests need Chromium, which is not in PATH: install the package chromium")
	}
	out, err := exec.Command("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-y", "install", "chromium").CombinedOutput()
	if path := find(); path != "" {
		return path, nil
	}
	return "", fmt.Errorf("these tests need Chromium, and apt-get cannot install it (%w): %s", err, out)
}

// tab is a browser window of its own, without cookies.
type tab struct {
	t   *testing.T
	h   *harness.H
	ctx context.Context
}

func open(t *testing.T, h *harness.H) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(chromium, chromedp.WithNewBrowserContext())
	ctx, stop := context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(func() { stop(); cancel() })
	if err := chromedp.Do(ctx); err != nil { // the window lives as long as the context of its first action
		t.Fatal(err)
	}
	return &tab{t: t, h: h, ctx: ctx}
}

func (b *tab) run(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 2*time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("%v at %s:\n%s", err, get(b, chromedp.Location()), get(b, chromedp.Text(chromedp.CSS("body"))))
	}
}

// get runs an action and returns its result.
func get[T any](b *tab, a chromedp.Action[T]) T {
	b.t.Helper()
	found, err := chromedp.Run(b.ctx, a)
	if err != nil {
		b.t.Fatal(err)
	}
	return found
}

// visit opens a page and waits for its heading.
func (b *tab) visit(path string) {
	b.t.Helper()
	b.run(chromedp.Navigate(b.h.URL+path), chromedp.WaitVisible(chromedp.CSS("h1")))
}

// fill types texts into the form with the given action, and submits it. Names of fields and texts alternate in pairs;
// the text "check" clicks the field. The next page must have the given heading.
func (b *tab) fill(action, heading string, pairs ...string) {
	b.t.Helper()
	form := `form[action="` + action + `"] `
	for i := 0; i+1 < len(pairs); i += 2 {
		field := form + `[name="` + pairs[i] + `"]`
		if pairs[i+1] == "check" {
			b.run(chromedp.Click(chromedp.CSS(field)))
			continue
		}
		b.run(chromedp.SendKeys(chromedp.CSS(field), pairs[i+1]))
	}
	b.press(form+"button", heading)
}

// press clicks a button and waits for a page with the given heading.
func (b *tab) press(button, heading string) {
	b.t.Helper()
	b.leave(fmt.Sprintf(" === %q", heading), chromedp.Click(chromedp.CSS(button)))
}

// leave runs a step that opens another page, and waits for the page. The heading of the page, in a script followed by the
// given condition, must make it true.
func (b *tab) leave(condition string, step chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	before := get(b, chromedp.Evaluate[float64]("performance.timeOrigin")) // identifies this page, because the next one may look the same
	b.run(step)
	b.until(fmt.Sprintf(
		`performance.timeOrigin > %f && document.readyState === "complete" && (document.querySelector("h1")?.textContent ?? "")%s`,
		before, condition,
	))
}

// until waits until a script returns true. If it never does, the test also logs the page.
func (b *tab) until(script string) {
	b.t.Helper()
	ok := false
	defer func() {
		if !ok {
			b.t.Logf("the page is %s:\n%s", get(b, chromedp.Location()), b.text("body"))
		}
	}()
	wait.Until(b.t, "the page fulfils "+script, func() bool {
		result, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](script))
		ok = err == nil && result // between two pages a script fails
		return ok
	})
}

// link returns the first link of the page whose address has the given part.
func (b *tab) link(part string) string {
	b.t.Helper()
	return get(b, chromedp.Evaluate[string](fmt.Sprintf(`document.querySelector('main a[href*="%s"]').getAttribute("href")`, part)))
}

func (b *tab) text(selector string) string {
	b.t.Helper()
	return get(b, chromedp.Text(chromedp.CSS(selector)))
}

func (b *tab) number(script string) float64 {
	b.t.Helper()
	return get(b, chromedp.Evaluate[float64](script))
}

// screenshot saves screenshots of the page in the folder that SVC_SCREENSHOTS names: light, dark, and as wide as a phone.
func (b *tab) screenshot(name string) {
	b.t.Helper()
	folder := os.Getenv("SVC_SCREENSHOTS")
	if folder == "" {
		return
	}
	for _, look := range []struct {
		name, scheme string
		width        int64
	}{{"light", "light", 1100}, {"dark", "dark", 1100}, {"phone", "light", 375}} {
		_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look.scheme}},
		})
		if err != nil {
			b.t.Fatal(err)
		}
		b.run(chromedp.EmulateViewport(look.width, 800))
		png := get(b, chromedp.FullScreenshot(100))
		if err := os.WriteFile(filepath.Join(folder, name+"-"+look.name+".png"), png, 0o600); err != nil {
			b.t.Fatal(err)
		}
	}
	b.run(chromedp.ResetViewport())
}
