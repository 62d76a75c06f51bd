package graphql

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/transport/graphql/engine"
	"svc/store"
)

// errHidden is the text for what does not exist or what the caller may not do.
const errHidden = "The resource that you are attempting to access does not exist or you don't have permission to perform this action"

// refuse answers a request whose credential is refused. Other errors are for the middleware.
func (*Handler) refuse(w http.ResponseWriter, err error) error {
	var e *apierr.Error
	if !errors.As(err, &e) {
		return err
	}
	text := ""
	switch {
	case e.Status == http.StatusUnauthorized:
		text = "Invalid token"
	case e.Code == apierr.AccountInactive:
		text = "API not accessible for user"
	case e.Status == http.StatusForbidden && e.Body.ErrorDescription != "":
		text = e.Body.ErrorDescription
	case e.Status == http.StatusForbidden, e.Status == http.StatusBadRequest, e.Status == http.StatusNotFound:
		text = e.Error()
	default:
		return err
	}
	for name, value := range e.Header {
		w.Header().Set(name, value)
	}
	apierr.SetCode(w.Header(), e.HeaderCode())
	return write(w, e.Status, engine.Failed(&engine.Error{Message: text}))
}

// fail refuses a whole request.
func fail(w http.ResponseWriter, status int, text string) error {
	apierr.SetCode(w.Header(), (&apierr.Error{Status: status}).HeaderCode())
	return write(w, status, engine.Failed(&engine.Error{Message: text}))
}

// write writes an answer.
func write(w http.ResponseWriter, status int, answer any) error {
	data, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, err = w.Write(data)
	return err
}

// explain says what the answer shows of an error. A query shows nothing of what the caller may not see.
func (h *Handler) explain(ctx context.Context, err error, writes bool) string {
	if hidden(err) {
		if writes {
			return errHidden
		}
		return ""
	}
	var e *apierr.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "Timeout on Query"
	case errors.As(err, &e) && e.Status < http.StatusInternalServerError:
		return strings.Join(texts(err), ", ")
	case errors.As(err, &e) && e.Status == http.StatusServiceUnavailable:
		return "The service cannot answer now"
	}
	h.Report(ctx, err)
	return "Internal server error"
}

// hidden reports whether an error means that the caller may not see something, or not do it.
func hidden(err error) bool {
	if store.IsNotFound(err) {
		return true
	}
	var e *apierr.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMovedPermanently,
		http.StatusMethodNotAllowed:
		return true
	}
	return false
}

// texts returns the texts of an error of the API, one for each broken rule.
func texts(err error) []string {
	var e *apierr.Error
	if !errors.As(err, &e) {
		return []string{err.Error()}
	}
	fields, ok := e.Body.Message.(map[string][]string)
	if !ok {
		return []string{e.Error()}
	}
	var all []string
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		for _, text := range fields[field] {
			name := strings.ReplaceAll(field, "_", " ")
			if field == "base" {
				all = append(all, text)
				continue
			}
			all = append(all, fmt.Sprintf("%s%s %s", strings.ToUpper(name[:1]), name[1:], text))
		}
	}
	return all
}
