package snapshot

import (
	"context"
	"fmt"
	"time"

	"svc/server/domain/fixture"
	"svc/store/model"
)

type event struct {
	ActionName     string    `json:"action_name"`
	TargetType     *string   `json:"target_type"`
	TargetIID      *int64    `json:"target_iid"`
	AuthorUsername string    `json:"author_username"`
	AuthorID       int64     `json:"author_id"`
	CreatedAt      time.Time `json:"created_at"`
	Note           *struct {
		ID int64 `json:"id"`
	} `json:"note"`
	PushData *struct {
		CommitCount int64   `json:"commit_count"`
		Action      string  `json:"action"`
		RefType     string  `json:"ref_type"`
		CommitFrom  *string `json:"commit_from"`
		CommitTo    *string `json:"commit_to"`
		Ref         *string `json:"ref"`
		CommitTitle *string `json:"commit_title"`
	} `json:"push_data"`
}

// actions are the actions of events, by the names of the API. Other names are actions themselves.
var actions = map[string]string{
	"commented on": model.EventCommented, "accepted": model.EventMerged, "opened": model.EventCreated,
	"removed due to membership expiration from": model.EventExpired,
}

// events reads the activity of the project, oldest first. Events about things that fixtures cannot declare are left out.
func (p *project) events(ctx context.Context) error {
	rows, err := all[event](ctx, p.client, p.base+"/events?sort=asc")
	if err != nil {
		return err
	}
	found := []fixture.Event{}
	for _, row := range rows {
		e := fixture.Event{Author: p.usernames[row.AuthorID], Action: row.ActionName, CreatedAt: fixture.At(row.CreatedAt)}
		if name, renamed := actions[row.ActionName]; renamed {
			e.Action = name
		}
		known := e.Author != "" && p.target(row, &e)
		if row.PushData != nil {
			if known, err = p.push(ctx, row, &e); err != nil {
				return err
			}
		}
		if known {
			found = append(found, e)
		}
	}
	p.Events = &found
	return nil
}

// target sets what an event is about. It returns false if the document does not have that.
func (p *project) target(row event, e *fixture.Event) bool {
	if row.Note != nil {
		e.Target = p.notes[row.Note.ID]
		return e.Target != ""
	}
	if row.TargetType == nil || row.PushData != nil {
		return true
	}
	if row.TargetIID == nil {
		return false
	}
	switch *row.TargetType {
	case model.OnIssue:
		e.Target = fmt.Sprintf("issue %d", *row.TargetIID)
	case model.OnMergeRequest:
		if p.requests[*row.TargetIID] == 0 {
			return false
		}
		e.Target = fmt.Sprintf("merge_request %d", p.requests[*row.TargetIID])
	case model.OnMilestone:
		if p.milestones[*row.TargetIID] == 0 {
			return false
		}
		e.Target = fmt.Sprintf("milestone %d", p.milestones[*row.TargetIID])
	default:
		return false
	}
	return true
}

// push sets what a push changed.
func (p *project) push(ctx context.Context, row event, e *fixture.Event) (bool, error) {
	data := row.PushData
	e.Action, e.PushAction, e.RefType = model.EventPushed, data.Action, data.RefType
	e.Ref, e.CommitTitle, e.CommitCount = text(data.Ref), text(data.CommitTitle), &data.CommitCount
	for _, pair := range []struct {
		id *string
		to *string
	}{{data.CommitFrom, &e.From}, {data.CommitTo, &e.To}} {
		if text(pair.id) == "" {
			continue
		}
		there, err := p.need(ctx, *pair.id)
		if err != nil {
			return false, err
		}
		if there {
			*pair.to = *pair.id
		}
	}
	return e.Author != "", nil
}
