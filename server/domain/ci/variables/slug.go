package variables

import (
	"crypto/sha256"
	"math/big"
	"strings"
)

const (
	maxSlug            = 63 // what a label of a host name may have
	maxEnvironmentSlug = 24
)

// Slug makes a text fit for host names: lower case, digits and letters, everything else a dash, at most 63 of them.
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

// EnvironmentSlug names an environment where little is allowed: at most 24 letters, digits and dashes, a letter first. A
// name that had to be changed gets a few letters of its digest, so that two names do not become one.
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
