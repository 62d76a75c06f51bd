package push

import (
	"context"
	"strings"

	"svc/store/git"
	"svc/store/model"
)

// manyRefs is how many refs of one push get an event each. A push with more refs gets one event.
const manyRefs = 3

// eachPrefix is the prefix of the name of a change in which every ref gets its own event, however many there are. The name is
// stored with the change, so that a change that a killed server has left gets the same events.
const eachPrefix = "each-"

func branchOf(ref string) (string, bool) { return strings.CutPrefix(ref, "refs/heads/") }

func tagOf(ref string) (string, bool) { return strings.CutPrefix(ref, "refs/tags/") }

// events returns the events of a push: one per ref, or one for all of a large push.
func events(ctx context.Context, repo git.Repo, r Result) ([]model.Event, error) {
	most := manyRefs
	if strings.HasPrefix(r.Batch, eachPrefix) {
		most = len(r.Changes)
	}
	var told []model.Event
	for _, c := range r.Changes {
		kind, name := "branch", ""
		if branch, ok := branchOf(c.Ref); ok {
			name = branch
		} else if tag, ok := tagOf(c.Ref); ok {
			kind, name = "tag", tag
		} else {
			continue // users do not see other refs
		}
		e, err := event(ctx, repo, r, c)
		if err != nil {
			return nil, err
		}
		e.RefType, e.Ref = &kind, &name
		told = append(told, e)
		if len(told) > most {
			break
		}
	}
	if len(told) <= most {
		return told, nil
	}
	count, zero := int64(len(r.Changes)), int64(0)
	all := told[0]
	all.Ref, all.CommitFrom, all.CommitTo, all.CommitTitle, all.CommitCount, all.RefCount = nil, nil, nil, nil, &zero, &count
	return []model.Event{all}, nil
}

func event(ctx context.Context, repo git.Repo, r Result, c git.Command) (model.Event, error) {
	action, count := "pushed", int64(0)
	e := model.Event{ProjectID: &r.ProjectID, AuthorID: r.UserID, Action: model.EventPushed, PushAction: &action, CommitCount: &count}
	if c.Old == git.Zero {
		action = "created"
	} else {
		e.CommitFrom = &c.Old
	}
	if c.New == git.Zero {
		action = "removed"
		return e, nil
	}
	e.CommitTo = &c.New
	n, title, err := repo.Pushed(ctx, c)
	if err != nil {
		return e, err
	}
	count = n
	e.CommitTitle = &title
	return e, nil
}
