package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/tests/harness"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A reader comes by the keyboard from the start page over the search to an operation.
func TestAReaderFindsAnOperation(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := open(t, h)
	b.visit("/-/docs")
	b.shots("docs-start")
	b.run(chromedp.KeyEvent("/"))
	b.until(`document.activeElement?.id === "q"`)
	b.run(chromedp.KeyEvent("merge a merge request" + kb.Enter))
	b.until(`document.querySelector("h1")?.textContent.startsWith("Search for") && document.readyState === "complete"`)
	b.shots("docs-search")
	const result = `.results a[href$="#mergeprojectmergerequest"]`
	b.run(chromedp.Click(chromedp.CSS(result)))
	b.until(`document.querySelector("h2:target")?.textContent === "mergeProjectMergeRequest" && document.readyState === "complete"`)
	if text := b.text("main"); !strings.Contains(text, "PUT /projects/{id}/merge_requests/{merge_request_iid}/merge") ||
		!strings.Contains(text, "curl --request PUT") {
		t.Error("the page does not show the operation")
	}
	if n := b.number(`document.querySelectorAll(".code .copy").length`); n < 10 {
		t.Errorf("%v blocks of code can be copied", n)
	}
	if there := b.number(`document.querySelectorAll('a[href="/-/explorer/mergeProjectMergeRequest"]').length`); there != 1 {
		t.Errorf("%v links lead to the explorer", there)
	}
	b.shots("docs-operation")
}

// No page of the documentation is wider than a phone.
func TestTheDocumentationFitsOnAPhone(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := open(t, h)
	for _, path := range []string{
		"/-/docs", "/-/docs/settings", "/-/docs/first-steps", "/-/docs/abilities", "/-/docs/api", "/-/docs/api/users",
		"/-/docs/search?q=merge", "/-/docs/nothing",
	} {
		b.run(chromedp.EmulateViewport(390, 844))
		b.visit(path)
		if width := b.number("document.documentElement.scrollWidth"); width > 390 {
			t.Errorf("%s is %v wide", path, width)
		}
		b.shots("docs" + strings.NewReplacer("/", "-", "?", "-", "=", "-").Replace(strings.TrimPrefix(path, "/-/docs")))
	}
}

// shots saves screenshots of the visible part of a page in the folder that SVC_SCREENSHOTS names: wide and as wide as a
// phone, light and dark.
func (b *tab) shots(name string) {
	b.t.Helper()
	folder := os.Getenv("SVC_SCREENSHOTS")
	if folder == "" {
		return
	}
	for _, scheme := range []string{"light", "dark"} {
		_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		if err != nil {
			b.t.Fatal(err)
		}
		for size, width := range map[string]int64{"1280": 1280, "390": 390} {
			b.run(chromedp.EmulateViewport(width, 900))
			png := get(b, chromedp.CaptureScreenshot())
			if err := os.WriteFile(filepath.Join(folder, name+"-"+size+"-"+scheme+".png"), png, 0o600); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	b.run(chromedp.ResetViewport())
}
