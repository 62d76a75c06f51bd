package syntax

import (
	"slices"

	"svc/server/domain/ci/variables"
)

// maxIDTokens is how many tokens a job may ask for: each is signed when a runner takes the job.
const maxIDTokens = 50

// idTokens reads the keyword id_tokens.
func (d decoder) idTokens(path string, v *value) []IDToken {
	if v.kind != dict {
		d.fail(v.at, "%s config should be a hash", path)
		return nil
	}
	if len(v.entries) > maxIDTokens {
		d.fail(v.at, "%s config has %d tokens; at most %d are allowed", path, len(v.entries), maxIDTokens)
		return nil
	}
	tokens := make([]IDToken, 0, len(v.entries))
	for _, e := range v.entries {
		token := IDToken{Variable: e.key}
		at := path + ":" + clip(e.key)
		d.object(at, e.value, fields{
			"aud": func(v *value) { token.Audience, token.Single = d.textOrTexts(at+" aud", v), v.isScalar() },
		})
		switch {
		case !variables.IsKey(e.key):
			d.fail(e.at, "%s is not a name of a variable", at)
		case e.value.kind == dict && len(token.Audience) == 0:
			d.fail(e.value.at, "%s config missing required keys: aud", at)
		case slices.Contains(token.Audience, ""):
			d.fail(e.value.at, "%s aud should not be blank", at)
		}
		tokens = append(tokens, token)
	}
	return tokens
}
