// Package issuablepages has what the pages of issues and merge requests share: lists with filters in the address, threads of
// comments, the side column, and forms. The packages issuepages and mergerequestpages build on it.
//
//	parts.go     the dependencies, the two kinds of items, and templates
//	routes.go    the addresses that both kinds have
//	filter.go    the filters of lists
//	list.go      the rows of lists
//	text.go      texts as HTML, within the size of a page
//	timeline.go  threads of comments, and what the service noted between them
//	thread.go    the page of a long thread
//	comment.go   writing, changing and deleting comments, and resolving threads
//	follow.go    subscriptions, to-dos and time tracking
//	fields.go    the fields of forms, and what they send
//	templates/   the parts that the templates of both packages use
package issuablepages
