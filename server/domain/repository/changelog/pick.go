package changelog

import (
	"regexp"
	"strings"
)

// Commit is what is looked at in a commit.
type Commit struct {
	ID       string
	Message  string
	Email    string            // of its author
	Trailers map[string]string // of several with one key the last
}

// Picked is a commit that belongs into the changelog.
type Picked struct {
	ID       string
	Title    string
	Email    string
	Category string
	Trailers map[string]string
}

// Picker picks commits by a trailer. They are given to it one by one, each before its parents.
type Picker struct {
	trailer  string
	reverted map[string]bool // ids or beginnings of them
	shortest int
	Picked   []Picked
}

// NewPicker picks by the key of a trailer, in exactly this case.
func NewPicker(trailer string) *Picker {
	return &Picker{trailer: trailer, reverted: map[string]bool{}, shortest: idLength}
}

const (
	idLength   = 40
	maxReverts = 50 // that one commit tells of
)

var revert = regexp.MustCompile(`This reverts commit ([0-9a-f]{7,40})\b`)

// Add looks at a commit. One that was reverted vanishes, and what it reverted itself is back then.
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
