package harness

import (
	"net/http"
	"sync"
)

// recorded has the operations that recorded an audit event.
var recorded sync.Map

// RecordedAudit reports whether an operation recorded an audit event in this test process when it answered with success.
func RecordedAudit(operationID string) bool {
	_, ok := recorded.Load(operationID)
	return ok
}

// Writes reports whether a method changes something.
func Writes(method string) bool {
	switch method {
	case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return true
	}
	return false
}

// watch reads the last audit event before a request, and the returned function compares after a success. An operation
// that is already known to record audit events is no longer watched.
func (h *H) watch(req *http.Request) func(*http.Response) {
	route := match(req)
	if route == nil || !Writes(route.Method) || RecordedAudit(route.Op.OperationID) {
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
		h.T.Log(err) // the test may have closed the database
	}
	return id
}
