// Package explorepages shows what is on the instance: projects and groups that everybody may see, and the search.
//
//	pages.go    routes
//	explore.go  projects and groups, also without a sign-in
//	search.go   the search over the whole instance
package explorepages
