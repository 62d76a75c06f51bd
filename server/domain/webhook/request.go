package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"svc/server/platform/events"
	"svc/server/platform/outbound"
	"svc/store/model"
	"svc/store/secret"
)

// maxBody is the largest body that is sent.
const maxBody = 25 << 20

var (
	errLargeBody   = errors.New("the body is larger than 25 MB")
	errNoBody      = errors.New("the body could not be built")
	errIncomplete  = errors.New("the URL has a variable without a value")
	redactedHeader = "[REDACTED]"
)

// outgoing is the request of a delivery, and how the log shows it.
type outgoing struct {
	outbound.Request
	shown   map[string]string // headers without secrets
	changed bool              // a template has changed the body
}

// request builds the request of a delivery.
func (s *Service) request(h model.Hook, open Secrets, m model.HookMessage, key string, now time.Time) (outgoing, error) {
	var out outgoing
	if m.Body == nil {
		return out, errNoBody
	}
	body := []byte(*m.Body)
	if h.CustomWebhookTemplate != nil {
		var err error
		if body, err = render(*h.CustomWebhookTemplate, body); err != nil {
			return out, err
		}
		out.changed = true
	}
	if len(body) > maxBody {
		return out, errLargeBody
	}
	complete, ok := interpolate(h.URL, open.Variables)
	if !ok {
		return out, errIncomplete
	}
	to, err := outbound.Parse(complete)
	if err != nil {
		return out, err
	}
	out.Request = outbound.Request{URL: to, Body: body, Local: h.IsSystem(), Insecure: !h.EnableSSLVerification}
	out.Header, out.shown = s.headers(h, open, m, key, body, now)
	return out, nil
}

// headers returns the headers of a delivery, and how the log shows them. Custom headers never replace the others.
func (s *Service) headers(
	h model.Hook, open Secrets, m model.HookMessage, key string, body []byte, now time.Time,
) (header http.Header, shown map[string]string) {
	header, shown = http.Header{}, map[string]string{}
	for _, custom := range open.Headers {
		if name := http.CanonicalHeaderKey(custom.Key); !hopByHop[name] {
			header[name], shown[name] = []string{custom.Value}, redactedHeader
		}
	}
	set := func(name, value, show string) {
		delete(header, http.CanonicalHeaderKey(name))
		delete(shown, http.CanonicalHeaderKey(name))
		header[name], shown[name] = []string{value}, show
	}
	event := m.Event
	if h.IsSystem() {
		event = events.SystemHook
	}
	timestamp := strconv.FormatInt(now.Unix(), 10)
	for _, one := range [][2]string{
		{"Content-Type", "application/json"},
		{"User-Agent", s.UserAgent},
		{"X-Gitlab-Event", event},
		{"X-Gitlab-Instance", s.URL},
		{"X-Gitlab-Webhook-UUID", secret.UUID()},
		{events.ChainHeader, m.Chain},
		{"Idempotency-Key", key},
		{"webhook-id", key},
		{"webhook-timestamp", timestamp},
	} {
		set(one[0], one[1], one[1])
	}
	if open.Token != "" {
		set("X-Gitlab-Token", open.Token, redactedHeader)
	}
	if open.SigningToken != "" {
		signature := sign(signingKey(open.SigningToken), key, timestamp, body)
		set("webhook-signature", signature, signature)
	}
	return header, shown
}

// hopByHop lists headers that belong to the connection. A custom header cannot set them.
var hopByHop = map[string]bool{
	"Connection": true, "Content-Length": true, "Expect": true, "Host": true, "Keep-Alive": true, "Te": true, "Trailer": true,
	"Transfer-Encoding": true, "Upgrade": true,
}

// sign returns the signature of a delivery, in the form of the Standard Webhooks specification.
func sign(key []byte, id, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

var userinfo = regexp.MustCompile(`^([A-Za-z]+://)[^/?#]*@`)

// maskURL returns a URL with its names in braces, and without its user and password.
func maskURL(raw string) string { return userinfo.ReplaceAllString(raw, "${1}*****:*****@") }
