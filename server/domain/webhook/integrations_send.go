package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"svc/server/domain/webhook/integration"
	"svc/server/platform/events"
	"svc/server/platform/mail"
	"svc/server/platform/outbound"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// sendToIntegration tells an integration a message: with a request to a chat, or with mails. Nothing is sent if its settings
// do not select the event. The log has neither addresses nor texts, because both can be secret.
func (s *Service) sendToIntegration(
	ctx context.Context, h model.Hook, open Secrets, m model.HookMessage, d model.HookDelivery,
) (result, error) {
	began := time.Now()
	d.URL, d.RequestHeaders, d.ResponseHeaders = *h.Integration, "{}", "{}"
	status, err := s.tellIntegration(ctx, h, open, m, d.Key)
	if ctx.Err() != nil {
		return result{}, context.Cause(ctx)
	}
	var unavailable *store.UnavailableError
	if errors.As(err, &unavailable) {
		return result{}, err
	}
	if err != nil {
		d.ResponseBody = cut(clean(err.Error()), maxLoggedError)
	}
	now := clock.Now(ctx).UTC().Truncate(time.Microsecond)
	d.ResponseStatus, d.Duration, d.DeliveredAt = int64(status), time.Since(began).Seconds(), &now
	return result{delivery: d, success: err == nil && status < 400, err: err}, nil
}

// tellIntegration returns the status of the response of a chat, or 0 if no request was made.
func (s *Service) tellIntegration(ctx context.Context, h model.Hook, open Secrets, m model.HookMessage, key string) (int, error) {
	if m.Body == nil {
		return 0, errNoBody
	}
	kind, err := integration.Find(*h.Integration)
	if err != nil {
		return 0, err
	}
	settings, err := integration.Decode(h, open.Fields)
	if err != nil {
		return 0, err
	}
	event, err := integration.Read(m.TriggerName, *m.Body)
	if err != nil || !settings.Wants(event) {
		return 0, err
	}
	message, found := event.Message()
	switch {
	case !found:
		return 0, nil
	case kind.Mails:
		return 0, s.mail(ctx, settings, event, message, key)
	}
	request, err := kind.Request(settings, event, message, key)
	if err != nil {
		return 0, err
	}
	return s.postToChat(ctx, request, m.Chain)
}

// postToChat makes a request to a chat and returns the status of the response.
func (s *Service) postToChat(ctx context.Context, r integration.Request, chain string) (int, error) {
	to, err := outbound.Parse(r.URL)
	if err != nil {
		return 0, err
	}
	header := http.Header{
		"Content-Type": {"application/json"}, "User-Agent": {s.UserAgent}, events.ChainHeader: {chain},
	}
	if r.Token != "" {
		header["Authorization"] = []string{"Bearer " + r.Token}
	}
	send := s.Client.Post
	if r.Put {
		send = s.Client.Put
	}
	response, err := send(ctx, outbound.Request{URL: to, Header: header, Body: r.Body})
	return response.Status, err
}

// mail queues the mails about an event. Their names come from the key of the delivery, so a delivery that is repeated
// queues none of them twice.
func (s *Service) mail(ctx context.Context, settings integration.Settings, e integration.Event, m integration.Message, key string) error {
	diff, err := s.diff(ctx, settings, e)
	if err != nil {
		return err
	}
	letter := e.Mail(m, diff)
	to := settings.Recipients()
	if settings.AddsPusher() {
		pusher, err := s.mailAddress(ctx, e.UserID())
		if err != nil {
			return err
		}
		to = append(to, pusher)
	}
	slices.Sort(to)
	letters := map[string]mail.Message{}
	for i, address := range slices.Compact(to) {
		if address != "" {
			letters[fmt.Sprintf("integration-%s-%d", key, i)] = letter.To(address)
		}
	}
	return s.Mailer.SendEach(ctx, letters)
}

// diff returns the diff that a mail shows. A diff that cannot be read is left out.
func (s *Service) diff(ctx context.Context, settings integration.Settings, e integration.Event) (string, error) {
	shown, ok := settings.Diff(e)
	if !ok {
		return "", nil
	}
	diff, err := s.Bodies.Diff(ctx, shown.ProjectID, shown.From, shown.To)
	var unavailable *store.UnavailableError
	if err != nil && (errors.As(err, &unavailable) || ctx.Err() != nil) {
		return "", err
	}
	if err != nil {
		s.Logger.ErrorContext(ctx, "cannot read the diff for a mail", "project", shown.ProjectID, "error", err)
	}
	return diff, nil
}

// mailAddress returns the confirmed address of an active user, or "".
func (s *Service) mailAddress(ctx context.Context, userID int64) (string, error) {
	u, err := s.Store.Users.Get(ctx, userID)
	switch {
	case store.IsNotFound(err):
		return "", nil
	case err != nil || u.State != model.UserActive || u.Kind != model.UserHuman || u.ConfirmedAt == nil:
		return "", err
	}
	return u.Email, nil
}
