package note

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"svc/server/platform/apierr"
	"svc/store/model"
)

// ActionResult describes what the quick actions of a text have changed.
type ActionResult struct {
	Changes map[string]any
	Summary []string
}

// maxQuickActions is how many quick actions of one text are carried out; further ones stay in the text.
const maxQuickActions = 50

// A quick action is a line of its own. Its argument follows on the same line.
var (
	command   = regexp.MustCompile(`^/([a-z_]{1,40})(?:[ \t]+(\S.*?))?[ \t\r]*$`)
	emojiName = regexp.MustCompile(`^:([a-z0-9_+-]{1,100}):$`)
	fence     = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})")
)

// quickAction is one quick action.
type quickAction struct{ name, with string }

// QuickActions are the quick actions of a text, in their order.
type QuickActions []quickAction

// Split removes the quick actions from a text about an issue or a merge request and returns them. Lines in code blocks,
// quick actions for another kind of item, and unknown commands stay in the text.
func Split(kind, body string) (rest string, orders QuickActions) {
	if !strings.Contains(body, "/") {
		return body, nil
	}
	var kept strings.Builder
	fenced := ""
	for line := range strings.Lines(body) {
		if m := fence.FindStringSubmatch(line); m != nil {
			switch {
			case fenced == "":
				fenced = m[1]
			case strings.HasPrefix(m[1], fenced):
				fenced = ""
			}
		}
		text := strings.TrimRight(line, "\n")
		m := command.FindStringSubmatch(text)
		if m == nil || fenced != "" {
			kept.WriteString(line)
			continue
		}
		if face, ok := emoticons[m[1]]; ok {
			kept.WriteString(strings.TrimSpace(m[2]+" "+face) + line[len(text):])
			continue
		}
		o := quickAction{name: m[1], with: m[2]}
		if other, ok := aliases[o.name]; ok {
			o.name = other
		}
		if v, known := actionSpecs[o.name]; !known || !v.fits(kind, o.with) || len(orders) == maxQuickActions {
			kept.WriteString(line)
			continue
		}
		orders = append(orders, o)
	}
	return kept.String(), orders
}

// CreateOrRun carries out the quick actions in a text and writes the rest of the text as a note. If the text has only quick
// actions, the returned note has no id. All of it happens in one transaction, but actions that the caller may not
// perform, or whose object does not exist, are skipped, and the summary says so. Merging comes last, after the commit,
// because it changes the repository.
func (t *Service) CreateOrRun(ctx context.Context, p Item, s NewNote) (row model.NoteRow, done *ActionResult, err error) {
	rest, orders := Split(p.On.Type, s.Body)
	if len(orders) == 0 {
		s.Body = rest
		row, err = t.Create(ctx, p, s)
		return row, nil, err
	}
	if err := CheckText(s.Body); err != nil {
		return row, nil, err
	}
	if err := p.CheckMayComment(); err != nil {
		return row, nil, err
	}
	silent := strings.TrimSpace(rest) == ""
	var carried plan
	err = t.store.Tx(ctx, func(ctx context.Context) error {
		if !silent {
			s.Body = strings.TrimSpace(rest)
			if row, err = t.Create(ctx, p, s); err != nil {
				return err
			}
		}
		if carried, err = t.runQuickActions(ctx, p, orders); err != nil {
			return err
		}
		if silent && carried.idle() && !carried.merge {
			return apierr.Refused(strings.Join(carried.done.Summary, " "))
		}
		return nil
	})
	if err != nil {
		return row, nil, err
	}
	if carried.merge {
		if err := t.mergeNow(ctx, &carried); err != nil {
			return row, nil, err
		}
		if silent && carried.idle() {
			return row, nil, apierr.Refused(strings.Join(carried.done.Summary, " "))
		}
	}
	return row, carried.done, nil
}

// RunQuickActions carries out the quick actions in the description of a new item, in the transaction that creates the item. It
// skips actions that fail, and merging.
func (t *Service) RunQuickActions(ctx context.Context, row model.ProjectRow, kind string, id int64, orders QuickActions) error {
	if len(orders) == 0 {
		return nil
	}
	on, err := t.store.Noteables.Get(ctx, kind, id)
	if err != nil {
		return err
	}
	_, err = t.runQuickActions(ctx, Item{Row: row, On: on, Caller: caller(ctx)}, orders)
	return err
}

// refusal returns the message for a caller whose quick action was refused, or false if the error is a failure of the
// service.
func refusal(err error) (string, bool) {
	var told *apierr.Error
	if !errors.As(err, &told) || told.Status >= http.StatusInternalServerError {
		return "", false
	}
	switch m := told.Body.Message.(type) {
	case []string:
		return strings.Join(m, ", "), true
	case map[string][]string:
		var all []string
		for _, name := range slices.Sorted(maps.Keys(m)) {
			all = append(all, name+" "+strings.Join(m[name], ", "))
		}
		return strings.Join(all, ", "), true
	}
	return told.Error(), true
}
