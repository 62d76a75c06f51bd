// Package web serves the pages for people: signing in, settings, consent to applications, and the explorer of the API. What
// all pages share is in package page; the pages of other subjects are in packages of their own, such as projectpages and
// cipages.
//
//	web.go                 construction and routes
//	kit.go                 the kit of package page, under the names of this package
//	session.go             beginning a session
//	signin.go              signing in and out
//	second.go              the second factor when signing in
//	password.go            forgotten and expired passwords
//	confirm.go             confirming an email address
//	register.go            registration
//	reauthenticate.go      signing in again, for OpenID Connect
//	site_signin.go         signing in for a project's site
//	help.go                the help page
//	settings.go            routes and helpers of the settings
//	profile.go             profile, avatar and status
//	username.go            changing the username
//	own_password.go        changing the password
//	emails.go              email addresses
//	keys.go                SSH keys
//	tokens.go              personal access tokens
//	scopes.go              descriptions of scopes
//	sessions.go            active sessions
//	browser_name.go        names of browsers for people
//	two_factor.go          turning the second factor on and off
//	qr.go                  QR codes
//	applications.go        OAuth applications of users and of the instance
//	group_applications.go  OAuth applications of groups
//	authorize.go           consent to an application
//	unsubscribe.go         unsubscribing by a link in a mail
//	explorer.go            the explorer of the API
package web
