package naming

import "strconv"

// IssueURL returns the URL of an issue's page. project is the full path of its project.
func IssueURL(base, project string, iid int64) string {
	return base + "/" + project + "/-/issues/" + strconv.FormatInt(iid, 10)
}

// MergeRequestURL returns the URL of a merge request's page. project is the full path of its project.
func MergeRequestURL(base, project string, iid int64) string {
	return base + "/" + project + "/-/merge_requests/" + strconv.FormatInt(iid, 10)
}
