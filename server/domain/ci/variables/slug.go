package variables

import (
	"crypto/sha256"
	"math/big"
	"strings"
)

const (
	maxSlug            = 63 // longest label of a host name
	maxEnvironmentSlug = 24
)

// Slug makes a text usable in host names: lower-case letters and digits, with everything else replaced by dashes, and
// at most 63 characters.
func Slug(s string) string {
	slug := dashed(s)
	if len(slug) > maxSlug {
		slug = slug[:maxSlug]
	}
	return strings.Trim(slug, "-")
}

func dashed(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(s))
}

// EnvironmentSlug shortens the name of an environment to at most 24 letters, digits and dashes, starting with a letter.
// A name that had to be changed gets a suffix from its digest, so that different names stay different.
func EnvironmentSlug(name string) string {
	slug := dashed(name)
	if slug == "" || slug[0] < 'a' || slug[0] > 'z' {
		slug = "env-" + slug
	}
	for strings.Contains(slug, "--") {
		slug = strings.ReplaceAll(slug, "--", "-")
	}
	const suffix = 6
	if slug == name && len(slug) <= maxEnvironmentSlug && !strings.HasSuffix(slug, "-") {
		return slug
	}
	slug = slug[:min(len(slug), maxEnvironmentSlug-suffix-1)]
	digest := sha256.Sum256([]byte(name))
	letters := new(big.Int).SetBytes(digest[:]).Text(36)
	return strings.TrimRight(slug, "-") + "-" + letters[len(letters)-suffix:]
}
