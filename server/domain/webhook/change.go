package webhook

import (
	"context"
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/server/platform/outbound"
	"svc/store/model"
)

// Change describes a new hook, or what to change in one; fields that are not set stay as they are.
type Change struct {
	URL                   *string
	Name, Description     wire.Optional[string]
	On, Off               model.HookEvents // kinds of events to switch on and off
	EnableSSLVerification *bool
	Token, SigningToken   wire.Optional[string]
	BranchFilter          wire.Optional[string]
	BranchFilterStrategy  *string
	Template              wire.Optional[string]
	Headers, Variables    *Pairs
}

const (
	maxURL      = 2048
	maxTemplate = 4096
	maxToken    = 2048
)

var (
	errURL          = apierr.UnprocessableParameter("Invalid url given")
	errBranchFilter = apierr.UnprocessableParameter("Invalid branch filter given")
	errValue        = apierr.UnprocessableParameter("Illegal key or value")
)

// systemEvents are the kinds of events that system hooks can choose.
const systemEvents = model.HookPush | model.HookTagPush | model.HookMergeRequests | model.HookRepositoryUpdate

// groupEvents are the kinds of events that only hooks of groups have.
const groupEvents = model.HookSubgroups | model.HookMembers | model.HookProjects

// allowedEvents returns the kinds of events that a hook can choose.
func allowedEvents(h model.Hook) model.HookEvents {
	switch {
	case h.IsSystem():
		return systemEvents
	case h.GroupID != nil:
		return ^(model.HookRepositoryUpdate | model.HookInstance)
	}
	return ^(model.HookRepositoryUpdate | model.HookInstance | groupEvents)
}

// apply makes the changes to a hook and its secrets, and checks the result.
func (s *Service) apply(ctx context.Context, h *model.Hook, open *Secrets, c Change) error {
	before, _ := interpolate(h.URL, open.Variables)
	template := h.URL
	if c.URL != nil {
		h.URL = strings.TrimSpace(*c.URL)
	}
	allowed := allowedEvents(*h)
	h.Events = h.Events&^(c.Off&allowed) | c.On&allowed
	setText(&h.Name, c.Name)
	setText(&h.Description, c.Description)
	setText(&h.CustomWebhookTemplate, c.Template)
	if c.EnableSSLVerification != nil {
		h.EnableSSLVerification = *c.EnableSSLVerification
	}
	if err := checkTexts(c); err != nil {
		return err
	}
	if err := applyFilter(h, c); err != nil {
		return err
	}
	if err := applySecrets(open, c); err != nil {
		return err
	}
	if template != "" && h.URL != template && c.Variables == nil {
		open.Variables = nil
	} else if template != "" && h.URL != template {
		open.Variables = *c.Variables
	}
	after, complete := interpolate(h.URL, open.Variables)
	if !complete || len(h.URL) > maxURL {
		return errURL
	}
	if template != "" && after != before {
		forget(open, before, after, c)
	}
	if after != before {
		return s.checkURL(ctx, *h, after)
	}
	return nil
}

// forget removes secrets that the change does not send again, because the URL is another one now: the custom headers
// and, if the hook itself or its host is another one, the token. So nobody can send a secret that they cannot read to a
// receiver of their own.
func forget(open *Secrets, before, after string, c Change) {
	if c.Headers == nil {
		open.Headers = nil
	} else {
		open.Headers = *c.Headers
	}
	if !c.Token.IsSet() && (c.URL != nil || hostOf(before) != hostOf(after)) {
		open.Token = ""
	}
}

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	return u.Scheme + "://" + u.Host
}

// checkURL checks a complete URL. Receivers of system hooks may be local, because only administrators create those.
func (s *Service) checkURL(ctx context.Context, h model.Hook, complete string) error {
	if h.IsSystem() {
		if _, err := outbound.Parse(complete); err != nil {
			return errURL
		}
		return nil
	}
	if err := s.Client.Check(ctx, complete, false); err != nil {
		return s.explainBlocked(ctx, h, err, errURL)
	}
	return nil
}

func setText(into **string, given wire.Optional[string]) {
	if !given.IsSet() {
		return
	}
	*into = given.Ptr()
	if *into != nil && **into == "" {
		*into = nil
	}
}

func checkTexts(c Change) error {
	if utf8.RuneCountInString(value(c.Template)) > maxTemplate {
		return apierr.InvalidUnprocessable("custom_webhook_template", "is too long (maximum is 4096 characters)")
	}
	if strings.ContainsAny(value(c.Token), "\r\n") || len(value(c.Token)) > maxToken {
		return apierr.InvalidUnprocessable("token", "is invalid")
	}
	if token := value(c.SigningToken); token != "" && signingKey(token) == nil {
		return apierr.InvalidUnprocessable("signing_token", "must be whsec_ and the base64 form of 32 bytes")
	}
	return nil
}

// value returns an optional text, or "".
func value(given wire.Optional[string]) string {
	if p := given.Ptr(); p != nil {
		return *p
	}
	return ""
}

const signingPrefix = "whsec_"

// signingKey returns the key in a signing token, or nil if the token is not one.
func signingKey(token string) []byte {
	text, ok := strings.CutPrefix(token, signingPrefix)
	key, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil || len(key) != 32 {
		return nil
	}
	return key
}

// applyFilter changes the branch filter.
func applyFilter(h *model.Hook, c Change) error {
	if c.BranchFilterStrategy != nil {
		h.BranchFilterStrategy = *c.BranchFilterStrategy
	}
	if c.BranchFilter.IsSet() {
		h.PushEventsBranchFilter = c.BranchFilter.Ptr()
	}
	if h.BranchFilterStrategy == model.FilterAllBranches {
		h.PushEventsBranchFilter = nil
	}
	if h.PushEventsBranchFilter == nil {
		return nil
	}
	filter := *h.PushEventsBranchFilter
	if h.BranchFilterStrategy == model.FilterRegex {
		if _, err := regexp.Compile(filter); err != nil {
			return errBranchFilter
		}
		return nil
	}
	refused := func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`~^:?[\`, r) }
	if strings.ContainsFunc(filter, refused) || strings.Contains(filter, "..") || strings.HasPrefix(filter, "/") {
		return errBranchFilter
	}
	return nil
}

// applySecrets changes the token, the signing token, the custom headers and the URL variables.
func applySecrets(open *Secrets, c Change) error {
	if c.Token.IsSet() {
		open.Token = value(c.Token)
	}
	if c.SigningToken.IsSet() {
		open.SigningToken = value(c.SigningToken)
	}
	if c.Headers != nil {
		open.Headers = open.Headers.merge(*c.Headers)
	}
	if c.Variables != nil {
		open.Variables = open.Variables.merge(*c.Variables)
	}
	if !open.Headers.valid() {
		return errHeaders
	}
	if !open.Variables.valid() || slices.ContainsFunc(open.Variables, func(p Pair) bool { return strings.ContainsAny(p.Value, "{}") }) {
		return errValue
	}
	return nil
}
