package quickaction

import (
	"context"
	"regexp"

	"svc/server/domain/discussion/award"
	"svc/server/platform/access"
)

var emojiName = regexp.MustCompile(`^:([a-z0-9_+-]{1,100}):$`)

func subscribe(_ context.Context, p *Plan, c Command) error {
	text := "Subscribed to this " + p.noun() + "."
	if c.Name == "unsubscribe" {
		text = "Unsubscribed from this " + p.noun() + "."
	}
	on, user := p.Item.On, p.Item.Caller
	p.addStep("subscription_event", c.Name, text, func(ctx context.Context) error {
		return p.service.store.Subscriptions.Set(ctx, on.Type, on.ID, user, c.Name == "subscribe")
	})
	return nil
}

func todo(_ context.Context, p *Plan, _ Command) error {
	p.addStep("todo_event", "add", "Added a to-do item.", func(ctx context.Context) error {
		_, _, err := p.service.issuables.AddOwnTodo(ctx, p.target, *access.Reader(ctx))
		return err
	})
	return nil
}

func completeTodo(_ context.Context, p *Plan, _ Command) error {
	on, user := p.Item.On, p.Item.Caller
	p.addStep("todo_event", "done", "Marked to-do item as done.", func(ctx context.Context) error {
		return p.service.store.Todos.DoneForTarget(ctx, on.Type, on.ID, user)
	})
	return nil
}

func react(_ context.Context, p *Plan, c Command) error {
	m := emojiName.FindStringSubmatch(c.Argument)
	if m == nil {
		p.fail(c, "that is not an emoji")
		return nil
	}
	p.addStep("emoji_award", m[1], "Toggled :"+m[1]+": emoji reaction.", func(ctx context.Context) error {
		return p.service.awards.Toggle(ctx, award.OnItem(p.Item), m[1])
	})
	return nil
}
