// Package createpages makes projects and forks.
//
//	pages.go    routes, and the places for new projects
//	project.go  making a project
//	fork.go     forking a project, and the list of forks
package createpages
