// Package conformance runs the conformance suite against the service, and proves that the suite finds mistakes.
package conformance

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"svc/server/cmd/svc/conformance"
	"svc/server/platform/config"
	"svc/tests/harness"
)

// broken is a mistake that a proxy in front of the service makes.
type broken struct {
	only    string                              // what the suite is asked to test
	request func(*http.Request)                 // changes requests on their way to the service
	answer  func(*http.Response, []byte) []byte // changes answers on their way back
	promise string                              // a part of the promise that the suite must name
	problem string                              // a part of the problem that the suite must name
}

// on applies a change to the answers of one path.
func on(method, suffix string, change func(*http.Response, []byte) []byte) func(*http.Response, []byte) []byte {
	return func(res *http.Response, body []byte) []byte {
		if res.Request.Method != method || !strings.HasSuffix(res.Request.URL.Path, suffix) {
			return body
		}
		return change(res, body)
	}
}

func status(from, to int) func(*http.Response, []byte) []byte {
	return func(res *http.Response, body []byte) []byte {
		if res.StatusCode == from {
			res.StatusCode = to
		}
		return body
	}
}

func withoutHeader(name string) func(*http.Response, []byte) []byte {
	return func(res *http.Response, body []byte) []byte {
		res.Header.Del(name)
		return body
	}
}

func replace(from, to string) func(*http.Response, []byte) []byte {
	return func(_ *http.Response, body []byte) []byte { return bytes.ReplaceAll(body, []byte(from), []byte(to)) }
}

// mistakes are the mistakes that the suite must name.
func mistakes(admin string) map[string]broken {
	return map[string]broken{
		"a header is removed": {
			only: "offset pagination", answer: on("GET", "/members", withoutHeader("X-Next-Page")),
			promise: "A page of a list has the headers of pagination.", problem: "header X-Next-Page is missing",
		},
		"a link leads to the same page": {
			only: "offset pagination", answer: on("GET", "/members", func(res *http.Response, body []byte) []byte {
				res.Header.Set("Link", strings.ReplaceAll(res.Header.Get("Link"), "page=2", "page=1"))
				return body
			}),
			promise: "Following the next links reads every row once.", problem: "comes twice",
		},
		"a status is changed": {
			only: "createAdminCiVariable", answer: on("POST", "/variables", status(201, 200)),
			promise: "An administrator creates a variable.", problem: "the status is 200, expected 201",
		},
		"a status is not documented": {
			only: "getAdminCiVariable", answer: on("GET", "_NONE", status(404, 418)),
			promise: "A missing variable is 404.", problem: "this status is not declared",
		},
		"a member is dropped": {
			only: "getAdminCiVariable", answer: on("GET", "_A", replace(`"protected":true,`, "")),
			promise: "An administrator reads a variable.", problem: `property "protected" is missing`,
		},
		"a member has another type": {
			only: "getAdminCiVariable", answer: on("GET", "_A", replace(`"protected":true`, `"protected":"yes"`)),
			promise: "An administrator reads a variable.", problem: "value must be a boolean",
		},
		"a member is added": {
			only: "getAdminCiVariable", answer: on("GET", "_A", replace(`{"key":`, `{"secret":"x","key":`)),
			promise: "An administrator reads a variable.", problem: "member .secret is not declared",
		},
		"a permission is ignored": {
			only: "getAdminCiVariable", request: func(req *http.Request) {
				if strings.HasSuffix(req.URL.Path, "_A") {
					req.Header.Set("Private-Token", admin)
				}
			},
			promise: "The owner gets 403.", problem: "the status is 200, expected 403",
		},
		"a missing token is ignored": {
			only: "getAdminCiVariable", request: func(req *http.Request) {
				if req.Header.Get("Private-Token") == "" {
					req.Header.Set("Private-Token", admin)
				}
			},
			promise: "The anonymous gets 401.", problem: "expected 401",
		},
		"conditions are ignored": {
			only: "conditional requests", request: func(req *http.Request) { req.Header.Del("If-None-Match") },
			promise: "A JSON answer has an ETag", problem: "with If-None-Match the status is 200",
		},
		"an error has no message": {
			only: "errors", answer: on("GET", "/no_such_thing", func(*http.Response, []byte) []byte { return []byte("{}") }),
			promise: "An unknown path is 404 with a JSON error.", problem: "neither message nor error",
		},
		"a value is not stored": {
			only: "updateAdminCiVariable", answer: on("PUT", "_A", replace(`"value":"two"`, `"value":"one"`)),
			promise: "An administrator changes a variable.", problem: `member .value is "one", expected "two"`,
		},
		"the service fails": {
			only: "getAdminCiVariable", answer: on("GET", "_A", status(200, 502)),
			promise: "An administrator reads a variable.", problem: "the status is 502",
		},
	}
}

// Each mistake is found, and the report names the promise that is broken.
func TestTheSuiteNamesEveryMistake(t *testing.T) {
	t.Parallel()
	h := harness.New(t, quickly)
	h.StartWorker()
	admin := h.Root().Token
	for name, mistake := range mistakes(admin) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, err := conformance.Run(t.Context(), conformance.Options{
				URL: proxy(t, h.URL, mistake), Token: admin, Only: []string{mistake.only}, Parallel: 2,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, result := range report.Results {
				if result.Outcome == conformance.Failed && strings.Contains(result.Promise, mistake.promise) &&
					strings.Contains(strings.Join(result.Problems, "\n"), mistake.problem) {
					if result.Request == "" || result.Answer == "" {
						t.Errorf("the report has no request or no answer: %+v", result)
					}
					return
				}
			}
			var text strings.Builder
			report.WriteText(&text, true)
			t.Errorf("%q with %q is not in the report:\n%s", mistake.promise, mistake.problem, text.String())
		})
	}
}

// --lenient accepts members that the document does not name, but requires those that it names.
func TestLenientAcceptsMoreMembersAndNotFewer(t *testing.T) {
	t.Parallel()
	h := harness.New(t, quickly)
	h.StartWorker()
	all := mistakes(h.Root().Token)
	for name, fails := range map[string]bool{"a member is added": false, "a member is dropped": true} {
		report, err := conformance.Run(t.Context(), conformance.Options{
			URL: proxy(t, h.URL, all[name]), Token: h.Root().Token, Only: []string{all[name].only}, Lenient: true,
		})
		if err != nil || (report.Failed > 0) != fails {
			t.Errorf("%s: %v", name, err)
			for _, result := range report.Results {
				t.Log(result.Promise, result.Problems)
			}
		}
	}
}

// quickly makes the service of a test write a short log.
func quickly(cfg *config.Config) { cfg.LogLevel = "error" }

// proxy starts a proxy that makes a mistake, and returns its URL.
func proxy(t *testing.T, target string, mistake broken) string {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	var front *httptest.Server
	p := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Header.Del("Accept-Encoding")
			if mistake.request != nil {
				mistake.request(r.Out)
			}
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }, // interrupted
		ModifyResponse: func(res *http.Response) error {
			body, err := io.ReadAll(res.Body)
			if err != nil {
				return err
			}
			// The links of the service name its own address.
			res.Header.Set("Link", strings.ReplaceAll(res.Header.Get("Link"), target, front.URL))
			if res.Header.Get("Link") == "" {
				res.Header.Del("Link")
			}
			if mistake.answer != nil {
				body = mistake.answer(res, body)
			}
			res.Body = io.NopCloser(bytes.NewReader(body))
			res.ContentLength = int64(len(body))
			if res.Request.Method != http.MethodHead {
				res.Header.Set("Content-Length", strconv.Itoa(len(body)))
			}
			return nil
		},
	}
	front = httptest.NewServer(p)
	t.Cleanup(front.Close)
	return front.URL
}

// A run that is interrupted deletes what it has created.
func TestAnInterruptedRunLeavesNothing(t *testing.T) {
	t.Parallel()
	h := harness.New(t, quickly)
	h.StartWorker()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var seen atomic.Int64
	front := proxy(t, h.URL, broken{request: func(*http.Request) {
		if seen.Add(1) == 60 { // while users, groups and projects exist
			interrupt()
		}
	}})
	if _, err := conformance.Run(ctx, conformance.Options{URL: front, Token: h.Root().Token, Parallel: 1}); err == nil {
		t.Error("the run was not interrupted")
	}
	expectNothingLeft(t, h.URL, h.Root().Token)
}
