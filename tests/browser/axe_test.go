package browser

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// axeVersion is the version of axe-core that checks pages.
const axeVersion = "4.14.0"

// axeSource returns the script of axe-core: the file that SVC_TEST_AXE names, or the package of the npm registry, which
// is stored in the user's cache.
var axeSource = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("SVC_TEST_AXE"); path != "" {
		data, err := os.ReadFile(path)
		return string(data), err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "svc-tests", "axe-core-"+axeVersion)
	path := filepath.Join(folder, "axe.min.js")
	if data, err := os.ReadFile(path); err == nil {
		return string(data), nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	source, err := downloadAxe(folder)
	if err != nil {
		return "", fmt.Errorf("there is no axe-core to test with; name axe.min.js in SVC_TEST_AXE, or let npm reach its registry: %w", err)
	}
	scratch := path + fmt.Sprint(".", os.Getpid())
	if err := os.WriteFile(scratch, []byte(source), 0o600); err != nil {
		return "", err
	}
	return source, os.Rename(scratch, path)
})

// downloadAxe gets the package with npm, and returns its script.
func downloadAxe(folder string) (string, error) {
	cmd := exec.CommandContext(context.Background(), "npm", "pack", "--silent", "axe-core@"+axeVersion)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	file, err := os.Open(filepath.Join(folder, strings.TrimSpace(string(out))))
	if err != nil {
		return "", err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return "", err
	}
	for files := tar.NewReader(unzipped); ; {
		entry, err := files.Next()
		if err != nil {
			return "", errors.Join(errors.New("the package has no axe.min.js"), err)
		}
		if entry.Name == "package/axe.min.js" {
			data, err := io.ReadAll(files)
			return string(data), err
		}
	}
}

// removeAlike removes lines of code, changes and logs after the first ones: they are alike, and axe-core takes long for them.
const removeAlike = `document.querySelectorAll(
	".code > div:nth-child(n+40), .diff .lines > div:not(.below):nth-child(n+80), .log .l:nth-child(n+40)",
).forEach((line) => line.remove())`

// axeFindings runs axe-core in the page, and returns each violation with the elements that have it. Only few rules depend on
// colors, so dark pages are checked with these.
func axeFindings(scheme string) string {
	rules := "undefined"
	if scheme == "dark" {
		rules = `["color-contrast", "link-in-text-block"]`
	}
	return `axe.run(document, { resultTypes: ["violations"], preload: false, runOnly: ` + rules + ` }).then((result) =>
		result.violations.map((v) => v.id + ": " + v.help + " " +
			v.nodes.slice(0, 5).map((n) => n.target.join(" ") + " " + n.html.slice(0, 200)).join(" | ")))`
}

// shown is a page that tests open, with the name of its screenshots.
type shown struct{ path, name string }

// accessible opens pages that exist, whose paths begin with root. It checks their sizes, and that they fit and axe-core finds no
// violation when they are wide and as wide as a phone, light and dark. With SVC_SCREENSHOTS set, it saves screenshots.
func (b *tab) accessible(root string, pages []shown) {
	b.t.Helper()
	for _, page := range pages {
		page.path = root + page.path
		b.look(1280, "light")
		b.visit(page.path)
		if status := b.number(`performance.getEntriesByType("navigation")[0].responseStatus`); status != 200 {
			b.t.Errorf("%s has the status %v", page.path, status)
		}
		b.accessibleHere(page)
	}
}

// accessibleHere checks the page that is open.
func (b *tab) accessibleHere(page shown) {
	b.t.Helper()
	axe, err := axeSource()
	if err != nil {
		b.t.Fatal(err)
	}
	checkPageSize(b, page.path)
	b.run(chromedp.Evaluate[chromedp.Void](removeAlike), chromedp.Evaluate[chromedp.Void](axe+"; undefined"))
	for _, width := range []int64{1280, 390} {
		for _, scheme := range []string{"light", "dark"} {
			b.look(width, scheme)
			checkWidth(b, page.path)
			for _, found := range get(b, chromedp.Evaluate[[]string](axeFindings(scheme), chromedp.EvalAwaitPromise)) {
				b.t.Errorf("%s, %d wide, %s: %s", page.path, width, scheme, found)
			}
			b.save(fmt.Sprintf("%s-%d-%s", page.name, width, scheme))
		}
	}
	b.run(chromedp.ResetViewport())
}

// look sets the width of the window and the preferred colors.
func (b *tab) look(width int64, scheme string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.run(chromedp.EmulateViewport(width, 900))
}

// save saves a screenshot of the page as it is, in the folder that SVC_SCREENSHOTS names.
func (b *tab) save(name string) {
	b.t.Helper()
	folder := os.Getenv("SVC_SCREENSHOTS")
	if folder == "" {
		return
	}
	png := get(b, chromedp.FullScreenshot(100))
	if err := os.WriteFile(filepath.Join(folder, name+".png"), png, 0o600); err != nil {
		b.t.Fatal(err)
	}
}
