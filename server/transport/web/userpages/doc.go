// Package userpages shows people: the start page of a user, profiles with their activity, and what belongs to an account.
//
//	pages.go                routes
//	dashboard.go            the start page: projects, to-dos and merge requests of the current user
//	profile.go              the profile of a user
//	calendar.go             the activity of a year as a picture
//	activity.go             events as sentences
//	todos.go                to-do items
//	notifications.go        which notifications a user gets by mail
//	place_notifications.go  the same for one project or group
//	gpg.go                  GPG keys
package userpages
