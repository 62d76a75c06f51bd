// Package flagpages shows the feature flags of projects, and what programs need to read them.
//
//	pages.go      routes, and what the pages share
//	flags.go      the list of flags with the instance ID for programs
//	flag_edit.go  creating, changing and deleting flags
//	strategy.go   adding and removing strategies
//	user_list.go  user lists
package flagpages
