package control

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"

	contract "svc/openapi/control"
)

const (
	// maxBody is the largest body of a request to the control plane. Fixtures are in it.
	maxBody = 16 << 20
	// defaultTimeout is how long operations wait, unless the request says otherwise.
	defaultTimeout = 10 * time.Second
)

// operation is an operation on a world. It returns the status and the body of the answer.
type operation func(w *World, r *http.Request) (status int, body any)

// mistake is the body of an answer that says what is wrong.
type mistake struct {
	Message string `json:"message"`
}

// handler returns the handler of the control plane.
func (c *Control) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /worlds", func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, http.StatusOK, c.shown()) })
	mux.HandleFunc("POST /worlds", c.createWorld)
	for pattern, run := range map[string]operation{
		"GET /worlds/{world}":                   getWorld,
		"PATCH /worlds/{world}":                 updateWorld,
		"DELETE /worlds/{world}":                c.deleteWorld,
		"POST /worlds/{world}/reset":            resetWorld,
		"POST /worlds/{world}/settle":           settleWorld,
		"GET /worlds/{world}/faults":            listFaults,
		"GET /worlds/{world}/clock":             getClock,
		"PUT /worlds/{world}/clock":             moveClock,
		"DELETE /worlds/{world}/clock":          resetClock,
		"POST /worlds/{world}/faults":           createFault,
		"DELETE /worlds/{world}/faults":         deleteFaults,
		"DELETE /worlds/{world}/faults/{fault}": deleteFault,
		"GET /worlds/{world}/requests":          listRequests,
		"DELETE /worlds/{world}/requests":       deleteRequests,
		"GET /worlds/{world}/mails":             listMails,
		"DELETE /worlds/{world}/mails":          deleteMails,
		"GET /worlds/{world}/webhooks":          listWebhooks,
		"DELETE /worlds/{world}/webhooks":       deleteWebhooks,
	} {
		mux.HandleFunc(pattern, c.onWorld(run))
	}
	root := http.NewServeMux()
	root.HandleFunc("GET /openapi.yaml", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/yaml")
		_, _ = w.Write(contract.Document)
	})
	root.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(c.document.json)
	})
	root.Handle("/", c.checked(mux))
	return localOnly(root)
}

// localOnly refuses what a page of another origin, or a name that somebody let point to this machine, makes a browser
// send: the control plane needs no credential.
func localOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		addr, err := netip.ParseAddr(host)
		if local := host == "localhost" || err == nil && addr.IsLoopback(); !local || r.Header.Get("Origin") != "" {
			answerJSON(w, http.StatusForbidden, mistake{"the control plane answers programs on this machine only, not web pages"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// checked refuses requests that the document does not allow.
func (c *Control) checked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		if status, message := c.document.check(r); status != 0 {
			answerJSON(w, status, mistake{message})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// onWorld returns a handler that runs an operation on the world of the path.
func (c *Control) onWorld(run operation) http.HandlerFunc {
	return func(out http.ResponseWriter, r *http.Request) {
		w, ok := c.world(r.PathValue("world"))
		if !ok {
			answerJSON(out, http.StatusNotFound, mistake{"there is no world " + r.PathValue("world")})
			return
		}
		status, body := run(w, r)
		answerJSON(out, status, body)
	}
}

// answerJSON writes an answer; without a body if it is nil.
func answerJSON(w http.ResponseWriter, status int, body any) {
	if body == nil {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(body) // the caller is gone if that fails
}

// readBody reads the body of a request, which the document has checked. An empty body leaves the value as it is.
func readBody(r *http.Request, into any) error {
	err := json.NewDecoder(r.Body).Decode(into)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// within returns a context with a time limit in seconds; with the default one if it is nil.
func within(ctx context.Context, limit *float64) (context.Context, context.CancelFunc) {
	wait := defaultTimeout
	if limit != nil {
		wait = seconds(*limit)
	}
	return context.WithTimeout(ctx, wait)
}
