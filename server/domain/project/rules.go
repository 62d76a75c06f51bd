package project

import (
	"context"
	"strings"
	"unicode"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// fieldErrors collects validation errors: texts by field.
type fieldErrors map[string][]string

func (b fieldErrors) add(field, text string) {
	if text != "" {
		b[field] = append(b[field], text)
	}
}

func (b fieldErrors) err() error {
	if len(b) == 0 {
		return nil
	}
	return apierr.InvalidFields(b)
}

// checkBranch checks a branch name against git's rules for references.
func checkBranch(rules fieldErrors, name *string) {
	if name == nil {
		return
	}
	n := *name
	bad := strings.HasPrefix(n, "-") || strings.HasPrefix(n, "/") || strings.HasSuffix(n, "/") ||
		strings.HasSuffix(n, ".") || strings.HasSuffix(n, ".lock") || n == "@" || strings.ContainsAny(n, " ~^:?*[\\") ||
		strings.ContainsFunc(n, func(r rune) bool { return r < ' ' || r == 0x7f })
	for _, part := range []string{"..", "//", "@{", "/.", ".lock/"} {
		bad = bad || strings.Contains(n, part)
	}
	if bad || strings.HasPrefix(n, ".") || n != "" && git.Misleading(n) {
		rules.add("default_branch", "is not a valid branch name")
	}
}

// checkConfigPath refuses paths of the CI/CD file outside the repository.
func checkConfigPath(rules fieldErrors, path *string) {
	if path == nil {
		return
	}
	if strings.HasPrefix(*path, "/") || strings.Contains(*path, "..") {
		rules.add("ci_config_path", "cannot include leading slash or directory traversal.")
	}
	if strings.ContainsFunc(*path, unicode.IsControl) {
		rules.add("ci_config_path", "is invalid")
	}
}

// checkRestricted refuses a visibility that the settings reserve for administrators. Nil is always allowed.
func (s *Service) checkRestricted(ctx context.Context, to *model.Visibility) error {
	if to == nil || !access.Restricted(ctx, s.store, *to) {
		return nil
	}
	return apierr.Invalid("visibility_level", to.String()+" has been restricted by your administrator")
}
