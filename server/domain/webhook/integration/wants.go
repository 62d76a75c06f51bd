package integration

import "strings"

const (
	branchPrefix = "refs/heads/"
	tagPrefix    = "refs/tags/"
)

// Wants reports whether the settings select an event. What is selected by flags alone was decided when it happened.
func (s Settings) Wants(e Event) bool {
	switch e.kind {
	case "push":
		branch := strings.TrimPrefix(e.body.Ref, branchPrefix)
		isDefault := e.body.Project.DefaultBranch != nil && *e.body.Project.DefaultBranch == branch
		return s.wantsBranch(isDefault, e.body.RefProtected)
	case "pipeline":
		return s.wantsPipeline(e.body.Attributes)
	case "issue", "confidential_issue", "merge_request":
		return e.body.Attributes.Action != "update" && s.wantsLabels(e)
	case "note", "confidential_note":
		return e.body.Attributes.Action != "update" && s.wantsLabels(e)
	}
	return true
}

// wantsPipeline reports whether the settings select a pipeline: one that has ended, of a branch that is wanted. Tags belong
// to no branch and are always wanted.
func (s Settings) wantsPipeline(p attributes) bool {
	ended := p.Status == "failed" || (p.Status == "success" && !s.on(onlyBroken.Name))
	return ended && (p.Tag || s.wantsBranch(p.Default, p.ProtectedRef))
}

// wantsBranch reports whether the settings select a branch.
func (s Settings) wantsBranch(isDefault, protected bool) bool {
	switch s.text(branchesField) {
	case "default":
		return isDefault
	case "protected":
		return protected
	case "default_and_protected":
		return isDefault || protected
	}
	return true
}

// wantsLabels reports whether the issue or merge request of an event has the labels that the settings name.
func (s Settings) wantsLabels(e Event) bool {
	wanted := strings.FieldsFunc(s.text("labels_to_be_notified"), func(r rune) bool { return r == ',' })
	if len(wanted) == 0 {
		return true
	}
	all := s.text("labels_to_be_notified_behavior") == "match_all"
	has := e.labels()
	for _, name := range wanted {
		if found := has[strings.TrimPrefix(strings.TrimSpace(name), "~")]; found != all {
			return found
		}
	}
	return all
}
