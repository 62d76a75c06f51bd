// Package createpages makes projects and forks.
//
//	pages.go    routes, and the places for new projects
//	project.go  making a project
//	import.go   making a project from a file, and how far an import is
//	fork.go     forking a project, and the list of forks
package createpages
