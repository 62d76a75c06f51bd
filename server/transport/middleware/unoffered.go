package middleware

import (
	"slices"
	"strings"
)

// Unoffered lists the sections of the GitLab API that this service does not have, as in docs/compatibility.md, with
// their paths below /api/v4. A path covers everything below it; * is any segment. A path that begins with a method is
// only for that method, and one with a dot at the end does not cover what is below it.
var Unoffered = map[string][]string{
	"release evidence": {"projects/*/releases/*/evidence"},
	"approval rules of groups": {
		"projects/*/approval_settings", "groups/*/approval_rules", "projects/*/merge_requests/*/approval_settings",
		"groups/*/merge_request_approval_setting", "projects/*/merge_request_approval_setting",
		"POST projects/*/merge_requests/*/approvals",
	},
	"other package formats": {
		"packages/composer", "packages/conan", "packages/terraform",
		"projects/*/packages/cargo", "projects/*/packages/composer", "projects/*/packages/conan", "projects/*/packages/debian",
		"projects/*/packages/helm", "projects/*/packages/ml_models", "projects/*/packages/nuget", "projects/*/packages/rpm",
		"projects/*/packages/rubygems", "projects/*/packages/terraform", "groups/*/-/packages/composer", "groups/*/-/packages/debian",
		"groups/*/-/packages/nuget", "groups/*/-/debian_distributions", "projects/*/debian_distributions", "group/*/-/packages/composer",
	},
	"container registry":         {"registry", "projects/*/registry", "groups/*/registry", "groups/*/dependency_proxy"},
	"LDAP":                       {"ldap", "groups/*/ldap_group_links", "groups/*/ldap_sync"},
	"clusters":                   {"admin/clusters", "projects/*/clusters", "groups/*/clusters"},
	"slash commands":             {"projects/*/integrations/*/trigger", "projects/*/services/*/trigger"},
	"merge trains":               {"projects/*/merge_trains"},
	"Geo":                        {"geo_nodes", "geo_sites", "geo"},
	"licenses":                   {"license", "licenses"},
	"enterprise users":           {"groups/*/enterprise_users", "groups/*/provisioned_users", "groups/*/ssh_certificates"},
	"usage data":                 {"usage_data"},
	"mirrors over SSH":           {"projects/*/remote_mirrors/*/public_key"},
	"import from other products": {"import", "groups/*/placeholder_reassignments"},
	"import of single relations": {"projects/*/relation-imports", "POST projects/remote-import-s3.", "projects/import-relation"},
	"epic boards": {
		"groups/*/epic_boards", "groups/*/epics/*/notes/*/award_emoji", "groups/*/epics/*/todo", "projects/*/issues/*/epic",
	},
	"SAML": {"groups/*/saml", "groups/*/saml_group_links", "groups/*/saml_users", "groups/*/scim", "scim"},
	"security scans": {
		"vulnerabilities", "projects/*/vulnerabilities", "projects/*/vulnerability_findings", "projects/*/vulnerability_exports",
		"projects/*/dependencies", "security", "groups/*/security_settings", "projects/*/security_settings",
	},
	"analytics": {
		"analytics/code_review_analytics", "analytics/deployment_frequency", "projects/*/analytics", "groups/*/analytics",
		"projects/*/dora", "groups/*/dora",
	},
	"AI": {"ai", "chat", "code_suggestions", "ml", "projects/*/ml"},
}

// unofferedPath is a path of Unoffered, split at its slashes.
type unofferedPath struct {
	section  string
	method   string // empty: any
	segments []string
	exact    bool
}

// unofferedPaths splits the paths of Unoffered.
func unofferedPaths() []unofferedPath {
	var all []unofferedPath
	for section, paths := range Unoffered {
		for _, path := range paths {
			p := unofferedPath{section: section}
			if method, rest, found := strings.Cut(path, " "); found {
				p.method, path = method, rest
			}
			path, p.exact = strings.CutSuffix(path, ".")
			p.segments = strings.Split(path, "/")
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b unofferedPath) int { return len(b.segments) - len(a.segments) })
	return all
}

// covers reports whether a path below /api/v4 belongs to the section.
func (p *unofferedPath) covers(method string, segments []string) bool {
	if len(segments) < len(p.segments) || (p.exact && len(segments) > len(p.segments)) || (p.method != "" && p.method != method) {
		return false
	}
	for i, want := range p.segments {
		if want != "*" && want != segments[i] {
			return false
		}
	}
	return true
}

// isUnoffered reports whether GitLab has a path that this service does not offer.
func (o *Operations) isUnoffered(method, path string) bool {
	segments := splitPath(path)
	if len(segments) < 2 || segments[0] != "api" {
		return false
	}
	if segments[1] != "v4" {
		return false
	}
	for i := range o.help().unoffered {
		if o.help().unoffered[i].covers(method, segments[2:]) {
			return true
		}
	}
	return false
}
