package page

import (
	"fmt"
	"html/template"
	"net/url"
	"strings"
	"time"
)

// functions are what templates can call.
var functions = template.FuncMap{
	"day":  func(t time.Time) string { return t.UTC().Format("2 January 2006") },
	"when": func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") },
	"iso":  func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"button": func(f frame, action, label, class string) Button {
		return Button{token: f.Token, Action: action, Label: label, Class: class}
	},
	"withButton": func(f frame, b Button) Button { b.token = f.Token; return b },
	"withForm":   func(f frame, form Form) formView { return formView{f.Token, form} },
	"asset":      AssetPath,
	"size":       Size,
	"count":      Count,
	"short":      Short,
	"escape":     EscapePath,
	"clip":       Clip,
	"fit":        Fit,
	"add":        func(a, b int) int { return a + b },
	"dict":       dict,
	"empty":      func(text string, next ...string) emptyView { return emptyView{text, next} },
	"copy":       func(id, label, value string) copyView { return copyView{id, label, value} },
}

// dict returns the input of a template that needs several values: names and values alternate.
func dict(pairs ...any) (map[string]any, error) {
	all := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("%v is not a name", pairs[i])
		}
		all[name] = pairs[i+1]
	}
	return all, nil
}

// formView is the input of the template of a form.
type formView struct {
	Token string
	Form  Form
}

// emptyView is a list without entries: what is missing, and the commands that add the first entry.
type emptyView struct {
	Text string
	Next []string
}

// copyView is a text with a button that copies it.
type copyView struct{ ID, Label, Value string }

// Size returns a number of bytes for people.
func Size(bytes int64) string {
	const step = 1024
	if bytes < step {
		return fmt.Sprintf("%d B", bytes)
	}
	value, units := float64(bytes)/step, []string{"KiB", "MiB", "GiB", "TiB"}
	for len(units) > 1 && value >= step {
		value, units = value/step, units[1:]
	}
	return fmt.Sprintf("%.1f %s", value, units[0])
}

// Count returns a number with its noun: "1 commit", "3 commits", "3 days".
func Count(n any, noun string) string {
	text := fmt.Sprint(n)
	if text == "1" {
		return "1 " + noun
	}
	switch {
	case strings.HasSuffix(noun, "s") || strings.HasSuffix(noun, "ch"):
		noun += "es"
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ay"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	default:
		noun += "s"
	}
	return text + " " + noun
}

// Short returns the beginning of a commit ID.
func Short(id string) string { return id[:min(len(id), 8)] }

// EscapePath escapes the name of a branch or a file for an address; slashes stay.
func EscapePath(path string) string { return strings.ReplaceAll(url.PathEscape(path), "%2F", "/") }

// EscapeSegment escapes a name for one part of an address; slashes are escaped, too.
func EscapeSegment(name string) string { return url.PathEscape(name) }

// Clip shortens a text that may be longer than a page can show: authors of commits choose names and titles of any length.
func Clip(most int, text string) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// Fit shortens a text like Clip, so that its HTML has at most the given number of bytes.
func Fit(most int, text string) string {
	if len(text) > most {
		text = Clip(most, text)
	}
	for htmlSize(text) > most+len("…") {
		text = Clip(max(0, len(text)*9/10-len("…")), text)
	}
	return text
}

// htmlSize returns how many bytes the HTML of a text has.
func htmlSize(text string) int {
	size := len(text)
	for _, escaped := range []string{"<", ">", "&", `"`, "'", "+"} {
		size += 4 * strings.Count(text, escaped)
	}
	return size
}
