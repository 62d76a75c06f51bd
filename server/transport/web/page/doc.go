// Package page is the kit of the pages for people: everything that pages have in common. A page is a handler, a template
// and a line in Register of its package; CONTRIBUTING.md shows the steps ("Add a page").
//
//	kit.go        the kit, and the checks before every page
//	route.go      routes: fixed addresses, and patterns below projects, groups and users
//	addresses.go  the patterns of all pages
//	place.go      finding the project, group or user of an address
//	visit.go      one request of a browser: its user, parameters and form, and redirects
//	program.go    programs that open pages with an access token
//	cookie.go     cookies, sessions, and messages for the next page
//	refused.go    refusals of domains, shown in the form
//	form.go       forms, buttons, confirmations, and the protection against forged requests
//	refusal.go    forms that are shown again with the reason of a refusal
//	fields.go     fields that several forms have: visibility, roles, dates
//	imports.go    imports from files: their form, and how far they are
//	editable.go   texts that are too large for a form
//	render.go     templates and the layout
//	nav.go        the menu, side navigation, tabs and breadcrumbs
//	scopes.go     what scopes of tokens mean, and the choice of scopes
//	settings.go   the navigation of the settings of projects and groups
//	pager.go      pages of lists, with filters in the address
//	diff.go       changed files
//	functions.go  what templates can call
//	failure.go    error pages
//	assets.go     the style sheet and scripts
//	templates/    the layout; form.html, parts.html and diff.html have the parts that every page can use
//	static/       the style sheet and scripts
package page
