package webhook

import (
	"context"
	"encoding/json"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

// Sample asks for a body for a test: of a kind of events, in a project or else in a group.
type Sample struct {
	Kind    model.HookEvents
	Project *model.ProjectRow
	Group   *model.Namespace
	UserID  int64
}

// Test sends a sample to a hook at once. A response with 2xx enables the hook again.
func (s *Service) Test(ctx context.Context, in Owner, hookID int64, sample Sample) error {
	h, err := s.Store.Hooks.Get(ctx, in.HookOwner, hookID)
	if err != nil {
		return apierr.OrNotFound(err)
	}
	kind := events.HookKindOf(sample.Kind)
	if !kind.Testable {
		return apierr.Unprocessable("Testing not available for this hook")
	}
	sample.UserID = reqctx.Of(ctx).Actor.User.ID
	content, err := s.Bodies.Sample(ctx, sample)
	if err != nil {
		return err
	}
	made, err := s.sendNow(ctx, h, kind, content)
	switch {
	case err != nil:
		return err
	case made.err != nil:
		return s.explainBlocked(ctx, h, made.err, apierr.Unprocessable(made.delivery.ResponseBody))
	case made.delivery.ResponseStatus >= 300:
		return apierr.Unprocessable(refusal(made.delivery))
	}
	return nil
}

// refusal returns the body of a response that was no success.
func refusal(d model.HookDelivery) string {
	if d.ResponseBody == "" {
		return "The receiver refused the request."
	}
	return d.ResponseBody
}

// SystemSample is the body of the test of a system hook: a project that does not exist.
type SystemSample struct {
	EventName  string `json:"event_name"`
	Name       string `json:"name"`
	Path       string `json:"path"`
	ProjectID  int64  `json:"project_id"`
	OwnerName  string `json:"owner_name"`
	OwnerEmail string `json:"owner_email"`
}

// TestSystem sends a sample to a system hook at once, and returns it. The log has the answer of the receiver.
func (s *Service) TestSystem(ctx context.Context, hookID int64) (SystemSample, error) {
	h, err := s.Store.Hooks.Get(ctx, OfInstance().HookOwner, hookID)
	if err != nil {
		return SystemSample{}, apierr.OrNotFound(err)
	}
	sample := SystemSample{
		EventName: "project_create", Name: "Ruby", Path: "ruby", ProjectID: 1, OwnerName: "Someone", OwnerEmail: "example@svc.example",
	}
	made, err := s.sendNow(ctx, h, events.HookKindOf(model.HookInstance), sample)
	if err == nil && made.err != nil {
		s.Logger.WarnContext(ctx, "the test of a system hook failed", "hook", h.ID, "error", made.err)
	}
	return sample, err
}

// sendNow sends a body to a hook at once, logs it, and stores the new state of the hook.
func (s *Service) sendNow(ctx context.Context, h model.Hook, kind events.HookKind, content any) (result, error) {
	encoded, err := json.Marshal(content)
	if err != nil {
		return result{}, err
	}
	body := string(encoded)
	message := model.HookMessage{Chain: secret.UUID(), TriggerName: kind.Trigger, Event: kind.Header, Body: &body}
	return s.sendLogged(ctx, h, message, model.HookDelivery{HookID: h.ID, Key: secret.UUID()})
}

func (s *Service) sendLogged(ctx context.Context, h model.Hook, m model.HookMessage, d model.HookDelivery) (result, error) {
	open, err := s.Open(h)
	if err != nil {
		return result{}, err
	}
	made, err := s.send(ctx, h, open, m, d)
	if err != nil {
		return result{}, err
	}
	ctx = context.WithoutCancel(ctx) // the request was made, so it is logged
	return made, s.Store.Tx(ctx, func(ctx context.Context) error {
		if err := s.Store.HookDeliveries.Log(ctx, &m, &made.delivery); err != nil {
			return err
		}
		return s.saveState(ctx, h, next(h, made, clock.Now(ctx)))
	})
}

// Resend sends a delivery of the log again, with the same key. It returns the status of the response.
func (s *Service) Resend(ctx context.Context, in Owner, hookID, deliveryID int64) (int64, error) {
	h, err := s.Store.Hooks.Get(ctx, in.HookOwner, hookID)
	if err != nil {
		return 0, apierr.OrNotFound(err)
	}
	row, err := s.Store.HookDeliveries.Get(ctx, hookID, deliveryID)
	switch {
	case err != nil:
		return 0, apierr.OrNotFound(err)
	case row.URL != maskURL(h.URL):
		return 0, apierr.Unprocessable("The hook URL has changed, and this log entry cannot be retried")
	case h.State(clock.Now(ctx)) != model.HookExecutable:
		return 0, apierr.Unprocessable("Hook disabled")
	}
	made, err := s.sendLogged(ctx, h, row.Message, model.HookDelivery{HookID: h.ID, Key: row.Key})
	if err == nil && made.err != nil {
		err = s.explainBlocked(ctx, h, made.err, apierr.Unprocessable(made.delivery.ResponseBody))
	}
	return made.delivery.ResponseStatus, err
}
