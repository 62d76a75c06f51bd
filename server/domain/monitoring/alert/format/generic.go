package format

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"
)

// Fields are the properties of the generic format.
var Fields = []string{
	"title", "description", "start_time", "end_time", "service", "monitoring_tool", "hosts", "severity", "fingerprint",
	"svc_environment_name",
}

// Mapping maps a property to its path in a payload: the names from the outside to the inside.
type Mapping map[string][]string

// Find follows a path into a payload. It returns nil if the path does not exist.
func Find(payload any, path []string) any {
	for _, step := range path {
		switch at := payload.(type) {
		case map[string]any:
			payload = at[step]
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n >= len(at) {
				return nil
			}
			payload = at[n]
		default:
			return nil
		}
	}
	return payload
}

// property returns a property of a payload: from the mapped path, or else under its own name. A payload with a mapping
// was not made for this service, so numbers and booleans at a mapped path are accepted as texts.
func (o Options) property(payload map[string]any, name string) any {
	if path := o.Mapping[name]; len(path) > 0 {
		switch v := Find(payload, path).(type) {
		case nil:
		case json.Number:
			return string(v)
		case bool:
			return strconv.FormatBool(v)
		default:
			return v
		}
	}
	return payload[name]
}

func readGeneric(payload map[string]any, o Options) (Alert, error) {
	a := Alert{Format: Generic, StartedAt: o.Now}
	for _, p := range []struct {
		name string
		most int
		into *string
	}{
		{"title", maxTitle, &a.Title},
		{"description", maxDescription, &a.Description},
		{"service", maxWord, &a.Service},
		{"monitoring_tool", maxWord, &a.MonitoringTool},
		{"severity", maxName, &a.Severity},
		{"svc_environment_name", maxName, &a.Environment},
	} {
		text, err := parseText(o.property(payload, p.name))
		if err != nil {
			return a, err
		}
		*p.into = cut(text, p.most)
	}
	if a.Title == "" {
		a.Title = Untitled
	}
	a.Severity = plainSeverity(a.Severity)
	start, err := parseTime(o.property(payload, "start_time"))
	if err != nil {
		return a, err
	}
	if start != nil {
		a.StartedAt = *start
	}
	if a.EndedAt, err = parseTime(o.property(payload, "end_time")); err != nil {
		return a, err
	}
	if start == nil && a.EndedAt != nil && a.EndedAt.Before(o.Now) {
		a.StartedAt = *a.EndedAt // an alert cannot begin after its end
	}
	if a.Hosts, err = hosts(o.property(payload, "hosts")); err != nil {
		return a, err
	}
	a.Fingerprint, err = o.fingerprint(payload)
	return a, err
}

// plainSeverity returns the severity of an alert in the generic format. Unknown values are critical.
func plainSeverity(text string) string {
	switch s := strings.ToLower(text); s {
	case Critical, High, Medium, Low, Info, Unknown:
		return s
	}
	return Critical
}

// hosts reads one host or several.
func hosts(value any) ([]string, error) {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	var names []string
	for _, v := range list {
		name, err := parseText(v)
		if err != nil {
			return nil, err
		}
		if name != "" && len(names) < maxHosts {
			names = append(names, cut(name, maxName))
		}
	}
	return names, nil
}

// fingerprint returns the hash that identifies alerts about the same problem: of the fingerprint that was sent or, with
// ByPayload, of the payload without its times and hosts.
func (o Options) fingerprint(payload map[string]any) (string, error) {
	switch v := o.property(payload, "fingerprint").(type) {
	case nil:
	case string:
		if strings.TrimSpace(v) != "" {
			return hash(v), nil
		}
	case []any:
		for _, part := range v {
			switch part.(type) {
			case map[string]any, []any, nil:
				return "", ErrMalformed
			}
		}
		if len(v) > 0 {
			return hash(v), nil
		}
	default:
		return "", ErrMalformed
	}
	if !o.ByPayload {
		return "", nil
	}
	rest := any(payload)
	for _, name := range []string{"start_time", "end_time", "hosts"} {
		rest = without(rest, []string{name})
		rest = without(rest, o.Mapping[name])
	}
	return hash(rest), nil // JSON objects are marshaled with sorted keys
}

// without returns a payload without the value at a path. The remaining values are shared, not copied.
func without(payload any, path []string) any {
	members, ok := payload.(map[string]any)
	if !ok || len(path) == 0 {
		return payload
	}
	value, ok := members[path[0]]
	if !ok {
		return payload
	}
	rest := maps.Clone(members)
	if len(path) == 1 {
		delete(rest, path[0])
	} else {
		rest[path[0]] = without(value, path[1:])
	}
	return rest
}
