package integration

import (
	"fmt"
	"net/mail"
	"net/url"
	"regexp"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/platform/outbound"
)

// Field is a setting of an integration.
type Field struct {
	Name     string
	Type     Type
	Required bool
	Secret   bool // stored encrypted and never returned
	Default  any  // nil for none
}

// Type says which values a setting has.
type Type int

// The types of settings. The document limits the length of texts.
const (
	Text       Type = iota
	Switch          // a bool
	NeverOn         // a bool that can only be false, because this service does not do what it asks for
	Number          // an integer
	Channel         // the name of one channel
	Token           // a text that fits into a URL and a header
	Address         // a URL to which requests are sent
	Link            // a URL that people follow
	IssueLink       // a link with :id in the place of the number of an issue
	Recipients      // mail addresses
)

// Settings that several integrations have.
var (
	webhook    = []Field{{Name: "webhook", Type: Address, Required: true, Secret: true}}
	named      = []Field{{Name: "username"}, {Name: "channel", Type: Channel}}
	labels     = []Field{{Name: "labels_to_be_notified"}, {Name: "labels_to_be_notified_behavior", Default: "match_any"}}
	onlyBroken = Field{Name: "notify_only_broken_pipelines", Type: Switch, Default: true}
	recipients = Field{Name: "recipients", Type: Recipients, Required: true}
	newIssue   = Field{Name: "new_issue_url", Type: Link, Required: true}
)

// branches returns the setting that selects branches.
func branches(usual string) Field { return Field{Name: branchesField, Default: usual} }

const branchesField = "branches_to_be_notified"

// channels returns the settings of channels for single kinds of events.
func channels(kind Type, secret bool) []Field {
	var fields []Field
	for _, event := range []string{
		"push", "tag_push", "issue", "confidential_issue", "merge_request", "note", "confidential_note", "pipeline", "wiki_page",
		"deployment",
	} {
		fields = append(fields, Field{Name: event + "_channel", Type: kind, Secret: secret})
	}
	return fields
}

// check refuses a value that breaks the rules of its type. Whether an address may be reached is not checked here.
func (f Field) check(value any) error {
	text, _ := value.(string)
	switch f.Type {
	case NeverOn:
		if value == true {
			return notOffered(f.Name)
		}
	case Channel:
		if strings.ContainsAny(text, ",\r\n") {
			return f.invalid("must be one channel")
		}
	case Token:
		if !token.MatchString(text) {
			return f.invalid("is not a token")
		}
	case Address:
		if _, err := outbound.Parse(text); err != nil && text != "" {
			return f.invalid("is not an address that can be used")
		}
	case Link, IssueLink:
		return f.checkLink(text)
	case Recipients:
		return f.checkRecipients(text)
	case Text, Switch, Number: // the document says everything
	}
	return nil
}

var token = regexp.MustCompile(`^[A-Za-z0-9._~:+/=-]+$`)

// invalid is the error for a value that breaks a rule.
func (f Field) invalid(rule string) error { return Invalid(f.Name + " " + rule) }

// Invalid is the error for settings that break a rule.
func Invalid(reason string) error { return apierr.Refused("400 Bad Request - " + reason) }

func (f Field) checkLink(text string) error {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || strings.ContainsAny(text, " \r\n\t<>\"") {
		return f.invalid("is not a link with http or https")
	}
	if f.Type == IssueLink && !strings.Contains(text, ":id") {
		return f.invalid("does not contain :id")
	}
	return nil
}

// MaxRecipients is how many mail addresses an integration has.
const MaxRecipients = 100

func (f Field) checkRecipients(text string) error {
	all := addresses(text)
	if len(all) == 0 {
		return apierr.BadParameter(f.Name + " is missing")
	}
	if len(all) > MaxRecipients {
		return f.invalid(fmt.Sprintf("has more than %d addresses", MaxRecipients))
	}
	for _, one := range all {
		if parsed, err := mail.ParseAddress(one); err != nil || parsed.Address != one {
			return f.invalid("has a text that is not a mail address")
		}
	}
	return nil
}

// addresses splits a list of mail addresses.
func addresses(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;\r\n\t", r) })
}
