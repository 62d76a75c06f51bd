package control

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// listRequests lists the requests that a world has received.
// GET /worlds/{world}/requests
func listRequests(w *World, r *http.Request) (int, any) {
	q := r.URL.Query()
	method, paths, status := q.Get("method"), pattern(q.Get("path")), q.Get("status")
	return listRecord(r.Context(), w.requests, q, func(one Request) bool {
		return (method == "" || strings.EqualFold(method, one.Method)) && paths.MatchString(one.Path) &&
			(status == "" || status == strconv.Itoa(one.Status))
	})
}

// listMails lists the mails of a world.
// GET /worlds/{world}/mails
func listMails(w *World, r *http.Request) (int, any) {
	q := r.URL.Query()
	to := q.Get("to")
	return listRecord(r.Context(), w.mails, q, func(one Mail) bool { return to == "" || strings.EqualFold(to, one.To) })
}

// listWebhooks lists the webhook deliveries of a world.
// GET /worlds/{world}/webhooks
func listWebhooks(w *World, r *http.Request) (int, any) {
	q := r.URL.Query()
	event := q.Get("event")
	return listRecord(r.Context(), w.webhooks, q, func(one Webhook) bool {
		return event == "" || event == one.Headers.Get("X-Gitlab-Event")
	})
}

// listRecord returns the entries of a record that match, and waits for them if the query asks for it.
func listRecord[E entry](ctx context.Context, from *record[E], q url.Values, match func(E) bool) (int, any) {
	count, _ := strconv.Atoi(q.Get("count")) // the document has checked it
	var limit *float64
	if n, err := strconv.ParseFloat(q.Get("timeout"), 64); err == nil {
		limit = &n
	}
	ctx, cancel := within(ctx, limit)
	defer cancel()
	found, enough := from.wait(ctx, count, match)
	if !enough {
		return http.StatusGatewayTimeout, mistake{fmt.Sprintf("there are %d, not %d", len(found), count)}
	}
	return http.StatusOK, found
}

// deleteRequests empties the record of requests.
// DELETE /worlds/{world}/requests
func deleteRequests(w *World, _ *http.Request) (int, any) {
	w.requests.clear()
	return http.StatusNoContent, nil
}

// deleteMails forgets the mails of a world.
// DELETE /worlds/{world}/mails
func deleteMails(w *World, _ *http.Request) (int, any) {
	w.mails.clear()
	return http.StatusNoContent, nil
}

// deleteWebhooks forgets the webhook deliveries of a world.
// DELETE /worlds/{world}/webhooks
func deleteWebhooks(w *World, _ *http.Request) (int, any) {
	w.webhooks.clear()
	return http.StatusNoContent, nil
}

// listFaults lists the faults of a world.
// GET /worlds/{world}/faults
func listFaults(w *World, _ *http.Request) (int, any) { return http.StatusOK, w.faults.list() }

// createFault makes requests to a world fail.
// POST /worlds/{world}/faults
func createFault(w *World, r *http.Request) (int, any) {
	var asked NewFault
	if err := readBody(r, &asked); err != nil {
		return http.StatusBadRequest, mistake{err.Error()}
	}
	if wrong := asked.mistake(); wrong != "" {
		return http.StatusBadRequest, mistake{wrong}
	}
	return http.StatusCreated, w.faults.add(asked)
}

// deleteFaults removes all faults of a world.
// DELETE /worlds/{world}/faults
func deleteFaults(w *World, _ *http.Request) (int, any) {
	w.faults.clear()
	return http.StatusNoContent, nil
}

// deleteFault removes a fault.
// DELETE /worlds/{world}/faults/{fault}
func deleteFault(w *World, r *http.Request) (int, any) {
	id, err := strconv.ParseInt(r.PathValue("fault"), 10, 64)
	if err != nil || !w.faults.remove(id) {
		return http.StatusNotFound, mistake{"there is no fault " + r.PathValue("fault")}
	}
	return http.StatusNoContent, nil
}
