package integration

import (
	"encoding/json"
	"maps"

	"svc/server/platform/apierr"
	"svc/store/model"
)

// Settings holds what a project or a group has set of an integration.
type Settings struct {
	Events  model.HookEvents
	Values  map[string]any // by the names of the fields; without secrets
	Secrets map[string]string
}

// flags has the members of a request that switch kinds of events on and off.
var flags = map[string]model.HookEvents{
	"push_events": model.HookPush, "tag_push_events": model.HookTagPush, "issues_events": model.HookIssues,
	"confidential_issues_events": model.HookConfidentialIssues, "merge_requests_events": model.HookMergeRequests,
	"note_events": model.HookNotes, "confidential_note_events": model.HookConfidentialNotes, "pipeline_events": model.HookPipelines,
	"wiki_page_events": model.HookWikiPages, "deployment_events": model.HookDeployments,
}

// neverTold lists flags of events that no integration tells here.
var neverTold = []string{
	"alert_events", "incident_events", "job_events", "commit_events", "comment_on_event_enabled", "vulnerability_events",
}

// New returns the settings of a new integration.
func (k Kind) New() Settings {
	s := Settings{Events: k.Defaults, Values: map[string]any{}, Secrets: map[string]string{}}
	for _, f := range k.Fields {
		if f.Default != nil {
			s.Values[f.Name] = f.Default
		}
	}
	return s
}

// Apply returns settings with the given members of a request. Members that the integration does not have are ignored.
func (k Kind) Apply(before Settings, given map[string]any) (Settings, error) {
	s := Settings{Events: before.Events, Values: maps.Clone(before.Values), Secrets: maps.Clone(before.Secrets)}
	for _, name := range neverTold {
		if given[name] == true {
			return s, notOffered(name)
		}
	}
	if only, ok := given["notify_only_default_branch"].(bool); ok && given[branchesField] == nil {
		given = maps.Clone(given)
		given[branchesField] = "all"
		if only {
			given[branchesField] = "default"
		}
	}
	for _, f := range k.Fields {
		value, sent := given[f.Name]
		switch {
		case !sent && f.Required:
			return s, apierr.BadParameter(f.Name + " is missing")
		case !sent:
			continue
		}
		if err := f.check(value); err != nil {
			return s, err
		}
		s.set(f, value)
	}
	for name, kind := range flags {
		if on, sent := given[name].(bool); sent && k.Events.Has(kind) {
			s.Events &^= kind
			if on {
				s.Events |= kind
			}
		}
	}
	return s, nil
}

// set stores a value. An empty text removes it.
func (s Settings) set(f Field, value any) {
	text, isText := value.(string)
	switch {
	case isText && text == "":
		delete(s.Values, f.Name)
		delete(s.Secrets, f.Name)
	case f.Secret:
		s.Secrets[f.Name] = text
	default:
		s.Values[f.Name] = value
	}
}

// Addresses returns the addresses to which requests are sent, by the names of their fields.
func (k Kind) Addresses(s Settings) map[string]string {
	all := map[string]string{}
	for _, f := range k.Fields {
		if text := s.text(f.Name); f.Type == Address && text != "" {
			all[f.Name] = text
		}
	}
	return all
}

// text returns a setting that is a text, secret or not; "" if it is not set.
func (s Settings) text(name string) string {
	if secret, found := s.Secrets[name]; found {
		return secret
	}
	text, _ := s.Values[name].(string)
	return text
}

// on reports whether a switch is on.
func (s Settings) on(name string) bool { return s.Values[name] == true }

// Encode returns the settings that are not secret as they are stored.
func (s Settings) Encode() (string, error) {
	encoded, err := json.Marshal(s.Values)
	return string(encoded), err
}

// Decode reads stored settings.
func Decode(h model.Hook, secrets map[string]string) (Settings, error) {
	s := Settings{Events: h.Events, Values: map[string]any{}, Secrets: secrets}
	if s.Secrets == nil {
		s.Secrets = map[string]string{}
	}
	if h.Settings == nil {
		return s, nil
	}
	return s, json.Unmarshal([]byte(*h.Settings), &s.Values)
}
