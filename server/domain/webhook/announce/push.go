package announce

import (
	"context"
	"encoding/json"
	"strings"

	"svc/server/domain/repository/push"
	"svc/server/domain/webhook/load"
	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store/git"
	"svc/store/model"
)

// maxRefs is how many branches or tags of one push are sent to hooks. Of a push with more, nothing is sent; system hooks
// still get repository_update.
const maxRefs = 3

const (
	branchPrefix = "refs/heads/"
	tagPrefix    = "refs/tags/"
)

// Pushed announces a push: each branch and each tag, and the push as a whole. The commits are read when the message
// is delivered, so that the push does not wait for them.
func (a *Announcer) Pushed(ctx context.Context, p push.Result) error {
	branches, tags := 0, 0
	for _, c := range p.Changes {
		switch {
		case strings.HasPrefix(c.Ref, branchPrefix):
			branches++
		case strings.HasPrefix(c.Ref, tagPrefix):
			tags++
		}
	}
	source := &pushSource{Announcer: a, push: p}
	var announced []events.HookEvent
	if branches <= maxRefs && tags <= maxRefs {
		announced = source.refs()
	}
	if branches+tags > 0 {
		announced = append(announced, events.HookEvent{Kind: model.HookRepositoryUpdate, Body: source.repositoryUpdate})
	}
	return a.events.Hook(ctx, events.InProject(p.Project), announced...)
}

// refs returns the events of the branches and tags.
func (s *pushSource) refs() []events.HookEvent {
	var announced []events.HookEvent
	for _, c := range s.push.Changes {
		if branch, ok := strings.CutPrefix(c.Ref, branchPrefix); ok {
			announced = append(announced, events.HookEvent{Kind: model.HookPush, Branch: branch, Facts: s.facts(c)})
		} else if strings.HasPrefix(c.Ref, tagPrefix) {
			announced = append(announced, events.HookEvent{Kind: model.HookTagPush, Facts: s.facts(c)})
		}
	}
	return announced
}

// pushSource reads what the messages of one push need, once.
type pushSource struct {
	*Announcer
	push        push.Result
	read        bool
	user        model.User
	protections load.Protections
}

func (s *pushSource) load(ctx context.Context) (err error) {
	if s.read {
		return nil
	}
	s.read = true
	if s.user, err = s.store.Users.Get(ctx, s.push.UserID); err != nil {
		return err
	}
	s.protections, err = s.loader.Protections(ctx, s.push.ProjectID)
	return err
}

// facts returns what is recorded of a changed ref.
func (s *pushSource) facts(c git.Command) func(ctx context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		err := s.load(ctx)
		return s.loader.RecordPush(s.to, payload.PushInput{
			Project: s.push.Project, User: s.user, Change: c, Protected: s.protections.Protect(c.Ref), Options: s.push.Options,
		}), err
	}
}

func (s *pushSource) repositoryUpdate(ctx context.Context) (any, error) {
	err := s.load(ctx)
	return s.to.RepositoryUpdate(payload.RepositoryUpdateInput{Project: s.push.Project, User: s.user, Changes: s.push.Changes}), err
}

// FromFacts builds the body of a push from what was recorded of it.
func (a *Announcer) FromFacts(ctx context.Context, _, facts string) (any, error) {
	var recorded load.RecordedPush
	if err := json.Unmarshal([]byte(facts), &recorded); err != nil {
		return nil, err
	}
	return a.loader.CompletePush(ctx, a.to, recorded)
}

// Diff returns how two commits of a project differ, as text of a limited length.
func (a *Announcer) Diff(ctx context.Context, projectID int64, from, to string) (string, error) {
	return a.loader.Diff(ctx, projectID, from, to)
}
