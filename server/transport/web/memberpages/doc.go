// Package memberpages shows and changes the members of projects and groups: roles, invitations, requests for access, and
// groups that something is shared with.
//
//	pages.go   routes
//	source.go  the project or group of a page
//	list.go    the page with everything
//	add.go     adding people, and inviting addresses
//	change.go  changing and removing members
//	share.go   sharing with a group
//	request.go requests for access
package memberpages
