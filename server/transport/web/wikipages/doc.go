// Package wikipages shows and changes the wikis of projects and groups.
//
//	pages.go    routes, and the wiki of an address
//	list.go     the list of pages
//	show.go     a page
//	link.go     the links and pictures of a page
//	edit.go     new pages, and changes of pages
//	history.go  the versions of a page, and what each changed
//	file.go     files: uploads and downloads
package wikipages
