// Package highlight turns source code into HTML in which words of a kind have a class, so that a style sheet can color
// them. The result has no styles of its own, and it is safe whatever the code contains.
//
//	highlight.go  highlighting, and the cache
//	class.go      the classes
package highlight

import (
	"context"
	"html/template"
	"path"
	"runtime"
	"strings"
	"time"

	"svc/store/cache"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

const (
	// MaxBytes is the size up to which code is highlighted. Larger code is shown without colors.
	MaxBytes = 1 << 20
	// maxLine is the length of a line up to which a file is highlighted: longer lines are generated, and slow to read.
	maxLine = 5000
	// patience is how long highlighting may take; the rest of the code then has no colors.
	patience = 3 * time.Second
	// maxHTML is how long the HTML of a line may be. A line with more classes than text is shown without them.
	maxHTML = 10_000
	// cached is how many bytes of HTML are kept.
	cached = 32 << 20
)

// Highlighter highlights code, and keeps what it has highlighted lately.
type Highlighter struct {
	lines cache.Cache[[]template.HTML]
	turns chan struct{} // limits how many processors highlight at the same time
}

// New returns a highlighter.
func New() *Highlighter {
	return &Highlighter{
		turns: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
		lines: cache.WithMaxBytes(cached, func(key string, lines []template.HTML) int {
			size := len(key)
			for _, line := range lines {
				size += len(line) + 16
			}
			return size
		}),
	}
}

// File returns the lines of a file as HTML. The name decides the language. The key identifies the content, such as the
// ID of a blob. The lines must not be changed.
func (h *Highlighter) File(ctx context.Context, key, name, source string) ([]template.HTML, error) {
	language := byName(name)
	key += "\x00" + language
	if lines, ok := h.lines.Get(key); ok {
		return lines, nil
	}
	select {
	case h.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-h.turns }()
	lines := Lines(ctx, language, source)
	if ctx.Err() == nil {
		h.lines.Set(key, lines)
	}
	return lines, ctx.Err()
}

// byName returns the language of a file, or an empty text.
func byName(name string) string {
	lexer := lexers.Match(path.Base(name))
	if lexer == nil {
		return ""
	}
	return lexer.Config().Name
}

// Lines returns the lines of code in a language as HTML. Code in an unknown language, and code that is too large, is
// only escaped.
func Lines(ctx context.Context, language, source string) []template.HTML {
	source = strings.ReplaceAll(source, "\r\n", "\n")
	w := &writer{}
	if lexer := lexers.Get(language); language != "" && lexer != nil && len(source) <= MaxBytes && !hasLongLine(source) {
		w.tokens(ctx, chroma.Coalesce(lexer), source)
	}
	w.text(source[w.done:], "") // all of it, or what is left when the time is over
	return w.finish()
}

func hasLongLine(source string) bool {
	for line := range strings.Lines(source) {
		if len(line) > maxLine {
			return true
		}
	}
	return false
}

// writer collects lines of HTML.
type writer struct {
	lines []template.HTML
	line  strings.Builder
	plain strings.Builder // the line without classes
	done  int             // bytes of the source that are written
}

// tokens writes the words of the code with their classes, until the time is over.
func (w *writer) tokens(ctx context.Context, lexer chroma.Lexer, source string) {
	end := time.Now().Add(patience)
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root", EnsureLF: false}, source)
	if err != nil {
		return
	}
	for count := 0; ; count++ {
		token := tokens()
		if token == chroma.EOF || count%256 == 0 && (ctx.Err() != nil || time.Now().After(end)) {
			return
		}
		if !strings.HasPrefix(source[w.done:], token.Value) {
			return // the lexer has changed the text; the rest is shown as it is
		}
		w.text(token.Value, class(token.Type))
		w.done += len(token.Value)
	}
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "\x00", "\ufffd")

// text writes a text that may have several lines.
func (w *writer) text(text, class string) {
	for text != "" {
		part, rest, more := strings.Cut(text, "\n")
		if part != "" {
			w.span(part, class)
		}
		if more {
			w.end()
		}
		text = rest
	}
}

func (w *writer) span(text, class string) {
	_, _ = escaper.WriteString(&w.plain, text) // a Builder never fails
	if class == "" || w.line.Len() > maxHTML {
		_, _ = escaper.WriteString(&w.line, text)
		return
	}
	w.line.WriteString(`<span class="` + class + `">`)
	_, _ = escaper.WriteString(&w.line, text)
	w.line.WriteString("</span>")
}

func (w *writer) end() {
	line := w.line.String()
	if len(line) > maxHTML {
		line = w.plain.String()
	}
	w.lines = append(w.lines, template.HTML(line)) //nolint:gosec // all text is escaped
	w.line.Reset()
	w.plain.Reset()
}

func (w *writer) finish() []template.HTML {
	if w.line.Len() > 0 {
		w.end()
	}
	return w.lines
}
