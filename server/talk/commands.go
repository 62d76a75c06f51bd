package talk

import (
	"context"
	"regexp"
	"strings"

	"svc/store"
	"svc/store/model"
)

// Done is what commands in a text have done.
type Done struct {
	Changes map[string]any
	Summary []string
}

// A command is a line of its own; what it takes follows on the same line.
var (
	command   = regexp.MustCompile(`^/(subscribe|unsubscribe|todo|done|award|react)(?:[ \t]+(\S.*?))?[ \t\r]*$`)
	emojiName = regexp.MustCompile(`^:([a-z0-9_+-]{1,100}):$`)
	fence     = regexp.MustCompile("^ {0,3}(```|~~~)")
)

// order is one command.
type order struct{ name, with string }

// split takes the commands out of a text. Those in code, and what is no command, stay.
func split(body string) (rest string, orders []order) {
	var kept []string
	fenced := ""
	for line := range strings.Lines(body) {
		if m := fence.FindStringSubmatch(line); m != nil && (fenced == "" || fenced == m[1]) {
			if fenced == "" {
				fenced = m[1]
			} else {
				fenced = ""
			}
		}
		m := command.FindStringSubmatch(strings.TrimRight(line, "\n"))
		takes := m != nil && (m[1] == "award" || m[1] == "react")
		if m == nil || fenced != "" || takes != (m[2] != "") || (takes && !emojiName.MatchString(m[2])) {
			kept = append(kept, line)
			continue
		}
		orders = append(orders, order{name: m[1], with: m[2]})
	}
	return strings.Join(kept, ""), orders
}

// SayOrDo does what the commands in a text say, and writes what else it says; the note has no id when there is nothing else. All of it
// is done, or nothing.
func (t *Talk) SayOrDo(ctx context.Context, p Place, s Saying) (row model.NoteRow, done *Done, err error) {
	rest, orders := split(s.Body)
	if len(orders) == 0 {
		row, err = t.Say(ctx, p, s)
		return row, nil, err
	}
	if err := CheckText(s.Body); err != nil {
		return row, nil, err
	}
	if err := p.MayTalk(); err != nil {
		return row, nil, err
	}
	done = &Done{Changes: map[string]any{}}
	err = t.store.Tx(ctx, func(ctx context.Context) error {
		if strings.TrimSpace(rest) != "" {
			s.Body = strings.TrimSpace(rest)
			if row, err = t.Say(ctx, p, s); err != nil {
				return err
			}
		}
		for _, o := range orders {
			if err := t.carryOut(ctx, p, o, done); err != nil {
				return err
			}
		}
		return nil
	})
	return row, done, err
}

// carryOut does what one command says.
func (t *Talk) carryOut(ctx context.Context, p Place, o order, done *Done) error {
	kind := map[string]string{model.OnIssue: "issue", model.OnMergeRequest: "merge request"}[p.On.Type]
	told := func(name string, value any, text string) {
		done.Changes[name] = value
		done.Summary = append(done.Summary, text)
	}
	switch o.name {
	case "subscribe":
		told("subscription_event", "subscribe", "Subscribed to this "+kind+".")
		return t.store.Noteables.Follow(ctx, p.On.Type, p.On.ID, p.Caller, true)
	case "unsubscribe":
		told("subscription_event", "unsubscribe", "Unsubscribed from this "+kind+".")
		return t.store.Noteables.Follow(ctx, p.On.Type, p.On.ID, p.Caller, false)
	case "todo":
		told("todo_event", "add", "Added a to-do item.")
		return t.store.Todos.Add(ctx, []model.Todo{{
			UserID: p.Caller, ProjectID: p.Row.Project.ID, AuthorID: p.Caller, ActionName: "marked", TargetType: p.On.Type, TargetID: p.On.ID, State: "pending",
		}})
	case "done":
		told("todo_event", "done", "Marked to-do item as done.")
		return t.store.Noteables.Looked(ctx, p.On, p.Caller)
	}
	name := emojiName.FindStringSubmatch(o.with)[1]
	told("emoji_award", name, "Toggled :"+name+": emoji reaction.")
	on := Awardable{Place: p, Kind: p.On.Type, ID: p.On.ID}
	given, err := t.store.AwardEmoji.FindOf(ctx, on.Kind, on.ID, p.Caller, name)
	if store.IsNotFound(err) {
		_, err = t.Award(ctx, on, name)
		return err
	}
	if err != nil {
		return err
	}
	return t.Withdraw(ctx, on, given, nil)
}
