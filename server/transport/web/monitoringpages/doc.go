// Package monitoringpages shows the alerts of projects and the errors of their programs.
//
//	pages.go         routes
//	alert_list.go    the list of alerts
//	alert.go         an alert, its status and its assignees
//	error_list.go    the list of errors
//	error.go         an error and its last events
//	error_setup.go   switching error tracking on, and the client keys
package monitoringpages
