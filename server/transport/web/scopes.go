package web

import "svc/server/transport/web/page"

// scopeText is a scope with its description.
type scopeText struct{ Name, Text string }

func describe(scopes []string) []scopeText {
	out := make([]scopeText, len(scopes))
	for i, scope := range scopes {
		out[i] = scopeText{scope, page.ScopeTexts[scope]}
	}
	return out
}

func scopeOptions(all []string, admin bool, chosen []string) []Option {
	return page.ScopeOptions(all, admin, chosen)
}
