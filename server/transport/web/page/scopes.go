package page

import (
	"slices"

	"svc/server/platform/access"
)

// ScopeTexts describes what each scope allows.
var ScopeTexts = map[string]string{
	"api":                 "Read and write everything that you can read and write: groups, projects, repositories, your account.",
	"read_api":            "Read everything that you can see: groups, projects, repositories, users.",
	"read_user":           "Read your profile and those of other users.",
	"create_runner":       "Create runners.",
	"manage_runner":       "Manage runners.",
	"k8s_proxy":           "Make calls to clusters through agents.",
	"read_repository":     "Clone and fetch repositories, and read their files.",
	"write_repository":    "Clone, fetch and push to repositories.",
	"read_registry":       "Pull container images.",
	"write_registry":      "Push container images.",
	"read_observability":  "Read observability data.",
	"write_observability": "Write observability data.",
	"ai_features":         "Use AI features.",
	"sudo":                "Act as any user of this instance. Only administrators can allow this.",
	"admin_mode":          "Use the permissions of administrators. Only administrators can allow this.",
	"read_service_ping":   "Read usage figures of this instance. Only administrators can allow this.",
	"openid":              "Know who you are, and the groups that you belong to.",
	"profile":             "Read your name, username, picture and website.",
	"email":               "Read your primary email address.",
}

// ScopeOptions returns the scopes that a user can grant and that have an effect here; other scopes only if they were chosen
// before.
func ScopeOptions(all []string, admin bool, chosen []string) []Option {
	var options []Option
	for _, scope := range all {
		if slices.Contains(access.Scopes, scope) && !access.MayCarry(admin, []string{scope}) {
			continue
		}
		if !slices.Contains(access.Offered, scope) && !slices.Contains(chosen, scope) {
			continue
		}
		options = append(options, Option{Value: scope, Label: scope, Hint: ScopeTexts[scope], Chosen: slices.Contains(chosen, scope)})
	}
	return options
}
