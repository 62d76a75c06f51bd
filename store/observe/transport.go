package observe

import "net/http"

// Transport records a span for each request that it makes. Its receivers do not get the trace: they are services that the
// administrator uses, not parts of the instance.
type Transport struct{ Base http.RoundTripper }

// RoundTrip makes a request. The span ends with the headers of the response.
func (t Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	span := Start(req.Context(), req.Method, Client)
	res, err := t.Base.RoundTrip(req)
	if span == nil {
		return res, err
	}
	span.SetText("http.request.method", req.Method)
	span.SetText("server.address", req.URL.Hostname())
	if err != nil {
		span.Fail("the receiver could not be reached")
	} else {
		span.SetNumber("http.response.status_code", int64(res.StatusCode))
	}
	span.Finish()
	return res, err
}

// CloseIdleConnections closes the idle connections of the transport inside.
func (t Transport) CloseIdleConnections() {
	if base, ok := t.Base.(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}
