package webhook

import (
	"context"
	"encoding/json"
	"net/http"
	"sort"
	"strings"
	"time"

	"svc/server/platform/outbound"
	"svc/store/clock"
	"svc/store/model"
)

const (
	maxLoggedHeaders = 50
	maxLoggedHeader  = 1 << 10
	maxLoggedError   = 1 << 10
)

// result is what came of a delivery.
type result struct {
	delivery model.HookDelivery
	success  bool
	err      error // there was no response
}

// send makes the request of a delivery and returns its log. It returns an error only if the context ended, or if the
// delivery must be made again.
func (s *Service) send(ctx context.Context, h model.Hook, open Secrets, m model.HookMessage, d model.HookDelivery) (result, error) {
	r, err := s.sendOnce(ctx, h, open, m, d)
	if err == nil {
		s.outcomes.Add(r.success)
	}
	return r, err
}

func (s *Service) sendOnce(ctx context.Context, h model.Hook, open Secrets, m model.HookMessage, d model.HookDelivery) (result, error) {
	if h.Integration != nil {
		return s.sendToIntegration(ctx, h, open, m, d)
	}
	began := time.Now()
	d.URL, d.RequestHeaders, d.ResponseHeaders = maskURL(h.URL), "{}", "{}"
	out, err := s.request(h, open, m, d.Key, clock.Now(ctx))
	if err == nil {
		d.RequestHeaders = text(out.shown)
		if out.changed {
			body := string(out.Body)
			d.RequestBody = &body
		}
		var response outbound.Response
		response, err = s.Client.Post(ctx, out.Request)
		if ctx.Err() != nil {
			return result{}, context.Cause(ctx)
		}
		d.ResponseStatus, d.ResponseHeaders = int64(response.Status), text(loggedHeaders(response.Header))
		d.ResponseBody = clean(string(response.Body))
	}
	if err != nil {
		d.ResponseBody = cut(clean(err.Error()), maxLoggedError)
	}
	now := clock.Now(ctx).UTC().Truncate(time.Microsecond)
	d.Duration, d.DeliveredAt = time.Since(began).Seconds(), &now
	return result{delivery: d, success: err == nil && d.ResponseStatus >= 200 && d.ResponseStatus < 400, err: err}, nil
}

// loggedHeaders returns the headers of a response as the log shows them.
func loggedHeaders(header http.Header) map[string]string {
	names := make([]string, 0, len(header))
	for name := range header {
		names = append(names, name)
	}
	sort.Strings(names)
	shown := map[string]string{}
	for _, name := range names[:min(len(names), maxLoggedHeaders)] {
		shown[clean(name)] = cut(clean(strings.Join(header[name], ", ")), maxLoggedHeader)
	}
	return shown
}

func text(value map[string]string) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		return "{}" // texts can always be encoded
	}
	return string(encoded)
}

// clean returns a text that every database can store.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

func cut(text string, most int) string {
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "")
	}
	return text
}

const (
	failuresToPause = 4
	maxPause        = 24 * time.Hour
	slowAfter       = time.Second
)

// next returns the state of a hook after a delivery: a success enables it, the fourth failure in a row and each one after
// it is followed by a pause that is twice as long as the one before.
func next(h model.Hook, r result, now time.Time) model.Hook {
	h.Slow = !r.success || r.delivery.Duration > slowAfter.Seconds()
	if r.success || h.IsSystem() {
		h.Failures, h.DisabledUntil = 0, nil
		return h
	}
	h.Failures++
	if h.Failures >= failuresToPause {
		pause := maxPause
		if n := h.Failures - failuresToPause; n < 11 {
			pause = min(time.Minute<<n, maxPause)
		}
		until := now.UTC().Add(pause).Truncate(time.Microsecond)
		h.DisabledUntil = &until
	}
	return h
}

// saveState stores the state of a hook if a delivery has changed it.
func (s *Service) saveState(ctx context.Context, before, after model.Hook) error {
	same := before.Failures == after.Failures && before.Slow == after.Slow &&
		(before.DisabledUntil == nil) == (after.DisabledUntil == nil)
	if same && after.Failures < failuresToPause {
		return nil
	}
	return s.Store.Hooks.SetState(ctx, after)
}
