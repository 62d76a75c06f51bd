package harness

import (
	"net/http"
	"sync"
)

// recorded remembers which operations wrote audit events down.
var recorded sync.Map

// Recorded tells whether the audit events of a service grew while an operation answered a test of this process with success.
func Recorded(operationID string) bool {
	_, ok := recorded.Load(operationID)
	return ok
}

// Writes tells whether a method changes something.
func Writes(method string) bool {
	switch method {
	case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return true
	}
	return false
}

// watch looks at the audit events before a request, and what it returns looks again after a success. An operation that is known to
// write them is not watched any more.
func (h *H) watch(req *http.Request) func(*http.Response) {
	route := match(req)
	if route == nil || !Writes(route.Method) || Recorded(route.Op.OperationID) {
		return func(*http.Response) {}
	}
	before := h.lastAudit()
	return func(res *http.Response) {
		if res.StatusCode < http.StatusBadRequest && h.lastAudit() > before {
			recorded.Store(route.Op.OperationID, true)
		}
	}
}

func (h *H) lastAudit() (id int64) {
	pools := h.Store.Pools()
	pool := pools["read"]
	if pool == nil {
		pool = pools["main"]
	}
	if err := pool.QueryRowContext(h.T.Context(), "SELECT coalesce(max(id), 0) FROM audit_events").Scan(&id); err != nil {
		h.T.Log(err) // the test may have taken the database away
	}
	return id
}
