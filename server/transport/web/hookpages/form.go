package hookpages

import (
	"slices"
	"strings"

	"svc/openapi/wire"
	"svc/server/domain/webhook"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// strategies are the ways to choose branches.
var strategies = []page.Option{
	{Value: model.FilterWildcard, Label: "Branches that fit a pattern with *"},
	{Value: model.FilterRegex, Label: "Branches that fit a regular expression"},
	{Value: model.FilterAllBranches, Label: "All branches"},
}

// form returns the form of a hook. Secrets are never in it: open says which of them the hook has, and is nil for a new hook.
func (o owner) form(action, submit string, h model.Hook, open *webhook.Secrets) page.Form {
	token := page.Field{
		Name: "token", Label: "Secret token", Type: "password", Autocomplete: "new-password",
		Hint: "The receiver finds it in the header X-Gitlab-Token, to recognise this service.",
	}
	signing := page.Field{
		Name: "signing_token", Label: "Signing token", Type: "password", Autocomplete: "new-password",
		Hint: "whsec_ and the base64 form of 32 bytes: requests are signed with it.",
	}
	form := page.Form{Action: action, Submit: submit}
	var remove []page.Field
	if open != nil && open.Token != "" {
		token.Hint = "A token is set. Leave this empty to keep it. It is lost if you change the host of the address."
		remove = append(remove, page.Field{Name: "remove_token", Label: "Remove the secret token", Type: "checkbox"})
	}
	if open != nil && open.SigningToken != "" {
		signing.Hint = "A token is set. Leave this empty to keep it."
		remove = append(remove, page.Field{Name: "remove_signing_token", Label: "Remove the signing token", Type: "checkbox"})
	}
	form.Fields = append([]page.Field{
		{
			Name: "url", Label: "Address", Type: "text", Value: h.URL, Required: true, Mode: "url", Autocomplete: "off",
			Hint: "Such as https://ci.example.com/hook. {name} stands for a URL variable.",
		},
		{Name: "name", Label: "Name", Type: "text", Value: text(h.Name)},
		{Name: "description", Label: "Description", Type: "text", Value: text(h.Description)},
		{Name: "events", Label: "Events", Type: "checkboxes", Options: o.eventOptions(h.Events)},
		{Name: "branch_filter_strategy", Label: "Branches of pushes", Type: "select", Options: chosen(strategies, h.BranchFilterStrategy)},
		{
			Name: "push_events_branch_filter", Label: "Pattern", Type: "text", Value: text(h.PushEventsBranchFilter), Autocomplete: "off",
			Hint: "Such as release/*. Empty for all branches.",
		},
		token, signing,
	}, append(remove,
		page.Field{
			Name: "enable_ssl_verification", Label: "Check the certificate of the receiver", Type: "checkbox",
			Checked: h.EnableSSLVerification,
		},
		page.Field{
			Name: "custom_webhook_template", Label: "Body", Type: "textarea", Value: text(h.CustomWebhookTemplate),
			Hint: "Empty for the usual body. {{object_kind}} stands for a member of it.",
		})...)
	return form
}

// eventOptions returns the kinds of events with those of a hook chosen.
func (o owner) eventOptions(on model.HookEvents) []page.Option {
	var all []page.Option
	for _, kind := range o.kinds() {
		all = append(all, page.Option{Value: kind.Flag, Label: kindText(kind.Flag), Chosen: on.Has(kind.Event)})
	}
	return all
}

func chosen(options []page.Option, value string) []page.Option {
	all := slices.Clone(options)
	for i := range all {
		all[i].Chosen = all[i].Value == value
	}
	return all
}

// change reads the form of a hook.
func (o owner) change(v *page.Visit) (webhook.Change, error) {
	url, strategy, verify := v.Value("url"), v.Value("branch_filter_strategy"), v.Value("enable_ssl_verification") != ""
	if !slices.ContainsFunc(strategies, func(s page.Option) bool { return s.Value == strategy }) {
		return webhook.Change{}, page.Broken(map[string][]string{"branch_filter_strategy": {"does not have a valid value"}})
	}
	c := webhook.Change{
		URL: &url, Name: optional(v, "name"), Description: optional(v, "description"), EnableSSLVerification: &verify,
		BranchFilter: optional(v, "push_events_branch_filter"), BranchFilterStrategy: &strategy,
		Template: optional(v, "custom_webhook_template"),
	}
	for _, kind := range o.kinds() {
		if slices.Contains(v.Values("events"), kind.Flag) {
			c.On |= kind.Event
		} else {
			c.Off |= kind.Event
		}
	}
	c.Token, c.SigningToken = secretField(v, "token"), secretField(v, "signing_token")
	return c, nil
}

// optional returns a field of the form; the empty text removes what was there.
func optional(v *page.Visit, name string) wire.Optional[string] {
	given := strings.TrimSpace(v.Value(name))
	if given == "" {
		return wire.Maybe[string](nil)
	}
	return wire.Maybe(&given)
}

// secretField returns a secret of the form. It is not set, and stays as it is, if the field is empty and the box that removes
// the secret is not ticked.
func secretField(v *page.Visit, name string) wire.Optional[string] {
	given := v.Value(name)
	switch {
	case given != "":
		return wire.Maybe(&given)
	case v.Value("remove_"+name) != "":
		return wire.Maybe[string](nil)
	}
	return wire.Optional[string]{}
}

func text(given *string) string {
	if given == nil {
		return ""
	}
	return *given
}
