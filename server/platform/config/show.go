package config

import (
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"strings"
)

const usageWidth = 100

// Usage writes the table of settings for the help of a command, at most 100 columns wide.
func Usage(w io.Writer) {
	table := settings()
	flagWidth, envWidth := 0, 0
	for _, s := range table {
		flagWidth, envWidth = max(flagWidth, len(s.key)+2), max(envWidth, len(s.env))
	}
	var out strings.Builder
	out.WriteString(`Each setting can be given as a flag, as an environment variable, or in a YAML file named by --config
(under the name of the flag, without the leading dashes). A flag wins over the environment, the
environment over the file, the file over the default. An empty environment variable counts as
not set.

`)
	line := func(name, env, def string) {
		row := fmt.Sprintf("  %-*s  %-*s  %s", flagWidth, name, envWidth, env, def)
		out.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	line("FLAG", "ENVIRONMENT", "DEFAULT")
	for _, s := range table {
		def := s.def
		if s.secret {
			def = ""
		}
		line("--"+s.key, s.env, def)
		text := s.help
		if limits := s.limits(); limits != "" {
			text += " [" + limits + "]"
		}
		wrap(&out, text, "      ")
	}
	_, _ = io.WriteString(w, out.String()) // nobody can be notified if the terminal is gone
}

func wrap(out *strings.Builder, text, indent string) {
	row := indent
	for word := range strings.FieldsSeq(text) {
		if row != indent && len(row)+1+len(word) > usageWidth {
			out.WriteString(row + "\n")
			row = indent
		}
		if row != indent {
			row += " "
		}
		row += word
	}
	out.WriteString(row + "\n")
}

// String lists the settings as key=value, with secrets hidden.
func (c Config) String() string {
	var parts []string
	for _, attr := range c.attrs() {
		parts = append(parts, attr.String())
	}
	return strings.Join(parts, " ")
}

// Format writes String for every verb, so that no verb prints the secrets of the plain struct.
func (c Config) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, c.String()) }

// LogValue returns the settings as a group of attributes, with secrets hidden.
func (c Config) LogValue() slog.Value { return slog.GroupValue(c.attrs()...) }

func (c Config) attrs() []slog.Attr {
	fields := reflect.ValueOf(c)
	var attrs []slog.Attr
	for _, s := range settings() {
		field := fields.Field(s.index)
		text := fmt.Sprint(field.Interface())
		if s.secret && !field.IsZero() {
			text = "(hidden)"
		}
		attrs = append(attrs, slog.String(s.key, text))
	}
	return attrs
}
