// Package settingspages changes the settings of projects and groups.
//
//	pages.go        routes, and the address of a project or group
//	setting.go      settings that are one column each, as fields of a form
//	project.go      a project: name, description, picture, features
//	merge.go        how merge requests of a project are merged
//	group.go        a group: name, description, picture, rules
//	picture.go      the picture of a project or group
//	repository.go   the default branch, protected branches and tags, and deploy keys
//	protection.go   protecting branches and tags
//	protection_change.go changing a rule for branches
//	deploy_key.go   deploy keys
//	mirrors.go      mirrors that a project pushes to, and the list of all
//	pull_mirror.go  the mirror that a project pulls from
//	tokens.go       access tokens of projects and groups
//	deploy_token.go deploy tokens
//	export.go       exporting a project or group into a file
//	advanced.go     what changes addresses or ends things: path, transfer, archive, delete
package settingspages
