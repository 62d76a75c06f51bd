package naming

import (
	"net"
	"net/url"
	"strconv"
	"strings"
)

// sshPort is the default port, which URLs omit.
const sshPort = 22

// SSHURL returns the clone URL of a repository over SSH. path is the full path of its project; port 0 means the default
// port.
func SSHURL(base string, port int, path string) string {
	host := base
	if u, err := url.Parse(base); err == nil {
		host = u.Hostname()
	}
	if port != 0 && port != sshPort {
		return "ssh://git@" + net.JoinHostPort(host, strconv.Itoa(port)) + "/" + path + ".git"
	}
	return "git@" + host + ":" + path + ".git"
}

// AvatarURL returns the URL of an avatar; nil if the owner has none. kind is user, group or project.
func AvatarURL(base, kind string, ownerID int64, file *string) *string {
	if file == nil {
		return nil
	}
	link := base + "/uploads/-/system/" + kind + "/avatar/" + strconv.FormatInt(ownerID, 10) + "/" + *file
	return &link
}

// CollectorURL returns the address (DSN) that programs send errors to. key is a client key, which is hexadecimal.
func CollectorURL(base, key string, projectID int64) string {
	scheme, rest, _ := strings.Cut(base, "://")
	return scheme + "://" + key + "@" + rest + "/api/v4/error_tracking/collector/" + strconv.FormatInt(projectID, 10)
}

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

// EpicPath returns the path of an epic's page. group is the full path of its group.
func EpicPath(group string, iid int64) string {
	return "/groups/" + group + "/-/epics/" + strconv.FormatInt(iid, 10)
}
