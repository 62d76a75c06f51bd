package remote

import (
	"context"
	"regexp"
	"strings"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

const (
	branches = "refs/heads/"
	tags     = "refs/tags/"
)

// filter decides which branches a mirror has. It has all tags.
type filter struct {
	protected bool
	rules     []string
	regex     *regexp.Regexp
}

// newFilter returns the filter of a mirror.
func (s *Service) newFilter(ctx context.Context, p model.Project, protected bool, regex *string) (f filter, err error) {
	if regex != nil && *regex != "" {
		f.regex, err = regexp.Compile(*regex)
		return f, err
	}
	if f.protected = protected; !protected {
		return f, nil
	}
	rules, inherited, err := s.Store.Protections.BranchesWithInherited(ctx, p)
	for _, rule := range append(rules, inherited...) {
		f.rules = append(f.rules, rule.Name)
	}
	return f, err
}

// has reports whether a mirror has a ref.
func (f filter) has(ref string) bool {
	branch, isBranch := strings.CutPrefix(ref, branches)
	switch {
	case !isBranch:
		return strings.HasPrefix(ref, tags)
	case f.regex != nil:
		return f.regex.MatchString(branch)
	case !f.protected:
		return true
	}
	for _, rule := range f.rules {
		if store.Matches(rule, branch) {
			return true
		}
	}
	return false
}

// checkFilter refuses a filter that cannot be used. field names the switch for protected branches.
func checkFilter(regex *string, protected bool, field string) error {
	if regex == nil || *regex == "" {
		return nil
	}
	if protected {
		return apierr.Invalid("mirror_branch_regex", "cannot be combined with "+field)
	}
	if _, err := regexp.Compile(*regex); err != nil {
		return apierr.Invalid("mirror_branch_regex", "is not a valid regular expression")
	}
	return nil
}
