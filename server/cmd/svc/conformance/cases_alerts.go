package conformance

import (
	"context"
	"encoding/base64"
	"net/http"
)

// alerts has the intake of alerts of monitoring programs.
func alerts() Area {
	return Area{Name: "alerts", Scenarios: []Scenario{{Name: "alert intake", Cases: alertCases}}}
}

const metricsAlert = `{"version":"4","groupKey":"k","receiver":"r","status":"firing","externalURL":"https://monitor.invalid",
	"groupLabels":{},"commonLabels":{},"commonAnnotations":{},
	"alerts":[{"status":"firing","labels":{"alertname":"Disk full","severity":"warning"},"annotations":{},
	"startsAt":"2026-01-02T03:04:05.123456789Z","endsAt":"0001-01-01T00:00:00Z","fingerprint":"0123456789abcdef"}]}`

var alertCases = []Case{
	{
		Promise: "A maintainer creates an integration.", As: Maintainer, Send: "POST /projects/<project>/alert_integrations", Status: 201,
		JSON: `{"type":"http","name":"<prefix>"}`, Has: `{"url":"*","key":"*"}`,
		Keep: map[string]string{"alert_url": "url", "alert_key": "key"}, Refused: maintainers,
	},
	alertCase("An alert is accepted with the key as a bearer token.", bearerKey,
		`{"title":"One","severity":"high"}`, 200, `[{"iid":"*","title":"One"}]`),
	alertCase("An alert is accepted with the key as a password.", basicKey, `{"title":"Two"}`, 200, `[{"title":"Two"}]`),
	alertCase("An alert without a title is called New: Alert.", bearerKey, `{"description":"x"}`, 200, `[{"title":"New: Alert"}]`),
	alertCase("An alert of a metrics program is accepted.", bearerKey, metricsAlert, 200, `[{"title":"Disk full"}]`),
	alertCase("An alert without a key is refused.", noKey, `{"title":"No"}`, 401, ""),
	alertCase("An alert with a wrong key is refused.", wrongKey, `{"title":"No"}`, 401, ""),
	{
		Promise: "The severity and the status of an alert are kept.",
		As:      Developer, Send: "GET /projects/<project>/alerts?search=One", Status: 200,
		Until: true, Has: `[{"title":"One","severity":"high"}]`, Refused: map[Caller]int{Anonymous: 401, Outsider: 404, Guest: 403},
	},
}

func bearerKey(key string) string { return "Bearer " + key }
func basicKey(key string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(":"+key))
}
func wrongKey(string) string { return "Bearer wrong" }
func noKey(string) string    { return "" }

// alertCase sends an alert to the URL of the integration.
func alertCase(promise string, authorization func(key string) string, body string, status int, has string) Case {
	return Case{Promise: promise, Status: status, Do: func(ctx context.Context, s *Session) error {
		address, err := s.values.get("alert_url")
		if err != nil {
			return err
		}
		key, err := s.values.get("alert_key")
		if err != nil {
			return err
		}
		r := Request{Method: http.MethodPost, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body), As: Anonymous}
		if r.Path, err = s.below(address); err != nil {
			return err
		}
		if value := authorization(key); value != "" {
			r.Header.Set("Authorization", value)
		}
		a, err := s.send(ctx, r)
		if err == nil {
			s.compare(ctx, Case{Status: status, Has: has}, a)
		}
		return err
	}}
}
