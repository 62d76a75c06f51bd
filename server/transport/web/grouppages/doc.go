// Package grouppages shows groups, and makes new ones.
//
//	pages.go   routes
//	home.go    the page of a group
//	tree.go    the subgroups and projects below a group, as a tree
//	list.go    the groups of the current user
//	create.go  making a group or subgroup
//	import.go  making a group from a file, and how far an import is
package grouppages
