// Package releasepages shows and changes the releases of projects, and leads to their files.
//
//	pages.go     routes
//	list.go      the list of releases
//	show.go      a release
//	download.go  the addresses of files, and of the latest release
//	edit.go      new releases, changes and deletion
//	form.go      the form of a release
//	link.go      the links of a release
package releasepages
