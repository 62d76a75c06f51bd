package variables

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Facts holds the values behind the predefined variables. Nil parts give no variables.
type Facts struct {
	Server       Server
	Project      Project
	Commit       Commit
	Pipeline     Pipeline
	User         *User
	Job          *Job
	Runner       *Runner
	Environment  *Environment
	MergeRequest *MergeRequest
}

// Server describes the instance.
type Server struct{ URL, Version, Revision string }

// Project describes the project of the pipeline.
type Project struct {
	ID, NamespaceID             int64
	Name, Description, FullPath string
	Visibility, DefaultBranch   string
	ConfigPath                  string
	Languages                   []string
}

// Commit describes the commit of the pipeline.
type Commit struct {
	SHA, BeforeSHA, Ref, Message, TagMessage string
	Author                                   string // Name <address>
	Time                                     time.Time
	Tag, Protected                           bool
}

// Pipeline describes the pipeline.
type Pipeline struct {
	ID, IID             int64
	Source, Name        string
	Created             time.Time
	ScheduleDescription string
	Triggered           bool
	DeployFreeze        bool     // it was created in a freeze period
	OpenMergeRequests   []string // references such as group/project!1
}

// User is the user who started the job.
type User struct {
	ID                 int64
	Login, Name, Email string
}

// Job describes the job. Token is the only secret.
type Job struct {
	ID                     int64
	Name, Stage, GroupName string
	Token, Image           string
	Timeout                time.Duration
	Started                time.Time
	Manual                 bool
	NodeIndex, NodeTotal   int
}

// Runner describes the runner that runs the job.
type Runner struct {
	ID          int64
	Description string
	Tags        []string
	Version     string
}

// Environment describes the environment that the job deploys to.
type Environment struct{ Name, URL, Action, Tier string }

// MergeRequest describes the merge request of a merge request pipeline.
type MergeRequest struct {
	ID, IID                      int64
	Title, Description           string
	SourceBranch, SourceSHA      string
	SourceProjectPath, SourceURL string
	TargetBranch, TargetSHA      string
	TargetProjectPath, TargetURL string
	DiffBaseSHA, EventType       string
	Milestone                    string
	SourceProjectID, ProjectID   int64
	TargetBranchProtected, Draft bool
	Assignees, Labels            []string
}

// list collects variables. Method text leaves out empty values, and always keeps them.
type list []Variable

func (l *list) always(key, value string) { *l = append(*l, Public(key, value)) }

func (l *list) text(key, value string) {
	if value != "" {
		l.always(key, value)
	}
}

// raw adds texts that users wrote. A dollar sign in them stands for itself.
func (l *list) raw(key, value string) {
	if value != "" {
		*l = append(*l, Variable{Key: key, Value: value, Public: true, Raw: true})
	}
}

func (l *list) number(key string, n int64) { l.always(key, strconv.FormatInt(n, 10)) }

func (l *list) time(key string, t time.Time) {
	if !t.IsZero() {
		l.always(key, t.UTC().Format(time.RFC3339))
	}
}

// flag adds "true" or nothing.
func (l *list) flag(key string, set bool) {
	if set {
		l.always(key, "true")
	}
}

// Predefined returns the predefined variables. The runner adds those that only it can set (CI_PROJECT_DIR,
// CI_BUILDS_DIR, CI_CONCURRENT_ID …).
func Predefined(f Facts) []Variable {
	var l list
	f.Server.add(&l)
	f.Project.add(&l, f.projectURL())
	f.Commit.add(&l, f.MergeRequest != nil)
	f.Pipeline.add(&l, f.projectURL())
	if f.MergeRequest != nil {
		f.MergeRequest.add(&l)
	}
	if f.User != nil {
		f.User.add(&l)
	}
	if f.Job != nil {
		f.Job.add(&l, f.projectURL())
	}
	if f.Runner != nil {
		f.Runner.add(&l)
	}
	if f.Environment != nil {
		f.Environment.add(&l)
	}
	return l
}

func (f Facts) projectURL() string { return f.Server.URL + "/" + f.Project.FullPath }

func (s Server) add(l *list) {
	l.always("CI", "true")
	l.always("SVC_CI", "true")
	l.always("GITLAB_CI", "true")
	l.always("CI_SERVER", "yes")
	l.always("CI_SERVER_NAME", "Svc")
	l.text("CI_SERVER_URL", s.URL)
	if parsed, err := url.Parse(s.URL); err == nil && parsed.Host != "" {
		port := parsed.Port()
		if port == "" {
			port = map[string]string{"http": "80", "https": "443"}[parsed.Scheme]
		}
		l.always("CI_SERVER_HOST", parsed.Hostname())
		l.text("CI_SERVER_PORT", port)
		l.always("CI_SERVER_PROTOCOL", parsed.Scheme)
		l.always("CI_SERVER_FQDN", parsed.Host)
	}
	l.text("CI_SERVER_VERSION", s.Version)
	for i, key := range []string{"CI_SERVER_VERSION_MAJOR", "CI_SERVER_VERSION_MINOR", "CI_SERVER_VERSION_PATCH"} {
		number, _, _ := strings.Cut(s.Version, "-")
		if parts := strings.Split(number, "."); i < len(parts) {
			l.text(key, parts[i])
		}
	}
	l.text("CI_SERVER_REVISION", s.Revision)
	l.text("CI_API_V4_URL", s.URL+"/api/v4")
}

func (p Project) add(l *list, projectURL string) {
	namespace, name := "", p.FullPath
	if i := strings.LastIndexByte(p.FullPath, '/'); i >= 0 {
		namespace, name = p.FullPath[:i], p.FullPath[i+1:]
	}
	root, _, _ := strings.Cut(p.FullPath, "/")
	l.number("CI_PROJECT_ID", p.ID)
	l.text("CI_PROJECT_NAME", name)
	l.raw("CI_PROJECT_TITLE", p.Name)
	l.raw("CI_PROJECT_DESCRIPTION", p.Description)
	l.text("CI_PROJECT_PATH", p.FullPath)
	l.text("CI_PROJECT_PATH_SLUG", Slug(p.FullPath))
	l.text("CI_PROJECT_NAMESPACE", namespace)
	l.number("CI_PROJECT_NAMESPACE_ID", p.NamespaceID)
	l.text("CI_PROJECT_NAMESPACE_SLUG", Slug(namespace))
	l.text("CI_PROJECT_ROOT_NAMESPACE", root)
	l.text("CI_PROJECT_URL", projectURL)
	l.text("CI_PROJECT_VISIBILITY", p.Visibility)
	l.text("CI_PROJECT_REPOSITORY_LANGUAGES", strings.ToLower(strings.Join(p.Languages, ",")))
	l.text("CI_DEFAULT_BRANCH", p.DefaultBranch)
	l.text("CI_CONFIG_PATH", p.ConfigPath)
}

const shortSHA = 8

func (c Commit) add(l *list, mergeRequest bool) {
	l.text("CI_COMMIT_SHA", c.SHA)
	l.text("CI_COMMIT_SHORT_SHA", c.SHA[:min(len(c.SHA), shortSHA)])
	l.text("CI_COMMIT_BEFORE_SHA", c.BeforeSHA)
	l.text("CI_COMMIT_REF_NAME", c.Ref)
	l.text("CI_COMMIT_REF_SLUG", Slug(c.Ref))
	switch {
	case c.Tag:
		l.text("CI_COMMIT_TAG", c.Ref)
		l.raw("CI_COMMIT_TAG_MESSAGE", c.TagMessage)
	case !mergeRequest:
		l.text("CI_COMMIT_BRANCH", c.Ref)
	}
	l.always("CI_COMMIT_REF_PROTECTED", strconv.FormatBool(c.Protected))
	title, description, _ := strings.Cut(c.Message, "\n")
	l.raw("CI_COMMIT_MESSAGE", c.Message)
	l.raw("CI_COMMIT_TITLE", title)
	l.raw("CI_COMMIT_DESCRIPTION", strings.TrimLeft(description, "\n"))
	l.raw("CI_COMMIT_AUTHOR", c.Author)
	if !c.Time.IsZero() {
		l.always("CI_COMMIT_TIMESTAMP", c.Time.Format(time.RFC3339))
	}
}

func (p Pipeline) add(l *list, projectURL string) {
	l.number("CI_PIPELINE_ID", p.ID)
	l.number("CI_PIPELINE_IID", p.IID)
	l.text("CI_PIPELINE_SOURCE", p.Source)
	l.raw("CI_PIPELINE_NAME", p.Name)
	l.always("CI_PIPELINE_URL", projectURL+"/-/pipelines/"+strconv.FormatInt(p.ID, 10))
	l.time("CI_PIPELINE_CREATED_AT", p.Created)
	l.raw("CI_PIPELINE_SCHEDULE_DESCRIPTION", p.ScheduleDescription)
	l.flag("CI_PIPELINE_TRIGGERED", p.Triggered)
	l.flag("CI_DEPLOY_FREEZE", p.DeployFreeze)
	l.text("CI_OPEN_MERGE_REQUESTS", strings.Join(p.OpenMergeRequests, ","))
}
