package events

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"time"

	"svc/server/platform/reqctx"
	"svc/store"
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
}

// HookQueue queues the job that delivers to a hook. Slow hooks have their own workers.
type HookQueue func(ctx context.Context, hookID int64, slow bool) error

// WithHooks lets the recorder tell webhooks what happens.
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

// HookNames holds the names of a kind of events: in the delivery log, and in the header X-Gitlab-Event.
var HookNames = map[model.HookEvents]struct{ Trigger, Header string }{
	model.HookPush:               {"push_hooks", "Push Hook"},
	model.HookTagPush:            {"tag_push_hooks", "Tag Push Hook"},
	model.HookMergeRequests:      {"merge_request_hooks", "Merge Request Hook"},
	model.HookRepositoryUpdate:   {"repository_update_hooks", SystemHook},
	model.HookIssues:             {"issue_hooks", "Issue Hook"},
	model.HookConfidentialIssues: {"confidential_issue_hooks", "Confidential Issue Hook"},
	model.HookNotes:              {"note_hooks", "Note Hook"},
	model.HookConfidentialNotes:  {"confidential_note_hooks", "Confidential Note Hook"},
	model.HookPipelines:          {"pipeline_hooks", "Pipeline Hook"},
	model.HookWikiPages:          {"wiki_page_hooks", "Wiki Page Hook"},
	model.HookDeployments:        {"deployment_hooks", "Deployment Hook"},
	model.HookFeatureFlags:       {"feature_flag_hooks", "Feature Flag Hook"},
	model.HookJobs:               {"job_hooks", "Job Hook"},
	model.HookReleases:           {"release_hooks", "Release Hook"},
	model.HookMilestones:         {"milestone_hooks", "Milestone Hook"},
	model.HookEmoji:              {"emoji_hooks", "Emoji Hook"},
	model.HookAccessTokens:       {"resource_access_token_hooks", "Resource Access Token Hook"},
	model.HookDeployTokens:       {"resource_deploy_token_hooks", "Resource Deploy Token Hook"},
	model.HookVulnerabilities:    {"vulnerability_hooks", "Vulnerability Hook"},
	model.HookSubgroups:          {"subgroup_hooks", "Subgroup Hook"},
	model.HookMembers:            {"member_hooks", "Member Hook"},
	model.HookProjects:           {"project_hooks", "Project Hook"},
	model.HookInstance:           {"system_hooks", SystemHook},
}

// SystemHook is the value of the header X-Gitlab-Event in deliveries to system hooks.
const SystemHook = "System Hook"

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

// Hook tells webhooks what happened, in the caller's transaction: the deliveries exist if, and only if, the change does.
// If no hook wants the events, this is one query by indexes.
func (r *Recorder) Hook(ctx context.Context, in store.HookScope, told ...HookEvent) error {
	if r.hooks == nil || len(told) == 0 {
		return nil
	}
	var kinds model.HookEvents
	for _, e := range told {
		kinds |= e.Kind
	}
	hooks, err := r.store.Hooks.Match(ctx, in, kinds)
	if err != nil || len(hooks) == 0 {
		return err
	}
	now := time.Now()
	hooks = slices.DeleteFunc(hooks, func(h model.Hook) bool { return h.State(now) != model.HookExecutable })
	chain, hooks, err := r.chain(ctx, hooks)
	if err != nil || len(hooks) == 0 {
		return err
	}
	return r.store.Tx(ctx, func(ctx context.Context) error {
		for _, e := range told {
			if err := r.tell(ctx, e, chain, hooks); err != nil {
				return err
			}
		}
		return nil
	})
}

// tell writes the message of an event and its deliveries to the hooks that want it, and queues their jobs.
func (r *Recorder) tell(ctx context.Context, e HookEvent, chain string, hooks []model.Hook) error {
	var deliveries []model.HookDelivery
	slow := map[int64]bool{}
	for _, h := range hooks {
		if h.Events.Has(e.Kind) && (e.Branch == "" || h.WantsBranch(e.Branch)) {
			deliveries = append(deliveries, model.HookDelivery{HookID: h.ID, Key: secret.UUID()})
			slow[h.ID] = h.Slow
		}
	}
	if len(deliveries) == 0 {
		return nil
	}
	message, err := message(ctx, e, chain)
	if err != nil {
		return err
	}
	idle, err := r.store.HookDeliveries.Add(ctx, &message, deliveries)
	for _, id := range idle {
		if err == nil {
			err = r.hooks(ctx, id, slow[id])
		}
	}
	return err
}

// message returns the message of an event.
func message(ctx context.Context, e HookEvent, chain string) (model.HookMessage, error) {
	names := HookNames[e.Kind]
	m := model.HookMessage{Chain: chain, TriggerName: names.Trigger, Event: names.Header}
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
	told, err := r.store.HookDeliveries.Chained(ctx, given, time.Now().Add(-chainMemory))
	if len(told) >= maxChain {
		return given, nil, err
	}
	return given, slices.DeleteFunc(hooks, func(h model.Hook) bool { return slices.Contains(told, h.ID) }), err
}
