package format

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"
)

// required are the members that every message of the metrics format has.
var required = []string{
	"alerts", "commonAnnotations", "commonLabels", "externalURL", "groupKey", "groupLabels", "receiver", "status",
	"version",
}

func isMetrics(payload map[string]any) bool {
	for _, name := range required {
		if _, ok := payload[name]; !ok {
			return false
		}
	}
	return payload["version"] == "4"
}

func readMetrics(payload map[string]any, o Options) ([]Alert, error) {
	list, ok := payload["alerts"].([]any)
	if !ok {
		return nil, ErrMalformed
	}
	status, err := parseText(payload["status"])
	if err != nil {
		return nil, err
	}
	list = list[:min(len(list), MaxAlerts)]
	read := make([]Alert, 0, len(list))
	for _, value := range list {
		element, ok := value.(map[string]any)
		if !ok {
			return nil, ErrMalformed
		}
		a, err := readMetric(element, status, o.Now)
		if err != nil {
			return nil, err
		}
		read = append(read, a)
	}
	return read, nil
}

// readMetric parses one alert of a message. If it has no status of its own, the status of the message applies.
func readMetric(element map[string]any, status string, now time.Time) (Alert, error) {
	a := Alert{Format: Metrics}
	labels, err := texts(element["labels"])
	if err != nil {
		return a, err
	}
	notes, err := texts(element["annotations"])
	if err != nil {
		return a, err
	}
	if a.Title = cut(first(notes["title"], notes["summary"], labels["alertname"]), maxTitle); a.Title == "" {
		return a, ErrMalformed
	}
	a.Description = cut(notes["description"], maxDescription)
	a.Environment = cut(labels["svc_environment_name"], maxName)
	a.Severity = metricSeverity(labels["severity"])
	start, err := parseTime(element["startsAt"])
	if err != nil || start == nil {
		return a, ErrMalformed
	}
	a.StartedAt = *start
	if err := a.end(element, status, now); err != nil {
		return a, err
	}
	if a.Fingerprint, err = parseText(element["fingerprint"]); err != nil {
		return a, err
	}
	if a.Fingerprint == "" {
		a.Fingerprint = hash(labels) // the sender itself identifies alerts by their labels
		if len(labels) == 0 {
			a.Fingerprint = hash(a.Title)
		}
	} else {
		a.Fingerprint = hash(a.Fingerprint)
	}
	a.Payload, err = json.Marshal(element)
	return a, err
}

// end reads whether an alert is resolved. Only the status decides, because a firing alert may also have an end time.
func (a *Alert) end(element map[string]any, status string, now time.Time) error {
	own, err := parseText(element["status"])
	if err != nil {
		return err
	}
	end, err := parseTime(element["endsAt"])
	if err != nil {
		return err
	}
	if first(own, status) != "resolved" {
		return nil
	}
	if end == nil {
		end = &now
	}
	a.EndedAt = end
	return nil
}

// texts reads labels or annotations.
func texts(value any) (map[string]string, error) {
	if value == nil {
		return nil, nil // reading from a nil map is fine
	}
	members, ok := value.(map[string]any)
	if !ok {
		return nil, ErrMalformed
	}
	read := make(map[string]string, len(members))
	for name, v := range members {
		text, err := parseText(v)
		if err != nil {
			return nil, err
		}
		read[name] = text
	}
	return read, nil
}

// first returns the first text that is not empty.
func first(all ...string) string {
	for _, text := range all {
		if text != "" {
			return text
		}
	}
	return ""
}

var synonyms = map[string]string{
	"critical": Critical, "s1": Critical, "p1": Critical, "emergency": Critical, "fatal": Critical,
	"high": High, "s2": High, "p2": High, "major": High, "page": High,
	"medium": Medium, "s3": Medium, "p3": Medium, "error": Medium, "alert": Medium,
	"low": Low, "s4": Low, "p4": Low, "warn": Low, "warning": Low,
	"info": Info, "s5": Info, "p5": Info, "debug": Info, "information": Info, "notice": Info,
}

// metricSeverity returns the severity of an alert in the metrics format. Unknown values are critical.
func metricSeverity(text string) string {
	if s := synonyms[strings.ToLower(text)]; s != "" {
		return s
	}
	return Critical
}

// Details are the parts of a payload that are not properties of the alert.
type Details struct {
	Runbook  string
	Query    string
	YLabel   string
	Markdown string // text for the incident
	Other    map[string]any
	Payload  map[string]any
}

// ReadDetails parses a stored payload.
func ReadDetails(format string, payload []byte) Details {
	d := Details{Other: map[string]any{}, Payload: map[string]any{}}
	_ = json.Unmarshal(payload, &d.Payload) // it was parsed before it was stored
	if format != Metrics {
		for name, value := range d.Payload {
			d.Other[name] = value
		}
		for _, name := range Fields {
			delete(d.Other, name)
		}
		return d
	}
	labels, _ := texts(d.Payload["labels"])
	notes, _ := texts(d.Payload["annotations"])
	d.Runbook, d.Markdown = notes["runbook"], notes["svc_incident_markdown"]
	d.YLabel = first(notes["svc_y_label"], notes["title"], notes["summary"], labels["alertname"])
	for _, name := range []string{"generatorURL", "generatorUrl"} {
		text, _ := d.Payload[name].(string)
		if u, err := url.Parse(text); err == nil && d.Query == "" {
			d.Query = u.Query().Get("g0.expr")
		}
	}
	if notes["title"] == "" {
		delete(notes, "summary") // the summary is the title
	}
	for _, name := range []string{"title", "description", "runbook", "svc_incident_markdown", "svc_y_label"} {
		delete(notes, name)
	}
	for name, text := range notes {
		d.Other[name] = text
	}
	return d
}
