// Package issuepages shows issues and lets people write them. What issues share with merge requests is in package
// issuablepages.
//
//	pages.go  routes
//	list.go   the issues of a project or a group
//	issue.go  one issue with its comments
//	new.go    writing an issue
//	edit.go   changing, closing and deleting an issue
//	form.go   the form of an issue
package issuepages
