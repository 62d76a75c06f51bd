package webhook

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"svc/store/model"
)

// Secrets holds what only the receiver of a hook may learn. It is stored encrypted, as one document.
type Secrets struct {
	Token        string `json:"token,omitempty"`
	SigningToken string `json:"signing_token,omitempty"`
	Headers      Pairs  `json:"headers,omitempty"`
	Variables    Pairs  `json:"variables,omitempty"`

	Fields map[string]string `json:"fields,omitempty"` // of an integration, by the names of its settings
}

// Pairs is a list of names with their values.
type Pairs []Pair

// Pair is a custom header or a URL variable.
type Pair struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

const (
	maxPairs = 20
	maxKey   = 255
	maxValue = 2048
)

var pairKey = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*([._-][A-Za-z0-9]+)*$`)

// valid reports whether the name and the value keep the rules. A value has no control characters, so that it cannot
// begin another header.
func (p Pair) valid() bool {
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	return len(p.Key) <= maxKey && pairKey.MatchString(p.Key) && p.Value != "" && len(p.Value) <= maxValue &&
		!strings.ContainsFunc(p.Value, control)
}

// valid reports whether the list keeps the rules.
func (p Pairs) valid() bool {
	return len(p) <= maxPairs && !slices.ContainsFunc(p, func(one Pair) bool { return !one.valid() })
}

// merge returns the list with pairs added. They replace pairs with the same key.
func (p Pairs) merge(more Pairs) Pairs {
	merged := slices.Clone(p)
	for _, one := range more {
		merged = append(merged.without(one.Key), one)
	}
	return merged
}

// without returns the list without a key.
func (p Pairs) without(key string) Pairs {
	return slices.DeleteFunc(slices.Clone(p), func(one Pair) bool { return one.Key == key })
}

// Has reports whether the list has a key.
func (p Pairs) Has(key string) bool {
	return slices.ContainsFunc(p, func(one Pair) bool { return one.Key == key })
}

// Keys returns the names of the list.
func (p Pairs) Keys() []string {
	keys := make([]string, len(p))
	for i, one := range p {
		keys[i] = one.Key
	}
	return keys
}

// Open decrypts the secrets of a hook. A hook whose secrets were removed has none.
func (s *Service) Open(h model.Hook) (Secrets, error) {
	var open Secrets
	if string(h.Sealed) == model.LostSecrets {
		return open, nil
	}
	plain, err := s.vault.Open(h.Sealed, sealOwner(h))
	if err != nil {
		return open, err
	}
	return open, json.Unmarshal(plain, &open)
}

// seal encrypts the secrets of a hook.
func (s *Service) seal(h model.Hook, open Secrets) ([]byte, error) {
	plain, err := json.Marshal(open)
	return s.vault.Seal(plain, sealOwner(h)), err
}

// SealSame encrypts the secrets of a hook of test data, always to the same bytes.
func (s *Service) SealSame(h model.Hook, open Secrets) ([]byte, error) {
	plain, err := json.Marshal(open)
	return s.vault.SealSame(plain, sealOwner(h)), err
}

// sealOwner is the owner under which the vault encrypts the secrets of a hook.
func sealOwner(h model.Hook) string {
	switch {
	case h.ProjectID != nil:
		return "project " + strconv.FormatInt(*h.ProjectID, 10)
	case h.GroupID != nil:
		return "group " + strconv.FormatInt(*h.GroupID, 10)
	}
	return "instance"
}

var urlVariable = regexp.MustCompile(`\{([^{}]*)\}`)

// interpolate replaces the names in braces by the values of the URL variables. It returns false if a variable is
// missing.
func interpolate(url string, variables Pairs) (string, bool) {
	complete := true
	text := urlVariable.ReplaceAllStringFunc(url, func(name string) string {
		for _, one := range variables {
			if one.Key == name[1:len(name)-1] {
				return one.Value
			}
		}
		complete = false
		return name
	})
	return text, complete
}
