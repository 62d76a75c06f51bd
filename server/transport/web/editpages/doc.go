// Package editpages changes repositories in the browser: branches, tags and files.
//
//	pages.go   routes, and the repository of a page
//	branch.go  making and deleting a branch
//	tag.go     making and deleting a tag
//	place.go   the branch and the path that a file page is about
//	file.go    making, editing and deleting a file
//	upload.go  uploading a file
//	commit.go  the message and the branch of a commit, and making it
package editpages
