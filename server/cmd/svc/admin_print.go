package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// printJSON prints a value as JSON for programs.
func printJSON(out io.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// printTable prints rows below a header, for people. Control characters in the cells are replaced.
func printTable(out io.Writer, header string, rows [][]string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(strings.Fields(header), "\t"))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = strings.Map(printable, cell)
			if cell == "" {
				row[i] = "-"
			}
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return ' '
	}
	return r
}

// printList prints a list as JSON or as a table, and says if the list is longer than the limit.
func (c adminCall) printList(value any, header string, rows [][]string, more bool) error {
	if c.json {
		return printJSON(c.out, value)
	}
	if err := printTable(c.out, header, rows); err != nil || !more {
		return err
	}
	return printLine(c.out, "There are more; --limit shows them.")
}

// printDone prints what an act has done: the value as JSON, or the sentence.
func (c adminCall) printDone(value any, format string, args ...any) error {
	if c.json {
		return printJSON(c.out, value)
	}
	return printLine(c.out, format, args...)
}

// day returns the day of a time, or an empty text.
func day(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// minute returns a time to the minute, or an empty text.
func minute(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04")
}
