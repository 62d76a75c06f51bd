// Package projectpages shows projects and their code.
//
//	pages.go    routes
//	place.go    the branch, tag or commit and the path of an address
//	home.go     the project: README, addresses to clone, languages
//	tree.go     folders, with the last commit of each entry
//	blob.go     files: text with highlighting, pictures, and what cannot be shown
//	readme.go   Markdown with links into the repository
//	blame.go    which commit every line of a file comes from
//	commits.go  histories
//	commit.go   a commit and its changes
//	signature.go what the signature of a commit proves
//	compare.go  the difference between two commits
//	refs.go     branches and tags
//	search.go   search in the project
package projectpages
