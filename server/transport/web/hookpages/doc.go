// Package hookpages shows the webhooks of projects and groups, and system hooks: their settings, tests, and the log of deliveries.
//
//	pages.go     dependencies and routes
//	owner.go     the project or group of a page, or the instance
//	hooks.go     the list of hooks, and new hooks
//	hook.go      one hook: its settings and its deliveries
//	form.go      the form of a hook
//	secrets.go   custom headers and URL variables
//	delivery.go  one delivery, tests and resends
package hookpages
