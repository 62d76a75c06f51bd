package config

import (
	"fmt"
	"slices"
	"strings"
)

// Unknown returns a sentence for each variable of an environment that begins like a setting and is none.
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

// nearest is the name that is most like another, if one is like it at all.
func nearest(name string, known []string) string {
	best, found := len(name)/3, "" // so much may differ, SVC_ included
	for _, k := range known {
		if d := distance(name, k); d <= best && (found == "" || d < distance(name, found)) {
			best, found = d, k
		}
	}
	return found
}

// distance is how many letters are to be added, removed or changed to make one text of another (Levenshtein).
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
