package webhook

import (
	"context"
	"errors"

	"svc/server/platform/apierr"
	"svc/server/platform/outbound"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// hintAllow says how an administrator opens a refused address.
const hintAllow = "An administrator can open the address for webhooks with the setting SVC_WEBHOOK_ALLOW (--webhook-allow)."

// logBlocked logs an error that says that the address of a receiver is refused, and returns why. It returns an empty text
// for other errors.
func (s *Service) logBlocked(ctx context.Context, h model.Hook, err error) (reason string) {
	var blocked *outbound.BlockedError
	if !errors.As(err, &blocked) || !blocked.Address {
		return ""
	}
	s.Logger.InfoContext(ctx, "the address of a webhook is refused", "hook", h.ID, "reason", blocked.Reason, "hint", hintAllow)
	return blocked.Reason
}

// explainBlocked logs a refused address, and adds a hint to the answer if the caller is an administrator. Others learn no
// more than the answer.
func (s *Service) explainBlocked(ctx context.Context, h model.Hook, err, answer error) error {
	reason := s.logBlocked(ctx, h, err)
	if actor := reqctx.Of(ctx).Actor; reason == "" || actor == nil || !actor.User.Admin {
		return answer
	}
	return apierr.WithHint(answer, reason+". "+hintAllow)
}
