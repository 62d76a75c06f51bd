// Package alerthttp receives the alerts that monitoring tools send over HTTP.
package alerthttp

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/domain/monitoring/alert/format"
	"svc/server/domain/monitoring/intake"
	"svc/server/platform/apierr"
	"svc/server/transport/middleware/limit"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// bodyPatience is how long a message may take to arrive.
const bodyPatience = 30 * time.Second

// Handler receives messages over HTTP. Its URLs are below those of projects, so they are not in the OpenAPI document.
type Handler struct {
	intake  *intake.Intake
	limiter *limit.Limiter
	rule    limit.Current // limits the messages to one project
}

// New returns the handler; rule limits the messages to one project.
func New(alerts *intake.Intake, limiter *limit.Limiter, rule limit.Current) *Handler {
	return &Handler{intake: alerts, limiter: limiter, rule: rule}
}

var address = regexp.MustCompile(`^/([^/]+(?:/[^/]+)+?)(/prometheus)?/alerts/notify(?:/[^/]*/([0-9a-z-]+))?\.json$`)

// place is the project and the integration that a URL names.
type place struct {
	project, identifier string
	metricsOnly         bool
}

// Match reports whether a request is for this handler.
func Match(r *http.Request) bool {
	_, ok := find(r)
	return ok
}

func find(r *http.Request) (place, bool) {
	path := r.URL.Path
	if r.Method != http.MethodPost || !strings.HasSuffix(path, ".json") || strings.HasPrefix(path, "/api/") ||
		!utf8.ValidString(path) || strings.ContainsRune(path, 0) {
		return place{}, false
	}
	named := address.FindStringSubmatch(path)
	if named == nil || named[2] != "" && named[3] != "" {
		return place{}, false
	}
	p := place{project: named[1], identifier: named[3], metricsOnly: named[2] != ""}
	switch {
	case p.metricsOnly:
		p.identifier = model.LegacyMetrics
	case p.identifier == "":
		p.identifier = model.LegacyAlerts
	}
	return p, true
}

// Serve answers a message. A refused message gets a status without a body; an error is a failure of the service.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request) error {
	to, _ := find(r)
	endpoint, err := h.intake.Endpoint(r.Context(), to.project, to.identifier)
	if store.IsNotFound(err) {
		return refuse(w, http.StatusNotFound)
	}
	if err != nil {
		return err
	}
	if hidden(endpoint, to, authorized(r, endpoint.Digest)) {
		return refuse(w, http.StatusNotFound)
	}
	body, ok := read(w, r)
	switch {
	case !ok || format.TooDeep(body):
		return refuse(w, http.StatusBadRequest)
	case endpoint.IntegrationID == 0 || !endpoint.Active || endpoint.Archived:
		return refuse(w, http.StatusForbidden)
	case !authorized(r, endpoint.Digest):
		return refuse(w, http.StatusUnauthorized)
	}
	count, err := h.limiter.Take(r.Context(), h.rule.Rule(), strconv.FormatInt(endpoint.ProjectID, 10))
	if err != nil {
		return err
	}
	if count.Over() {
		return later(w, count.Wait())
	}
	taken, err := h.intake.Record(r.Context(), endpoint, body, to.metricsOnly)
	switch {
	case errors.Is(err, format.ErrFormat):
		return refuse(w, http.StatusUnprocessableEntity)
	case errors.Is(err, format.ErrMalformed):
		return refuse(w, http.StatusBadRequest)
	case err != nil:
		return err
	}
	return answer(w, taken)
}

// hidden reports whether the response must be that of a project that does not exist. A project that is not public is
// visible only to a client with its key, or at the URL of an active integration, which cannot be guessed.
func hidden(e model.AlertEndpoint, to place, authorized bool) bool {
	if e.Public || (authorized && e.IntegrationID != 0) {
		return false
	}
	guessed := to.identifier == model.LegacyAlerts || to.identifier == model.LegacyMetrics
	return guessed || e.IntegrationID == 0 || !e.Active || e.Archived
}

// read reads a message, up to the largest allowed size.
func read(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if r.ContentLength > format.MaxBody {
		w.Header().Set("Connection", "close") // do not wait for the rest
		return nil, false
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyPatience)) // not every connection has deadlines
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, format.MaxBody))
	return body, err == nil
}

// authorized reports whether a request has the key, as a bearer token or as a password without a username. Credentials
// in a URL arrive as the latter.
func authorized(r *http.Request, digest []byte) bool {
	scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	key = strings.TrimSpace(key)
	if name, password, ok := r.BasicAuth(); ok {
		if name != "" {
			return false
		}
		key = password
	} else if !strings.EqualFold(scheme, "Bearer") {
		return false
	}
	return key != "" && subtle.ConstantTimeCompare(secret.Digest(key), digest) == 1
}

func refuse(w http.ResponseWriter, status int) error {
	code := apierr.CodeOf(status)
	switch status {
	case http.StatusBadRequest:
		code = apierr.BodyMalformed
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", `Bearer realm="Alerts"`)
	}
	apierr.SetCode(w.Header(), code)
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(status)
	return nil
}

func later(w http.ResponseWriter, seconds int) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	apierr.SetCode(w.Header(), apierr.RateLimited)
	w.WriteHeader(http.StatusTooManyRequests)
	_, err := io.WriteString(w, "Retry later\n")
	return err
}

func answer(w http.ResponseWriter, taken []store.RecordedAlert) error {
	type shown struct {
		IID   int64  `json:"iid"`
		Title string `json:"title"`
	}
	list := make([]shown, len(taken))
	for i, a := range taken {
		list[i] = shown{a.IID, a.Title}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	return json.NewEncoder(w).Encode(list)
}
