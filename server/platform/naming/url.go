package naming

import (
	"net/url"
	"strconv"
)

// IssueURL returns the URL of an issue's page. project is the full path of its project.
func IssueURL(base, project string, iid int64) string {
	return base + "/" + project + "/-/issues/" + strconv.FormatInt(iid, 10)
}

// MergeRequestURL returns the URL of a merge request's page. project is the full path of its project.
func MergeRequestURL(base, project string, iid int64) string {
	return base + "/" + project + "/-/merge_requests/" + strconv.FormatInt(iid, 10)
}

// NewMergeRequestURL returns the URL of the page that creates a merge request from a branch. project is the full path of
// the project of the branch.
func NewMergeRequestURL(base, project, branch string) string {
	return base + "/" + project + "/-/merge_requests/new?" + url.Values{"merge_request[source_branch]": {branch}}.Encode()
}
