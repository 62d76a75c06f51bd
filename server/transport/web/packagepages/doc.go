// Package packagepages shows and deletes packages.
//
//	pages.go    routes
//	list.go     the lists of packages of projects and groups
//	show.go     a package with its files, downloads and deletion
//	install.go  the commands that install a package
package packagepages
