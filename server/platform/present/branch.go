package present

import (
	"net/url"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/git"
	"svc/store/model"
)

// BranchState holds the facts about a branch beside its commit.
type BranchState struct {
	Name            string
	Merged          bool
	Protected       bool
	DevelopersPush  bool
	DevelopersMerge bool
	MayPush         bool // whether the caller may push
	Default         bool
}

// Branch presents a branch of a project.
func (p Presenter) Branch(project model.Project, b BranchState, c git.Commit) gen.Branch {
	return gen.Branch{
		Name:               b.Name,
		Commit:             p.Commit(project, c),
		Merged:             b.Merged,
		Protected:          b.Protected,
		DevelopersCanPush:  b.DevelopersPush,
		DevelopersCanMerge: b.DevelopersMerge,
		CanPush:            b.MayPush,
		Default:            b.Default,
		WebURL:             p.Base + "/" + project.FullPath + "/-/tree/" + escapeRef(b.Name),
	}
}

// TagState holds the facts about a tag beside the tag itself.
type TagState struct {
	Commit    *git.Commit    // nil if the tag does not point to a commit
	Release   *model.Release // nil if there is none
	Protected bool
}

// Tag presents a tag of a project.
func (p Presenter) Tag(project model.Project, t git.Tag, state TagState) gen.Tag {
	shown := gen.Tag{Name: t.Name, Target: t.Target, Protected: state.Protected}
	if r := state.Release; r != nil {
		shown.Release = &gen.TagRelease{TagName: r.Tag, Description: r.Description}
	}
	if c := state.Commit; c != nil {
		commit := p.Commit(project, *c)
		shown.Commit = &commit
	}
	if t.Annotated {
		shown.Message = &t.Message
		if t.Tagger.Name != "" || t.Tagger.Email != "" {
			shown.CreatedAt = &wire.Time{Time: t.Tagger.When}
		}
	}
	return shown
}

// escapeRef escapes a name for the path of a URL; its slashes stay.
func escapeRef(name string) string { return strings.ReplaceAll(url.PathEscape(name), "%2F", "/") }
