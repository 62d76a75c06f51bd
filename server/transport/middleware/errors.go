package middleware

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strings"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/blob"
	"svc/store/secret"
	"svc/store/storage"

	"github.com/labstack/echo/v4"
)

// retryAfter is the number of seconds after which a caller may try again if the database was too slow.
const retryAfter = 5

// statusClosed is logged if the client disconnected before the response.
const statusClosed = 499

// ErrorPage writes an error page if the client is a browser that wants a page, and reports whether it did.
type ErrorPage func(c echo.Context, e *apierr.Error) bool

// WriteError is the only place that turns an error into a response: a page for a browser, JSON for a program.
func WriteError(logger *slog.Logger, ops *Operations, page ErrorPage) echo.HTTPErrorHandler {
	return func(err error, c echo.Context) {
		if c.Response().Committed {
			return
		}
		e := ops.explain(c, toAnswer(c, err))
		if e.Status >= http.StatusInternalServerError && !isBusy(err) {
			logger.ErrorContext(
				c.Request().Context(), "request failed",
				"error", err.Error(), "request_id", info(c).ID, "operation", info(c).Operation,
			)
		}
		h := c.Response().Header()
		for name, value := range e.Header {
			h.Set(name, value)
		}
		apierr.SetCode(h, e.HeaderCode())
		h.Set("Cache-Control", "no-cache")
		if page != nil && page(c, e) {
			return
		}
		if e.Text != "" {
			h.Set("Content-Type", "text/plain; charset=utf-8")
			c.Response().WriteHeader(e.Status)
			c.Response().Write([]byte(e.Text)) //nolint:errcheck // the caller is gone
			return
		}
		h.Set("Content-Type", "application/json")
		c.Response().WriteHeader(e.Status)
		json.NewEncoder(c.Response()).Encode(e.Body) //nolint:errcheck // the caller is gone
	}
}

// isBusy reports whether the service chose this response because it is overloaded. The request log already shows it, so
// WriteError does not log another line.
func isBusy(err error) bool {
	var hashing *secret.BusyError
	var chosen *apierr.Error
	return errors.As(err, &hashing) || (errors.As(err, &chosen) && chosen.Header["Retry-After"] != "")
}

func toAnswer(c echo.Context, err error) *apierr.Error {
	if e := asError(err); e != nil {
		return e
	}
	if failed := fromStore(err); failed != nil {
		return asError(failed)
	}
	if failed := fromDisk(c, err); failed != nil {
		return asError(failed)
	}
	var tooLarge *http.MaxBytesError
	var busy *secret.BusyError
	var he *echo.HTTPError
	switch {
	case errors.As(err, &tooLarge):
		return asError(tooLargeBody(tooLarge.Limit))
	case errors.As(err, &busy):
		return asError(apierr.Busy(int(math.Ceil(busy.RetryAfter.Seconds()))))
	case errors.Is(err, http.ErrNotMultipart): // an operation that accepts files got another type of body
		return asError(apierr.UnsupportedMedia(c.Request().Header.Get(echo.HeaderContentType)))
	case errors.Is(err, http.ErrMissingBoundary):
		return asError(apierr.Malformed("The multipart body has no boundary"))
	case errors.As(err, &he):
		return asError(fromEcho(c, he))
	case errors.Is(err, context.Canceled):
		return &apierr.Error{Status: statusClosed, Body: apierr.Body{Message: "Client Closed Request"}}
	case errors.Is(err, context.DeadlineExceeded):
		return asError(apierr.Busy(retryAfter))
	}
	return asError(apierr.Internal(info(c).ID))
}

func fromStore(err error) error {
	var missing *store.NotFoundError
	var conflict *store.ConflictError
	var changed *store.ChangedError
	var away *store.UnavailableError
	switch {
	case errors.As(err, &away):
		return apierr.Busy(retryAfter)
	case errors.As(err, &missing):
		return apierr.NotFound(missing.Resource)
	case errors.As(err, &changed):
		return apierr.PreconditionFailed()
	case errors.As(err, &conflict):
		return apierr.Conflict("409 Conflict")
	case store.IsGone(err):
		return apierr.NotFound("")
	}
	return nil
}

// fromDisk translates errors of the folders, or the bucket, in which files are stored.
func fromDisk(c echo.Context, err error) error {
	var gone *storage.Error
	var damaged *storage.DamagedError
	var silent *blob.UnreachableError
	var answer *blob.StatusError
	switch {
	case errors.As(err, &gone), errors.As(err, &silent), errors.As(err, &answer):
		return apierr.StorageGone()
	case errors.As(err, &damaged):
		return apierr.Damaged(info(c).ID)
	case storage.Full(err):
		return apierr.NoSpace()
	case storage.ReadOnly(err):
		return apierr.StorageGone()
	}
	return nil
}

// fromEcho translates errors of the router and of the generated binding.
func fromEcho(c echo.Context, he *echo.HTTPError) error {
	switch he.Code {
	case http.StatusNotFound:
		return apierr.NoRoute()
	case http.StatusMethodNotAllowed:
		return apierr.NotAllowed(c.Response().Header().Get(echo.HeaderAllow))
	case http.StatusRequestEntityTooLarge:
		return apierr.TooLarge()
	case http.StatusUnsupportedMediaType:
		return apierr.UnsupportedMedia(c.Request().Header.Get(echo.HeaderContentType))
	case http.StatusBadRequest:
		// "Invalid format for parameter page: …": a value that passed validation but does not fit the Go type.
		if text, ok := he.Message.(string); ok {
			if rest, found := strings.CutPrefix(text, "Invalid format for parameter "); found {
				name, _, _ := strings.Cut(rest, ":")
				return apierr.BadParameter(strings.TrimSuffix(name, "[]") + " is invalid")
			}
		}
		return apierr.Malformed("The request body does not match the declared format")
	}
	return apierr.Internal(info(c).ID)
}

func asError(err error) *apierr.Error {
	var e *apierr.Error
	errors.As(err, &e)
	return e
}
