package middleware

import (
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// longestWord is the length up to which words are compared; nobody mistypes a longer one and expects help.
const longestWord = 64

// edits returns the number of characters that are inserted, deleted, replaced or swapped with their neighbour between two
// words. It stops above the limit and returns limit+1.
func edits(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit || len(a) > longestWord || len(b) > longestWord {
		return limit + 1
	}
	var rows [3][longestWord + 1]int // this row of the table and the two before it
	for j := range b {
		rows[0][j+1] = j + 1
	}
	for i := 1; i <= len(a); i++ {
		row, above, twoAbove := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, above[j]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], twoAbove[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
	}
	return min(rows[len(a)%3][len(b)], limit+1)
}

// likelyEdits returns how many edits of a word are still likely to be a slip: fewer in short words, which resemble many
// others.
func likelyEdits(word string) int {
	switch {
	case len(word) < 4:
		return 0
	case len(word) < 8:
		return 1
	}
	return 2
}

const (
	mostNames = 50 // the largest number of unknown names that are compared
	mostSlips = 3  // the largest number of slips that a hint mentions
)

// slips returns a sentence for each name of a request that its operation does not know, but that is almost the name of a
// parameter which is not given.
func slips(op *Operation, in *input, query []string) []string {
	given := slices.Clone(query)
	for name := range in.body {
		given = append(given, name)
	}
	slices.Sort(given)
	known := op.names()
	var sentences []string
	compared := 0
	for _, name := range given {
		if slices.Contains(known, name) || len(name) > longestWord {
			continue
		}
		if compared++; compared > mostNames || len(sentences) == mostSlips {
			break
		}
		if meant := nearestName(name, known, given); meant != "" {
			sentences = append(sentences, name+" is not a parameter of this operation: did you mean "+meant+"?")
		}
	}
	return sentences
}

// nearestName returns the one parameter that a name resembles most; empty if there is none, or if it is given as well.
func nearestName(name string, known, given []string) string {
	best, least := "", longestWord
	for _, k := range known {
		if d := edits(name, k, likelyEdits(k)); d <= likelyEdits(k) && d < least {
			best, least = k, d
		}
	}
	if slices.Contains(given, best) {
		return ""
	}
	return best
}

// names returns the names of the parameters in the query and of the members of the body.
func (o *Operation) names() []string {
	var names []string
	for _, p := range o.query {
		names = append(names, p.plain)
	}
	return append(names, members(o.body)...)
}

func members(s *openapi3.Schema) []string {
	if s == nil {
		return nil
	}
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	for _, part := range s.AllOf {
		names = append(names, members(part.Value)...)
	}
	slices.Sort(names)
	return names
}

// queryNames returns the names in a raw query, without brackets.
func queryNames(raw string) []string {
	var names []string
	for pair := range strings.SplitSeq(raw, "&") {
		name, _, _ := strings.Cut(pair, "=")
		name, _, _ = strings.Cut(name, "[")
		if name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") == "" && len(names) < mostNames {
			names = append(names, name)
		}
	}
	return names
}
