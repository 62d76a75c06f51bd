package issuablepages

import (
	"context"
	"strings"

	"svc/server/domain/discussion/note"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/duration"
	"svc/server/transport/web/page"
	"svc/store/clock"
	"svc/store/model"
)

// Side is what the side column of an item shows besides its fields.
type Side struct {
	Base, Token     string
	Noun            string
	Subscribed      bool
	MayFollow       bool
	MayTrack        bool
	Estimate, Spent string // for people; empty if there is none
	Participants    []model.User
}

// Side reads the side column of an item. estimate and spent are seconds.
func (p *Parts) Side(v *page.Visit, k Kind, item note.Item, estimate, spent int64) (Side, error) {
	s := Side{
		Base: k.Address(v.Project.Project.FullPath, item.On.IID), Token: v.Token(), Noun: k.Noun,
		MayFollow: v.Actor != nil && v.May(k.Follow), MayTrack: v.Actor != nil && v.May(k.Track),
	}
	if estimate != 0 {
		s.Estimate = duration.Human(estimate)
	}
	if spent != 0 {
		s.Spent = duration.Human(spent)
	}
	if v.Actor == nil {
		return s, nil
	}
	var err error
	s.Subscribed, err = p.Store.Subscriptions.IsSubscribed(v.Request().Context(), k.Type, item.On.ID, v.Actor.User.ID)
	return s, err
}

// subscribe subscribes the caller to an item, or ends the subscription.
// POST /{project}/-/issues/{iid}/subscription
func (p *Parts) subscribe(k Kind) page.Handler {
	return func(v *page.Visit) error {
		item, err := p.Item(v, k)
		if err != nil {
			return err
		}
		want := v.Value("subscribed") == "true"
		if err := p.Store.Subscriptions.Set(v.Request().Context(), k.Type, item.On.ID, v.Actor.User.ID, want); err != nil {
			return err
		}
		text := "You get no more mail about this " + k.Noun + ", unless you are mentioned."
		if want {
			text = "You get mail about this " + k.Noun + "."
		}
		return v.Done(k.Address(v.Project.Project.FullPath, item.On.IID), text)
	}
}

// addTodo adds a to-do for the caller.
// POST /{project}/-/issues/{iid}/todo
func (p *Parts) addTodo(k Kind) page.Handler {
	return func(v *page.Visit) error {
		item, err := p.Item(v, k)
		if err != nil {
			return err
		}
		ctx := v.Request().Context()
		_, added, err := p.Issuables.AddOwnTodo(ctx, item.Target(false), *access.Reader(ctx))
		if err != nil {
			return err
		}
		text := "The " + k.Noun + " was already on your list of to-dos."
		if added {
			text = "The " + k.Noun + " is on your list of to-dos."
		}
		return v.Done(k.Address(v.Project.Project.FullPath, item.On.IID), text)
	}
}

// timeForm is the form for times.
func timeForm(action string) page.Form {
	return page.Form{Action: action, Submit: "Save", Fields: []page.Field{
		{Name: "estimate", Label: "Estimate", Type: "text", Hint: "Such as 3h 30m; 0 removes it."},
		{Name: "spent", Label: "Add time spent", Type: "text", Hint: "Such as 45m; -45m subtracts."},
		{Name: "summary", Label: "What the time was spent on", Type: "text"},
	}}
}

// track sets the time estimate of an item, and adds time that was spent on it.
// POST /{project}/-/issues/{iid}/time
func (p *Parts) track(k Kind) page.Handler {
	return func(v *page.Visit) error {
		item, err := p.Item(v, k)
		if err != nil {
			return err
		}
		if refused := p.saveTimes(v, item); refused != nil {
			form := timeForm(v.Request().URL.Path)
			status, err := v.Fill(refused, &form)
			if err != nil {
				return err
			}
			return p.ShowForm(v, k, item, status, "The times were not saved", form)
		}
		return v.Done(k.Address(v.Project.Project.FullPath, item.On.IID), "The times were saved.")
	}
}

func (p *Parts) saveTimes(v *page.Visit, item note.Item) error {
	estimate, spent, me := strings.TrimSpace(v.Value("estimate")), strings.TrimSpace(v.Value("spent")), v.Actor.User.ID
	if estimate == "" && spent == "" {
		return apierr.Invalid("estimate", "can't be blank if no time was spent")
	}
	return p.Store.Tx(v.Request().Context(), func(ctx context.Context) error {
		target := item.Target(false)
		if err := p.estimate(ctx, target, me, estimate); err != nil || spent == "" {
			return err
		}
		if seconds, ok := duration.Parse(spent); !ok || seconds == 0 {
			return apierr.Invalid("spent", "must be a duration such as 45m")
		}
		var summary *string
		if text := strings.TrimSpace(v.Value("summary")); text != "" {
			summary = &text
		}
		return p.Issuables.Spend(ctx, target, me, spent, summary, clock.Now(ctx))
	})
}

// estimate sets or removes the time estimate; an empty text leaves it as it is.
func (p *Parts) estimate(ctx context.Context, target issuable.Target, me int64, text string) error {
	switch seconds, ok := duration.Parse(text); {
	case text == "":
		return nil
	case text == "0":
		return p.Issuables.ResetEstimate(ctx, target, me)
	case !ok || seconds < 0:
		return apierr.Invalid("estimate", "must be a duration such as 3h 30m")
	}
	return p.Issuables.Estimate(ctx, target, me, text)
}
