// Package web serves the pages for people: signing in, settings, administration, consent to applications, jobs and
// pipelines, and the explorer of the API.
//
//	web.go                 routing, and one request of a browser
//	render.go              templates and static files
//	form.go                forms, and the protection against forged requests
//	failure.go             error pages
//	pager.go               pages of lists
//	session.go             sessions, cookies and messages for the next page
//	signin.go              signing in and out
//	second.go              the second factor when signing in
//	password.go            forgotten and expired passwords
//	confirm.go             confirming an email address
//	register.go            registration
//	reauthenticate.go      signing in again, for OpenID Connect
//	site_signin.go         signing in for a project's site
//	home.go                the home page
//	settings.go            routes and helpers of the settings
//	profile.go             profile, avatar and status
//	username.go            changing the username
//	own_password.go        changing the password
//	emails.go              email addresses
//	keys.go                SSH keys
//	tokens.go              personal access tokens
//	scopes.go              descriptions of scopes
//	sessions.go            active sessions
//	two_factor.go          turning the second factor on and off
//	qr.go                  QR codes
//	applications.go        OAuth applications of users and of the instance
//	group_applications.go  OAuth applications of groups
//	authorize.go           consent to an application
//	admin.go               administration of users
//	project_pages.go       routes of the pages of a project
//	job_page.go            the page of a job
//	job_log.go             the live log of a job
//	job_buttons.go         actions on a job
//	pipeline_page.go       the page of a pipeline
//	graph.go               the graph of a pipeline
//	release_page.go        the page of a release, and the addresses of its files
//	unsubscribe.go         unsubscribing by a link in a mail
//	explorer.go            the explorer of the API
package web
