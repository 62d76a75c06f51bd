// Package snippetpages shows and changes snippets: those of users, and those of projects.
//
//	pages.go  routes, and the snippet of an address
//	list.go   the lists of snippets
//	show.go   a snippet with its files, and a file as it is
//	edit.go   new snippets, changes and deletion
//	form.go   the form of a snippet
package snippetpages
