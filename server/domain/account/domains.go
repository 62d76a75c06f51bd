package account

import (
	"path"
	"regexp"
	"strings"

	"svc/store/setting"
)

// acceptsAddress reports whether the settings let visitors register with a mail address.
func acceptsAddress(rules *setting.Values, address string) bool {
	_, domain, _ := strings.Cut(strings.ToLower(address), "@")
	switch {
	case len(rules.DomainAllowlist) > 0 && !inDomains(rules.DomainAllowlist, domain):
		return false
	case rules.DomainDenylistEnabled && inDomains(rules.DomainDenylist, domain):
		return false
	case rules.EmailRestrictionsEnabled && rules.EmailRestrictions != nil:
		restricted, err := regexp.Compile(*rules.EmailRestrictions)
		return err == nil && !restricted.MatchString(address)
	}
	return true
}

// inDomains reports whether a domain matches one of the patterns, in which * stands for any text.
func inDomains(patterns []string, domain string) bool {
	for _, pattern := range patterns {
		if fits, err := path.Match(strings.ToLower(pattern), domain); err == nil && fits {
			return true
		}
	}
	return false
}
