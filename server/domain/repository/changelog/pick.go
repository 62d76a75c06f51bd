package changelog

import (
	"regexp"
	"strings"
)

// Commit holds the fields of a commit that a Picker uses.
type Commit struct {
	ID       string
	Message  string
	Email    string            // of the author
	Trailers map[string]string // of several with the same key, the last one
}

// Picked is a commit that belongs in the changelog.
type Picked struct {
	ID       string
	Title    string
	Email    string
	Category string
	Trailers map[string]string
}

// Picker selects commits by a trailer. The caller adds the commits one by one, each before its parents.
type Picker struct {
	trailer  string
	reverted map[string]bool // ids or prefixes of ids
	shortest int
	Picked   []Picked
}

// NewPicker returns a Picker for the key of a trailer, which is case-sensitive.
func NewPicker(trailer string) *Picker {
	return &Picker{trailer: trailer, reverted: map[string]bool{}, shortest: idLength}
}

const (
	idLength   = 40
	maxReverts = 50 // per commit message
)

var revert = regexp.MustCompile(`This reverts commit ([0-9a-f]{7,40})\b`)

// Add adds a commit. A reverted commit is left out, and the commits that it had itself reverted count again.
func (p *Picker) Add(c Commit) {
	if p.isReverted(c.ID) {
		return
	}
	for _, match := range revert.FindAllStringSubmatch(c.Message, maxReverts) {
		p.reverted[match[1]] = true
		p.shortest = min(p.shortest, len(match[1]))
	}
	category, ok := c.Trailers[p.trailer]
	if !ok {
		return
	}
	title, _, _ := strings.Cut(strings.TrimLeft(c.Message, "\n"), "\n")
	p.Picked = append(p.Picked, Picked{ID: c.ID, Title: strings.TrimSpace(title), Email: c.Email, Category: category, Trailers: c.Trailers})
}

func (p *Picker) isReverted(id string) bool {
	for n := p.shortest; n <= len(id); n++ {
		if p.reverted[id[:n]] {
			return true
		}
	}
	return false
}
