package config

import (
	"fmt"
	"slices"
	"strings"
)

// Unknown returns a sentence for each environment variable that has the prefix of settings but is not a setting.
func Unknown(environ []string) []string {
	var known []string
	for _, s := range settings() {
		known = append(known, s.env)
	}
	var texts []string
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "SVC_") || slices.Contains(known, name) {
			continue
		}
		text := name + " is not a setting and is ignored"
		if near := nearest(name, known); near != "" {
			text = fmt.Sprintf("%s; did you mean %s?", text, near)
		}
		texts = append(texts, text)
	}
	slices.Sort(texts)
	return texts
}

// nearest returns the known name that is most similar, or an empty text if none is similar enough.
func nearest(name string, known []string) string {
	best, found := len(name)/3, "" // this many letters may differ, SVC_ included
	for _, k := range known {
		if d := distance(name, k); d <= best && (found == "" || d < distance(name, found)) {
			best, found = d, k
		}
	}
	return found
}

// distance is the Levenshtein distance: the number of bytes to add, remove or change to turn one text into the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost = 1 + min(before, row[j], row[j+1])
			}
			before, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
