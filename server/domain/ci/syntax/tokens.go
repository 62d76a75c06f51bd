package syntax

// idTokens reads the keyword id_tokens.
func (d decoder) idTokens(path string, v *value) []IDToken {
	if v.kind != dict {
		d.fail(v.at, "%s config should be a hash", path)
		return nil
	}
	tokens := make([]IDToken, 0, len(v.entries))
	for _, e := range v.entries {
		token := IDToken{Variable: e.key}
		at := path + ":" + clip(e.key)
		d.object(at, e.value, fields{
			"aud": func(v *value) { token.Audience = d.textOrTexts(at+" aud", v) },
		})
		if e.value.kind == dict && len(token.Audience) == 0 {
			d.fail(e.value.at, "%s config missing required keys: aud", at)
		}
		tokens = append(tokens, token)
	}
	return tokens
}
