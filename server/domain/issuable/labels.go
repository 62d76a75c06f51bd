package issuable

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"svc/server/domain/label"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// LabelInput describes a change of labels: replace all, or add some and remove some. Nil means no change.
type LabelInput struct {
	Set, Add, Remove *[]string
}

// IsSet reports whether the input changes any labels.
func (in LabelInput) IsSet() bool { return in.Set != nil || in.Add != nil || in.Remove != nil }

// Labels returns the labels that an issue or merge request gets. With create, unknown names become new labels of the
// project; otherwise they are left out.
func (s *Service) Labels(
	ctx context.Context,
	project model.Project,
	in LabelInput,
	before []model.Label,
	create bool,
) ([]model.Label, error) {
	return s.labels(ctx, store.OwnedByProject(project), in, before, create)
}

// GroupLabels returns the labels that an epic of a group gets. Unknown names become new labels of the group.
func (s *Service) GroupLabels(
	ctx context.Context, group model.Namespace, in LabelInput, before []model.Label,
) ([]model.Label, error) {
	return s.labels(ctx, store.OwnedByGroup(group), in, before, true)
}

// labels returns the labels of the owner, or of the groups above it, that the input and the labels before it result in.
func (s *Service) labels(
	ctx context.Context, owner store.ResourceOwner, in LabelInput, before []model.Label, create bool,
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
		if err := label.CheckName(name); err != nil {
			return nil, err
		}
	}
	rows, err := s.store.Labels.Named(ctx, owner, names, create)
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
