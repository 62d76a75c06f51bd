package grouppages

import "svc/store/model"

// node is a group in the tree, with what is directly in it.
type node struct {
	Group    model.Namespace
	Groups   []*node
	Projects []model.ProjectRow
}

// Empty reports whether nothing is below the group.
func (n *node) Empty() bool { return len(n.Groups)+len(n.Projects) == 0 }

// newTree arranges the groups and projects below a group. A group whose parent is not among them stays directly below
// the root, and so does a project. With prune, groups without projects are left out, for the later pages of a long tree.
func newTree(root model.Namespace, groups []model.Namespace, projects []model.ProjectRow, prune bool) *node {
	top := &node{Group: root}
	byID := map[int64]*node{root.ID: top}
	for _, g := range groups {
		byID[g.ID] = &node{Group: g}
	}
	for _, row := range projects {
		in := byID[row.Project.NamespaceID]
		if in == nil {
			in = top
		}
		in.Projects = append(in.Projects, row)
	}
	for _, g := range groups {
		parent := top
		if g.ParentID != nil && byID[*g.ParentID] != nil {
			parent = byID[*g.ParentID]
		}
		parent.Groups = append(parent.Groups, byID[g.ID])
	}
	if prune {
		top.prune()
	}
	return top
}

// prune removes the groups that have no projects below them.
func (n *node) prune() {
	var kept []*node
	for _, child := range n.Groups {
		child.prune()
		if !child.Empty() {
			kept = append(kept, child)
		}
	}
	n.Groups = kept
}
