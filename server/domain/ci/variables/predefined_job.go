package variables

import (
	"fmt"
	"strconv"
	"strings"
)

func (u User) add(l *list) {
	for _, brand := range []string{"SVC", "GITLAB"} { // existing scripts use the GITLAB names
		l.number(brand+"_USER_ID", u.ID)
		l.text(brand+"_USER_LOGIN", u.Login)
		l.raw(brand+"_USER_NAME", u.Name)
		l.text(brand+"_USER_EMAIL", u.Email)
	}
}

func (j Job) add(l *list, projectURL string) {
	l.number("CI_JOB_ID", j.ID)
	l.raw("CI_JOB_NAME", j.Name)
	l.text("CI_JOB_NAME_SLUG", Slug(j.Name))
	l.raw("CI_JOB_GROUP_NAME", j.GroupName)
	l.raw("CI_JOB_STAGE", j.Stage)
	l.always("CI_JOB_URL", projectURL+"/-/jobs/"+strconv.FormatInt(j.ID, 10))
	l.text("CI_JOB_IMAGE", j.Image)
	l.time("CI_JOB_STARTED_AT", j.Started)
	if j.Timeout > 0 {
		l.number("CI_JOB_TIMEOUT", int64(j.Timeout.Seconds()))
	}
	l.flag("CI_JOB_MANUAL", j.Manual)
	l.always("CI_NODE_TOTAL", strconv.Itoa(max(j.NodeTotal, 1)))
	if j.NodeTotal > 0 {
		l.always("CI_NODE_INDEX", strconv.Itoa(j.NodeIndex))
	}
	if j.Token == "" {
		return
	}
	*l = append(*l, Variable{Key: "CI_JOB_TOKEN", Value: j.Token, Masked: true, Raw: true})
	if scheme, rest, found := strings.Cut(projectURL, "://"); found {
		address := scheme + "://" + GitUser + ":" + j.Token + "@" + rest + ".git"
		*l = append(*l, Variable{Key: "CI_REPOSITORY_URL", Value: address, Masked: true, Raw: true})
	}
}

// GitUser is the username with which runners send a job's token to git.
const GitUser = "gitlab-ci-token"

func (r Runner) add(l *list) {
	l.number("CI_RUNNER_ID", r.ID)
	l.raw("CI_RUNNER_DESCRIPTION", r.Description)
	tags := make([]string, len(r.Tags))
	for i, tag := range r.Tags {
		tags[i] = strconv.Quote(tag)
	}
	l.raw("CI_RUNNER_TAGS", "["+strings.Join(tags, ", ")+"]")
	l.text("CI_RUNNER_VERSION", r.Version)
}

func (e Environment) add(l *list) {
	l.raw("CI_ENVIRONMENT_NAME", e.Name)
	l.text("CI_ENVIRONMENT_SLUG", EnvironmentSlug(e.Name))
	l.text("CI_ENVIRONMENT_ACTION", e.Action)
	l.text("CI_ENVIRONMENT_TIER", e.Tier)
	l.text("CI_ENVIRONMENT_URL", e.URL) // not raw: it may contain variables
}

func (m MergeRequest) add(l *list) {
	l.number("CI_MERGE_REQUEST_ID", m.ID)
	l.number("CI_MERGE_REQUEST_IID", m.IID)
	l.text("CI_MERGE_REQUEST_REF_PATH", fmt.Sprintf("refs/merge-requests/%d/head", m.IID))
	l.number("CI_MERGE_REQUEST_PROJECT_ID", m.ProjectID)
	l.text("CI_MERGE_REQUEST_PROJECT_PATH", m.TargetProjectPath)
	l.text("CI_MERGE_REQUEST_PROJECT_URL", m.TargetURL)
	l.raw("CI_MERGE_REQUEST_TITLE", m.Title)
	l.raw("CI_MERGE_REQUEST_DESCRIPTION", m.Description)
	l.text("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", m.SourceBranch)
	l.text("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", m.SourceSHA)
	l.number("CI_MERGE_REQUEST_SOURCE_PROJECT_ID", m.SourceProjectID)
	l.text("CI_MERGE_REQUEST_SOURCE_PROJECT_PATH", m.SourceProjectPath)
	l.text("CI_MERGE_REQUEST_SOURCE_PROJECT_URL", m.SourceURL)
	l.text("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", m.TargetBranch)
	l.text("CI_MERGE_REQUEST_TARGET_BRANCH_SHA", m.TargetSHA)
	l.always("CI_MERGE_REQUEST_TARGET_BRANCH_PROTECTED", strconv.FormatBool(m.TargetBranchProtected))
	l.text("CI_MERGE_REQUEST_DIFF_BASE_SHA", m.DiffBaseSHA)
	l.text("CI_MERGE_REQUEST_EVENT_TYPE", m.EventType)
	l.always("CI_MERGE_REQUEST_DRAFT", strconv.FormatBool(m.Draft))
	l.raw("CI_MERGE_REQUEST_ASSIGNEES", strings.Join(m.Assignees, ", "))
	l.raw("CI_MERGE_REQUEST_LABELS", strings.Join(m.Labels, ","))
	l.raw("CI_MERGE_REQUEST_MILESTONE", m.Milestone)
}
