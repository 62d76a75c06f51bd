package snippet

import (
	"slices"
	"strconv"

	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/store/git"
)

const maxFiles = 10

// FileAction describes what to do with a file of a snippet. Action is one of git's actions.
type FileAction struct {
	Action                  string
	Path, Previous, Content *string
}

// fileChanges returns the requested changes of a snippet's files. paths are the present files.
func (c Change) fileChanges(paths []string) ([]git.Change, error) {
	if c.Files != nil {
		return fileActions(*c.Files)
	}
	if c.Content == nil && c.FileName == nil {
		return nil, nil
	}
	if len(paths) != 1 {
		return nil, apierr.BadParameter("Use files to change a snippet with several files")
	}
	change := git.Change{Action: git.ActionUpdate, Path: paths[0]}
	if c.FileName != nil && *c.FileName != paths[0] {
		change.Action, change.Path, change.Previous = git.ActionMove, *c.FileName, paths[0]
	}
	if c.Content != nil {
		change.Content = []byte(*c.Content)
	}
	if change.Action == git.ActionUpdate && change.Content == nil {
		return nil, nil
	}
	return []git.Change{change}, nil
}

// fileActions turns actions into changes. Its errors name the parameter that is missing.
func fileActions(actions []FileAction) ([]git.Change, error) {
	all := make([]git.Change, len(actions))
	for i, a := range actions {
		at := "files[" + strconv.Itoa(i) + "]"
		c := git.Change{Action: a.Action, Path: wire.Value(a.Path), Previous: wire.Value(a.Previous)}
		if a.Content != nil {
			c.Content = []byte(*a.Content)
		}
		writes := c.Action == git.ActionCreate || c.Action == git.ActionUpdate
		switch {
		case c.Path == "":
			return nil, apierr.BadParameter(at + "[file_path] is missing")
		case c.Action == git.ActionMove && c.Previous == "":
			return nil, apierr.BadParameter(at + "[previous_path] is missing")
		case writes && c.Content == nil:
			return nil, apierr.BadParameter(at + "[content] is missing")
		}
		all[i] = c
	}
	return all, nil
}

// pathsAfter returns the sorted paths after the changes. It does not check whether the changes fit the files: the commit
// does that.
func pathsAfter(paths []string, changes []git.Change) ([]string, error) {
	left := slices.Clone(paths)
	gone := func(path string) {
		left = slices.DeleteFunc(left, func(p string) bool { return p == path })
	}
	for _, c := range changes {
		path, _ := git.CleanPath(c.Path)
		switch c.Action {
		case git.ActionCreate:
			left = append(left, path)
		case git.ActionDelete:
			gone(path)
		case git.ActionMove:
			previous, _ := git.CleanPath(c.Previous)
			gone(previous)
			left = append(left, path)
		}
	}
	switch {
	case len(left) == 0:
		return nil, apierr.Refused("A snippet must have at least one file")
	case len(left) > maxFiles:
		return nil, apierr.Refused("A snippet can have at most " + strconv.Itoa(maxFiles) + " files")
	}
	slices.Sort(left)
	return left, nil
}
