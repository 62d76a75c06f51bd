package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"svc/gen"
	"svc/server/platform/config"
	"svc/server/transport/middleware/limit"
)

// guideText returns a guide.
func guideText(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("../../docs/" + name + ".md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// published is the part of the document that the guides repeat.
type published struct {
	Paths      map[string]map[string]json.RawMessage
	Components struct {
		Schemas map[string]struct{ Enum []any }
	}
}

func readDocument(t *testing.T) published {
	t.Helper()
	var doc published
	if err := json.Unmarshal(gen.SpecJSON, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// extensions returns the values of an extension of the operations.
func extensions(t *testing.T, name string) []string {
	t.Helper()
	var values []string
	for _, item := range readDocument(t).Paths {
		for _, raw := range item {
			var op map[string]any
			if json.Unmarshal(raw, &op) != nil { // the parameters or servers of the path
				continue
			}
			switch value := op[name].(type) {
			case string:
				values = append(values, value)
			case float64:
				values = append(values, strconv.FormatFloat(value, 'f', 0, 64))
			}
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// The page about limits has every limit of single operations with its default and its setting.
func TestThePageOfLimitsIsComplete(t *testing.T) {
	t.Parallel()
	page := guideText(t, "limits")
	cfg, err := config.Load(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{} // by setting
	for _, m := range regexp.MustCompile("(?m)^\\|(.*)\\|(.*)\\|(.*)\\| `(--limit-[a-z-]+)` \\|$").FindAllStringSubmatch(page, -1) {
		rows[m[4]] = m[1:4]
	}
	inDocument := extensions(t, "x-limit")
	for name, most := range cfg.Limits() {
		setting := "--limit-" + strings.ReplaceAll(name, "_", "-")
		row := rows[setting]
		if row == nil {
			t.Errorf("docs/limits.md does not have %s", setting)
			continue
		}
		delete(rows, setting)
		want := fmt.Sprintf("%d a minute", most)
		if minutes := limit.Named[name].Window.Minutes(); minutes != 1 {
			want = fmt.Sprintf("%d in %.0f minutes", most, minutes)
		}
		if most == 0 {
			want = "off"
		}
		if got := strings.TrimSpace(row[2]); got != want {
			t.Errorf("docs/limits.md says %q about %s, the program has %q", got, setting, want)
		}
		label := strings.Trim(strings.TrimSpace(row[0]), "`")
		if slices.Contains(inDocument, name) != (label == name) {
			t.Errorf("docs/limits.md calls %s %q; the document has %v", setting, label, inDocument)
		}
	}
	for setting := range rows {
		t.Errorf("docs/limits.md has %s, which is not a setting", setting)
	}
	for _, size := range extensions(t, "x-max-body") {
		var n int64
		if _, err := fmt.Sscan(size, &n); err != nil {
			t.Fatal(err)
		}
		if n >= 1<<40 { // a setting limits it
			continue
		}
		shown := fmt.Sprintf("| %d MiB |", n>>20)
		if n < 1<<20 {
			shown = fmt.Sprintf("| %d KiB |", n>>10)
		}
		if !strings.Contains(page, shown) {
			t.Errorf("docs/limits.md has no row for bodies of %s bytes (%s)", size, shown)
		}
	}
}

// The page about events has every action of events and every level of notifications, and no others.
func TestThePageOfEventsIsComplete(t *testing.T) {
	t.Parallel()
	page := guideText(t, "events")
	doc := readDocument(t)
	section := func(title, head string) []string {
		_, rest, found := strings.Cut(page, "\n## "+title+"\n")
		_, rest, below := strings.Cut(rest, head)
		if !found || !below {
			t.Fatalf("docs/events.md has no table %s in %s", head, title)
		}
		table, _, _ := strings.Cut(rest, "\n\n")
		var names []string
		for line := range strings.Lines(table) {
			if cells := strings.Split(line, "|"); len(cells) > 2 {
				for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(cells[1], -1) {
					names = append(names, m[1])
				}
			}
		}
		slices.Sort(names)
		return names
	}
	for _, c := range []struct{ schema, title, head string }{
		{"EventAction", "Activity events", "| `action` |"},
		{"NotificationLevel", "Notifications by mail", "| `level` |"},
	} {
		var want []string
		for _, value := range doc.Components.Schemas[c.schema].Enum {
			want = append(want, fmt.Sprint(value))
		}
		slices.Sort(want)
		if got := section(c.title, c.head); len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("docs/events.md has %v in %s, the document %v", got, c.title, want)
		}
	}
	_, todos, _ := strings.Cut(page, "\n## To-do items\n")
	todos, _, _ = strings.Cut(todos, "\n## ")
	actions := regexp.MustCompile("\\(`([a-z_]+)`|, or `([a-z_]+)` at").FindAllStringSubmatch(todos, -1)
	if len(actions) < 5 {
		t.Errorf("docs/events.md names %v", actions)
	}
	for _, m := range actions {
		if name := m[1] + m[2]; !slices.Contains(doc.Components.Schemas["TodoAction"].Enum, any(name)) {
			t.Errorf("docs/events.md has %s, which is no action of a to-do item", name)
		}
	}
}

// maxDocument is the largest size of a page of the documentation, as Markdown and as HTML.
const maxDocument = 100_000

// Pages on a git host are small, and their prose fits into 120 columns.
func TestPagesOfTheReferenceAreSmallAndWrapped(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../docs/*/*.md")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	guides, _ := filepath.Glob("../../docs/*.md")
	for _, file := range slices.Concat(files, guides) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) >= maxDocument {
			t.Errorf("%s has %d bytes", file, len(data))
		}
		for line := range bytes.Lines([]byte(fenced.ReplaceAllString(string(data), ""))) {
			if n := len([]rune(string(line))) - 1; n > 120 && line[0] != '|' && bytes.ContainsRune(line[1:min(120, len(line))], ' ') {
				t.Errorf("%s has a line of %d columns: %s", file, n, line)
			}
		}
	}
}
