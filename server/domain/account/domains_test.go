package account

import (
	"testing"

	"svc/store/setting"
)

func TestTheSettingsDecideWithWhichAddressesVisitorsRegister(t *testing.T) {
	t.Parallel()
	pattern := `\+.*@`
	for name, c := range map[string]struct {
		set     func(v *setting.Values)
		address string
		want    bool
	}{
		"no rules":           {func(*setting.Values) {}, "ann@any.example", true},
		"an allowed domain":  {func(v *setting.Values) { v.DomainAllowlist = []string{"acme.example"} }, "ann@ACME.example", true},
		"a domain not on it": {func(v *setting.Values) { v.DomainAllowlist = []string{"acme.example"} }, "ann@other.example", false},
		"a pattern":          {func(v *setting.Values) { v.DomainAllowlist = []string{"*.acme.example"} }, "ann@eu.acme.example", true},
		"a denied domain": {
			func(v *setting.Values) { v.DomainDenylistEnabled, v.DomainDenylist = true, []string{"spam.*"} },
			"a@spam.org", false,
		},
		"a list that is off": {func(v *setting.Values) { v.DomainDenylist = []string{"spam.*"} }, "a@spam.org", true},
		"a restricted address": {
			func(v *setting.Values) { v.EmailRestrictionsEnabled, v.EmailRestrictions = true, &pattern },
			"a+b@c.example", false,
		},
		"an unrestricted address": {
			func(v *setting.Values) { v.EmailRestrictionsEnabled, v.EmailRestrictions = true, &pattern },
			"ab@c.example", true,
		},
	} {
		v := setting.Defaults()
		c.set(&v)
		if got := acceptsAddress(&v, c.address); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
