package issuable

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// maxLabelName is the maximum length of a label's name.
const maxLabelName = 255

// LabelInput describes a change of labels: replace all, or add some and remove some. Nil means no change.
type LabelInput struct {
	Set, Add, Remove *[]string
}

// IsSet reports whether the input changes any labels.
func (in LabelInput) IsSet() bool { return in.Set != nil || in.Add != nil || in.Remove != nil }

// CheckLabelName refuses names that a comma-separated list of labels could not hold.
func CheckLabelName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return apierr.Invalid("title", "can't be blank")
	case strings.Contains(name, ","):
		return apierr.Invalid("title", "is invalid")
	case utf8.RuneCountInString(name) > maxLabelName:
		return apierr.Invalid("title", fmt.Sprintf("is too long (maximum is %d characters)", maxLabelName))
	}
	return nil
}

// Labels returns the labels that an issue or merge request gets. With create, unknown names become new labels of the
// project; otherwise they are left out.
func (d *Service) Labels(
	ctx context.Context,
	project model.Project,
	in LabelInput,
	before []model.Label,
	create bool,
) ([]model.Label, error) {
	var names []string
	add := func(more ...string) {
		for _, name := range more {
			if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	kept := before
	if in.Set != nil {
		add(*in.Set...)
		kept = nil
	}
	if in.Add != nil {
		add(*in.Add...)
	}
	if len(names) > MaxLabels {
		return nil, apierr.BadRequest(fmt.Sprintf("labels: maximum number of labels (%d) exceeded", MaxLabels))
	}
	for _, name := range names {
		if err := CheckLabelName(name); err != nil {
			return nil, err
		}
	}
	rows, err := d.store.Labels.Named(ctx, store.OwnedByProject(project), names, create)
	if err != nil {
		return nil, err
	}
	rows = append(rows, kept...)
	if in.Remove != nil {
		rows = slices.DeleteFunc(rows, func(l model.Label) bool { return slices.Contains(*in.Remove, l.Name) })
	}
	if len(rows) > MaxLabels && len(rows) > len(before) {
		return nil, apierr.BadRequest(fmt.Sprintf("labels: maximum number of labels (%d) exceeded", MaxLabels))
	}
	return rows, nil
}
