package payload

import (
	"net/url"
	"strconv"
	"strings"

	"svc/server/platform/naming"
	"svc/store/model"
)

// Instance is what the bodies say about this instance. Its methods build the bodies.
type Instance struct {
	Base    string // external URL, without a slash at the end
	SSHPort int    // port of git over SSH; 0 for the default port
}

// web returns the URL of a project's page.
func (i Instance) web(p model.Project) string { return i.Base + "/" + p.FullPath }

// page returns the URL of a page below a project, such as /-/jobs/3.
func (i Instance) page(p model.Project, part string, id int64) string {
	return i.web(p) + "/-/" + part + "/" + strconv.FormatInt(id, 10)
}

func (i Instance) gitSSH(p model.Project) string { return naming.SSHURL(i.Base, i.SSHPort, p.FullPath) }

func (i Instance) gitHTTP(p model.Project) string { return i.web(p) + ".git" }

func (i Instance) commitURL(p model.Project, id string) string { return i.web(p) + "/-/commit/" + id }

func (i Instance) issueURL(p model.Project, issue model.Issue) string {
	return naming.IssueURL(i.Base, p.FullPath, issue.IID)
}

func (i Instance) mergeRequestURL(p model.Project, m model.MergeRequest) string {
	return naming.MergeRequestURL(i.Base, p.FullPath, m.IID)
}

func (i Instance) userURL(u model.User) string { return i.Base + "/" + u.Username }

func (i Instance) userAvatar(u model.User) *string {
	return naming.AvatarURL(i.Base, string(model.AvatarUser), u.ID, u.Avatar)
}

// namespaceName returns the display name of a project's namespace. The full name has it before the name of the project.
// The name of a group cannot contain a slash, so only in a nested group the last part is the group itself.
func namespaceName(p model.Project) string {
	name := strings.TrimSuffix(p.FullName, " / "+p.Name)
	if strings.Count(p.FullPath, "/") > 1 {
		name = name[strings.LastIndex(name, " / ")+len(" / "):]
	}
	return name
}

// escape writes a path into a URL.
func escape(path string) string { return (&url.URL{Path: path}).EscapedPath() }
