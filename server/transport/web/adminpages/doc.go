// Package adminpages has the pages of administrators: users, groups, projects, and the state of the instance.
//
//	pages.go      routes
//	users.go      the list of users
//	user.go       a user, and what can be done with an account
//	user_form.go  new users, and changes of users
//	tokens.go     the impersonation tokens of a user
//	places.go     the lists of groups and projects
//	jobs.go       background jobs
//	audit.go      the audit log
//	instance.go   version, health and settings
//	storages.go   storages, and moves between them
package adminpages
