package docs

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxQuery    = 200 // bytes of a query that count
	maxWords    = 12  // words of a query that count
	maxResults  = 40
	maxExcerpt  = 180 // characters
	onlyBegins  = 0.6 // a word that begins with what was asked counts less
	oneOfMany   = 0.3 // an entry that has only some of the words counts less
	verbMatches = 4.0
	isShort     = 6.0 // divided by the number of words of the name
)

// Result is something that a search has found.
type Result struct{ Title, Place, Path, Excerpt string }

// searchView is the content of the search page.
type searchView struct {
	Query   string
	Results []Result
	More    int // results that are not shown
}

func (c *content) searchView(query string) view {
	query = strings.ToValidUTF8(query[:min(len(query), maxQuery)], "")
	found := c.index().find(query)
	shown := found[:min(len(found), maxResults)]
	title := "Search"
	if query != "" {
		title = "Search: " + query
	}
	return view{
		Title: title, Name: "search", Query: query, Crumbs: []link{home, {Label: "Search"}}, Nav: c.nav("/search", nil),
		Search: &searchView{Query: query, Results: shown, More: len(found) - len(shown)},
	}
}

// find returns what matches a query, best first.
func (x *index) find(query string) []Result {
	asked := queryWords(query)
	asked = asked[:min(len(asked), maxWords)]
	scores, matched := map[int]float64{}, map[int]int{}
	for _, word := range asked {
		best := x.match(word)
		rare := 1 + math.Log(float64(len(x.entries)+1)/float64(len(best)+1))
		for n, score := range best {
			scores[n] += score * rare
			matched[n]++
		}
	}
	most := 0
	for _, count := range matched {
		most = max(most, count)
	}
	var order []int
	for n := range scores {
		if matched[n] < most { // entries with all the words come first, and hide the others if there are any
			continue
		}
		if most < len(asked) {
			scores[n] *= oneOfMany
		}
		e := x.entries[n]
		scores[n] += isShort / float64(e.length+1)
		if slices.Contains(asked, e.verb) {
			scores[n] += verbMatches
		}
		scores[n] += samePlace(e.place, query)
		order = append(order, n)
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	results := make([]Result, 0, len(order))
	for _, n := range order {
		e := x.entries[n]
		results = append(results, Result{Title: e.title, Place: e.place, Path: e.path, Excerpt: excerpt(e.text, asked)})
	}
	return results
}

// samePlace returns how much it counts that a query is a part of the path of an operation: most if it is the whole path.
func samePlace(place, query string) float64 {
	query = strings.ToLower(strings.TrimSpace(query))
	place = strings.ToLower(place)
	switch {
	case len(query) < 4 || !strings.Contains(place, query):
		return 0
	case place == query || strings.HasSuffix(place, " "+query):
		return 3 * inName
	}
	return inName
}

// match returns how well each entry matches a word: the whole word, or a word that begins with it.
func (x *index) match(word string) map[int]float64 {
	best := map[int]float64{}
	from, _ := slices.BinarySearch(x.words, word)
	for _, known := range x.words[from:] {
		if !strings.HasPrefix(known, word) || known != word && utf8.RuneCountInString(word) < 3 {
			break
		}
		factor := onlyBegins
		if known == word {
			factor = 1
		}
		for n, weight := range x.found[known] {
			best[n] = max(best[n], weight*factor)
		}
	}
	return best
}

// excerpt returns the part of a text around the first word that was asked for.
func excerpt(text string, asked []string) string {
	runes := []rune(text)
	if len(runes) <= maxExcerpt {
		return text
	}
	lower, at := strings.ToLower(text), -1
	for _, word := range asked {
		if i := strings.Index(lower, word); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	start := 0
	if at > 0 && len(lower) == len(text) {
		start = max(0, utf8.RuneCountInString(text[:at])-maxExcerpt/3)
	}
	end := min(len(runes), start+maxExcerpt)
	part := string(runes[start:end])
	if start > 0 {
		if _, rest, ok := strings.Cut(part, " "); ok {
			part = "… " + rest
		}
	}
	if end < len(runes) {
		if i := strings.LastIndexByte(part, ' '); i > 0 {
			part = part[:i] + " …"
		}
	}
	return part
}
