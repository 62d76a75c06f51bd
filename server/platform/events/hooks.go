package events

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"time"

	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

// HookEvent is something that webhooks send to other servers.
type HookEvent struct {
	Kind   model.HookEvents
	Branch string // of a push; the branch filters of hooks select by it
	// Body returns the body, which is marshaled to JSON. It is called in the transaction, so that the body shows the
	// state at that time, and only if a hook wants the event.
	Body func(ctx context.Context) (any, error)
	// Facts replaces Body for events whose body takes long to build: it is built from the facts when it is delivered.
	Facts func(ctx context.Context) (any, error)
	// Once names an event that may be announced repeatedly, such as by a job that runs every day: a hook that has got an
	// event of this name in the last days does not get it again.
	Once string
}

// HookQueue queues the job that delivers to a hook. Slow hooks have their own workers.
type HookQueue func(ctx context.Context, hookID int64, slow bool) error

// WithHooks lets the recorder announce to webhooks what happens.
func (r *Recorder) WithHooks(queue HookQueue) *Recorder {
	r.hooks = queue
	return r
}

const (
	// ChainHeader is the header of deliveries that names the request that caused them. A receiver that calls the API
	// passes it on, so that hooks that cause each other end.
	ChainHeader = "X-Gitlab-Event-UUID"
	// maxChain is how many deliveries one chain may have, and chainMemory for how long it is known.
	maxChain    = 100
	chainMemory = 30 * time.Minute
)

// InProject returns where the events of a project happen.
func InProject(p model.Project) store.HookScope {
	return store.HookScope{ProjectID: p.ID, NamespaceID: p.NamespaceID}
}

// InGroup returns where the events of a group happen.
func InGroup(id int64) store.HookScope { return store.HookScope{NamespaceID: id} }

// HooksWant reports whether a hook wants one of the kinds of events. Callers that must read the state before a change ask
// first. It is one query by indexes.
func (r *Recorder) HooksWant(ctx context.Context, in store.HookScope, kinds model.HookEvents) (bool, error) {
	if r.hooks == nil {
		return false, nil
	}
	hooks, err := r.store.Hooks.Match(ctx, in, kinds)
	return len(hooks) > 0, err
}

// ExpectHooks is called at the start of a transaction that announces events of a project. It finds out, with the next statement,
// whether there are hooks. The transaction must go on with the context that it returns.
func (r *Recorder) ExpectHooks(ctx context.Context, in store.HookScope) (context.Context, error) {
	if r.hooks == nil {
		return ctx, nil
	}
	return r.store.Hooks.ReadAhead(ctx, in)
}

// Hook announces to webhooks what happened, in the caller's transaction: the deliveries exist if, and only if, the change does.
// If no hook wants the events, this is one query by indexes.
func (r *Recorder) Hook(ctx context.Context, in store.HookScope, announced ...HookEvent) error {
	if r.hooks == nil || len(announced) == 0 {
		return nil
	}
	var kinds model.HookEvents
	for _, e := range announced {
		kinds |= e.Kind
	}
	hooks, err := r.store.Hooks.Match(ctx, in, kinds)
	if err != nil || len(hooks) == 0 {
		return err
	}
	now := clock.Now(ctx)
	hooks = slices.DeleteFunc(hooks, func(h model.Hook) bool { return h.State(now) != model.HookExecutable })
	chain, hooks, err := r.chain(ctx, hooks)
	if err != nil || len(hooks) == 0 {
		return err
	}
	return r.store.Tx(ctx, func(ctx context.Context) error { return r.announce(ctx, announced, chain, hooks) })
}

// onceMemory is for how long an event that is announced once is remembered. Messages are kept longer.
const onceMemory = 10 * 24 * time.Hour

// announce writes the messages of events and their deliveries to the hooks that want them, and queues their jobs.
func (r *Recorder) announce(ctx context.Context, announced []HookEvent, chain string, hooks []model.Hook) error {
	var posts []store.HookPost
	for _, e := range announced {
		chain, reached := chain, []int64(nil)
		if e.Once != "" {
			var err error
			chain = secret.UUIDOf(e.Once)
			if reached, err = r.store.HookDeliveries.Chained(ctx, chain, clock.Now(ctx).Add(-onceMemory)); err != nil {
				return err
			}
		}
		var deliveries []model.HookDelivery
		for _, h := range hooks {
			if h.Events.Has(e.Kind) && (e.Branch == "" || h.WantsBranch(e.Branch)) && !slices.Contains(reached, h.ID) {
				deliveries = append(deliveries, model.HookDelivery{HookID: h.ID, Key: secret.UUID()})
			}
		}
		if len(deliveries) == 0 {
			continue
		}
		message, err := message(ctx, e, chain)
		if err != nil {
			return err
		}
		posts = append(posts, store.HookPost{Message: message, Deliveries: deliveries})
	}
	idle, err := r.store.HookDeliveries.Add(ctx, posts)
	for _, h := range hooks {
		if err == nil && slices.Contains(idle, h.ID) {
			err = r.hooks(ctx, h.ID, h.Slow)
		}
	}
	return err
}

// message returns the message of an event.
func message(ctx context.Context, e HookEvent, chain string) (model.HookMessage, error) {
	kind := HookKindOf(e.Kind)
	m := model.HookMessage{Chain: chain, TriggerName: kind.Trigger, Event: kind.Header}
	build, into := e.Body, &m.Body
	if e.Facts != nil {
		build, into = e.Facts, &m.Facts
	}
	content, err := build(ctx)
	if err != nil {
		return m, err
	}
	encoded, err := json.Marshal(content)
	text := string(encoded)
	*into = &text
	return m, err
}

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// chain returns the name of the chain that the request belongs to, and the hooks that may still get a delivery. A request that a
// receiver makes passes on the chain of the delivery: then a hook of this chain gets no other delivery, and no hook does after
// the hundredth delivery.
func (r *Recorder) chain(ctx context.Context, hooks []model.Hook) (string, []model.Hook, error) {
	info := reqctx.Of(ctx)
	given := info.Header.Get(ChainHeader)
	switch {
	case uuid.MatchString(given):
	case info.ID != "":
		return secret.UUIDOf(info.ID), hooks, nil
	default:
		return secret.UUID(), hooks, nil
	}
	reached, err := r.store.HookDeliveries.Chained(ctx, given, clock.Now(ctx).Add(-chainMemory))
	if len(reached) >= maxChain {
		return given, nil, err
	}
	return given, slices.DeleteFunc(hooks, func(h model.Hook) bool { return slices.Contains(reached, h.ID) }), err
}
