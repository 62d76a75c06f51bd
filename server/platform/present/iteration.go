package present

import (
	"strconv"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// Iteration presents an iteration at a time.
func (p Presenter) Iteration(r model.IterationRow, now time.Time) gen.Iteration {
	i := r.Iteration
	return gen.Iteration{
		ID: i.ID, Iid: i.IID, Sequence: i.IID, GroupID: i.GroupID, Title: i.Title, Description: i.Description,
		State: i.State(now), CreatedAt: wire.NewTime(i.CreatedAt), UpdatedAt: wire.NewTime(i.UpdatedAt),
		StartDate: wire.NewDate(i.StartDate), DueDate: wire.NewDate(i.DueDate),
		WebURL: p.Base + "/groups/" + r.Place + "/-/iterations/" + strconv.FormatInt(i.ID, 10),
	}
}

// ResourceIterationEvent presents a change of the iteration at a time.
func (p Presenter) ResourceIterationEvent(now time.Time) func(model.ResourceEventRow) gen.ResourceIterationEvent {
	return func(r model.ResourceEventRow) gen.ResourceIterationEvent {
		kind, id := resourceOf(r.Event)
		shown := gen.ResourceIterationEvent{
			ID: r.Event.ID, User: p.person(r.User), CreatedAt: wire.NewTime(r.Event.CreatedAt), ResourceType: kind,
			ResourceID: id, Action: gen.ResourceEventAction(r.Event.Action),
		}
		if r.Iteration != nil {
			shown.Iteration = ptr(p.Iteration(*r.Iteration, now))
		}
		return shown
	}
}
