package payload

import (
	"time"

	"svc/store/model"
)

// Change is the value of an attribute before and after an event.
type Change struct {
	Previous any `json:"previous"`
	Current  any `json:"current"`
}

// Changes are the attributes that an event has changed, by name.
type Changes map[string]Change

// updatedAt is the attribute that changes with every other.
const updatedAt = "updated_at"

// Any reports whether something was changed besides the time of the change. An edit that changed nothing sends no hook.
func (c Changes) Any() bool {
	_, touched := c[updatedAt]
	return len(c) > 1 || len(c) == 1 && !touched
}

// orEmpty returns changes that become an object and not null.
func (c Changes) orEmpty() Changes {
	if c == nil {
		return Changes{}
	}
	return c
}

// compare records an attribute if its values differ.
func compare[T comparable](c Changes, name string, before, after T) {
	if before != after {
		c[name] = Change{before, after}
	}
}

// comparePointers does the same for an attribute that may be null.
func comparePointers[T comparable](c Changes, name string, before, after *T) {
	if (before == nil) != (after == nil) || before != nil && *before != *after {
		c[name] = Change{before, after}
	}
}

// compareTimes does the same for a time, as write spells it.
func compareTimes(c Changes, name string, before, after *time.Time, write func(time.Time) string) {
	comparePointers(c, name, written(before, write), written(after, write))
}

// compareUsers does the same for a list of users, without regard to their order.
func (i Instance) compareUsers(c Changes, name string, before, after []*model.User) {
	if !sameIDs(userIDs(before), userIDs(after)) {
		c[name] = Change{i.users(before), i.users(after)}
	}
}

// compareLabels does the same for a list of labels.
func compareLabels(c Changes, before, after []model.Label) {
	ids := func(list []model.Label) []int64 { return each(list, func(l model.Label) int64 { return l.ID }) }
	if !sameIDs(ids(before), ids(after)) {
		c["labels"] = Change{labels(before), labels(after)}
	}
}

func sameIDs(one, other []int64) bool {
	known := make(map[int64]bool, len(one))
	for _, id := range one {
		known[id] = true
	}
	for _, id := range other {
		if !known[id] {
			return false
		}
	}
	return len(one) == len(other)
}

// The numbers of states.
const (
	stateOpened = 1
	stateClosed = 2
	stateMerged = 3
	stateLocked = 4
)

// stateID returns the number of a state.
func stateID(state string) int64 {
	switch state {
	case model.Closed:
		return stateClosed
	case model.Merged:
		return stateMerged
	case "locked":
		return stateLocked
	}
	return stateOpened
}
