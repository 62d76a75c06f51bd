package quickaction

import (
	"context"
	"strings"
	"time"

	"svc/server/platform/duration"
	"svc/store/clock"
)

func estimate(_ context.Context, p *Plan, c Command) error {
	if seconds, ok := duration.Parse(c.Argument); !ok || seconds < 0 {
		p.fail(c, "that is not a valid duration")
		return nil
	}
	p.addStep("time_estimate", c.Argument, "Set the time estimate to "+c.Argument+".", func(ctx context.Context) error {
		return p.service.issuables.Estimate(ctx, p.target, p.Item.Caller, c.Argument)
	})
	return nil
}

func unestimate(_ context.Context, p *Plan, _ Command) error {
	p.addStep(
		"time_estimate", 0, "Removed the time estimate.",
		func(ctx context.Context) error {
			return p.service.issuables.ResetEstimate(ctx, p.target, p.Item.Caller)
		},
	)
	return nil
}

func spend(ctx context.Context, p *Plan, c Command) error {
	text, at := c.Argument, clock.Now(ctx)
	if i := strings.LastIndexAny(text, " \t"); i > 0 { // a day may follow
		if day, err := time.Parse(time.DateOnly, text[i+1:]); err == nil {
			text, at = strings.TrimSpace(text[:i]), day
		}
	}
	if seconds, ok := duration.Parse(text); !ok || seconds == 0 || at.After(clock.Now(ctx)) || at.Year() < 1970 {
		p.fail(c, "that is not a valid amount of spent time")
		return nil
	}
	p.addStep("spend_time", text, "Added "+text+" of spent time.", func(ctx context.Context) error {
		return p.service.issuables.Spend(ctx, p.target, p.Item.Caller, text, nil, at)
	})
	return nil
}

func unspend(_ context.Context, p *Plan, _ Command) error {
	p.addStep(
		"spend_time", "reset", "Removed the time spent.",
		func(ctx context.Context) error { return p.service.issuables.ResetSpent(ctx, p.target, p.Item.Caller) },
	)
	return nil
}
