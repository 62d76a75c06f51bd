package quickaction

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"svc/server/domain/issuable"
	"svc/store"
)

// labelName matches the name of a label in a quick action: after an optional tilde, in quotes if it has spaces.
var labelName = regexp.MustCompile(`~?(?:"([^"\n]+)"|([^\s,"~]+))`)

// labelled finds the existing labels that a quick action names.
func (p *Plan) labelled(ctx context.Context, c Command) ([]string, error) {
	var names []string
	for _, m := range labelName.FindAllStringSubmatch(c.Argument, maxNames) {
		if name := m[1] + m[2]; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	found, err := p.existing(ctx, names)
	if err == nil && len(found) == 0 {
		p.fail(c, "the label was not found")
	}
	return found, err
}

func (p *Plan) existing(ctx context.Context, names []string) ([]string, error) {
	rows, err := p.service.store.Labels.Named(ctx, store.OwnedByProject(p.Item.Row.Project), names, false)
	found := make([]string, len(rows))
	for i, l := range rows {
		found[i] = l.Name
	}
	return found, err
}

func label(ctx context.Context, p *Plan, c Command) error {
	names, err := p.labelled(ctx, c)
	if err != nil || len(names) == 0 {
		return err
	}
	if c.Name == "relabel" {
		p.Change.Labels = issuable.LabelInput{Set: &names}
		p.record("label_ids", names, "Replaced all labels with "+tilde(names)+".")
		return nil
	}
	p.addLabels(names)
	p.record("add_label_ids", names, "Added "+tilde(names)+".")
	return nil
}

// addLabels adds labels to the change so far. If an earlier quick action removes a label, the last action wins.
func (p *Plan) addLabels(names []string) {
	in := &p.Change.Labels
	all := slices.Clone(names)
	if in.Add != nil {
		all = append(slices.Clone(*in.Add), names...)
	}
	in.Add = &all
	if in.Remove != nil {
		kept := slices.DeleteFunc(slices.Clone(*in.Remove), func(name string) bool {
			return slices.Contains(names, name)
		})
		in.Remove = &kept
	}
}

func tilde(names []string) string { return "~" + strings.Join(names, " ~") }

func unlabel(ctx context.Context, p *Plan, c Command) error {
	if c.Argument == "" {
		p.Change.Labels = issuable.LabelInput{Set: &[]string{}}
		p.record("label_ids", []string{}, "Removed all labels.")
		return nil
	}
	names, err := p.labelled(ctx, c)
	if err != nil || len(names) == 0 {
		return err
	}
	all := slices.Clone(names)
	if gone := p.Change.Labels.Remove; gone != nil {
		all = append(slices.Clone(*gone), names...)
	}
	p.Change.Labels.Remove = &all
	p.record("remove_label_ids", names, "Removed "+tilde(names)+".")
	return nil
}
