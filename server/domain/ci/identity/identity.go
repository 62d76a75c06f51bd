// Package identity makes the claims of the tokens that the keyword id_tokens asks for. Other services trust such a token
// as the identity of a job. It does no I/O: the caller signs the claims.
package identity

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"svc/server/domain/ci/variables"
)

// Project is a project as a token names it.
type Project struct {
	ID, NamespaceID int64
	FullPath        string
}

// Input is what a token says, besides its audience and its number.
type Input struct {
	variables.Facts
	// Source is the project that the commit is in. It differs from the project that runs the job if a merge request
	// comes from a fork: the code of a fork must not pass for that of the project.
	Source               Project
	EnvironmentProtected bool   // whether the environment of the job is protected
	Role                 string // the role of the user in the project that runs the job, in lower case; empty for none
	Now                  time.Time
}

// shortest is how long a token is valid if the job has no time limit.
const shortest = 5 * time.Minute

// early is how much before its making a token is valid, for services whose clocks are slow.
const early = 5 * time.Second

// claims are the members of a token. Numbers of rows are texts, but for that of the runner, because services compare
// them with texts.
type claims struct {
	Issuer   string `json:"iss"`
	Subject  string `json:"sub"`
	Audience any    `json:"aud"`
	Expires  int64  `json:"exp"`
	Begins   int64  `json:"nbf"`
	Issued   int64  `json:"iat"`
	ID       string `json:"jti"`

	NamespaceID      string  `json:"namespace_id"`
	NamespacePath    string  `json:"namespace_path"`
	ProjectID        string  `json:"project_id"`
	ProjectPath      string  `json:"project_path"`
	JobNamespaceID   string  `json:"job_namespace_id"`
	JobNamespacePath string  `json:"job_namespace_path"`
	JobProjectID     string  `json:"job_project_id"`
	JobProjectPath   string  `json:"job_project_path"`
	UserID           string  `json:"user_id"`
	UserLogin        string  `json:"user_login"`
	UserEmail        string  `json:"user_email"`
	UserAccessLevel  *string `json:"user_access_level"`
	PipelineID       string  `json:"pipeline_id"`
	PipelineSource   string  `json:"pipeline_source"`
	JobID            string  `json:"job_id"`
	Ref              string  `json:"ref"`
	RefType          string  `json:"ref_type"`
	RefPath          string  `json:"ref_path"`
	RefProtected     string  `json:"ref_protected"`

	Environment          string `json:"environment,omitempty"`
	EnvironmentProtected string `json:"environment_protected,omitempty"`
	DeploymentTier       string `json:"deployment_tier,omitempty"`
	EnvironmentAction    string `json:"environment_action,omitempty"`

	RunnerID          int64   `json:"runner_id"`
	RunnerEnvironment string  `json:"runner_environment"`
	SHA               string  `json:"sha"`
	ProjectVisibility string  `json:"project_visibility"`
	ConfigRefURI      *string `json:"ci_config_ref_uri"`
	ConfigSHA         *string `json:"ci_config_sha"`
}

// Claims returns the claims of a token as JSON. id is random. The audience is a text or a list of texts, as in the CI
// file. Facts must have a job, a runner and a user.
func Claims(in Input, id string, audience any) ([]byte, error) {
	refType, refPath := "branch", "refs/heads/"+in.Commit.Ref
	if in.Commit.Tag {
		refType, refPath = "tag", "refs/tags/"+in.Commit.Ref
	}
	valid := in.Job.Timeout
	if valid <= 0 {
		valid = shortest
	}
	c := claims{
		Issuer:  in.Server.URL,
		Subject: fmt.Sprintf("project_path:%s:ref_type:%s:ref:%s", in.Source.FullPath, refType, in.Commit.Ref),
		ID:      id, Audience: audience,
		Expires: in.Now.Add(valid).Unix(), Begins: in.Now.Add(-early).Unix(), Issued: in.Now.Unix(),
		NamespaceID: text(in.Source.NamespaceID), NamespacePath: path.Dir(in.Source.FullPath),
		ProjectID: text(in.Source.ID), ProjectPath: in.Source.FullPath,
		JobNamespaceID: text(in.Project.NamespaceID), JobNamespacePath: path.Dir(in.Project.FullPath),
		JobProjectID: text(in.Project.ID), JobProjectPath: in.Project.FullPath,
		UserID: text(in.User.ID), UserLogin: in.User.Login, UserEmail: in.User.Email,
		PipelineID: text(in.Pipeline.ID), PipelineSource: in.Pipeline.Source, JobID: text(in.Job.ID),
		Ref: in.Commit.Ref, RefType: refType, RefPath: refPath, RefProtected: strconv.FormatBool(in.Commit.Protected),
		RunnerID: in.Runner.ID, RunnerEnvironment: "self-hosted", SHA: in.Commit.SHA, ProjectVisibility: in.Project.Visibility,
	}
	if in.Role != "" {
		c.UserAccessLevel = &in.Role
	}
	if e := in.Environment; e != nil {
		c.Environment, c.DeploymentTier, c.EnvironmentAction = e.Name, e.Tier, e.Action
		c.EnvironmentProtected = strconv.FormatBool(in.EnvironmentProtected)
	}
	c.setConfig(in, refPath)
	return json.Marshal(c)
}

// setConfig names the CI file of the commit. There is none if the CI file is in another project or elsewhere.
func (c *claims) setConfig(in Input, refPath string) {
	file := in.Project.ConfigPath
	if strings.Contains(file, "@") || strings.Contains(file, "://") {
		return
	}
	host := in.Server.URL
	if u, err := url.Parse(in.Server.URL); err == nil {
		host = u.Host + u.Path
	}
	uri := fmt.Sprintf("%s/%s//%s@%s", host, in.Source.FullPath, file, refPath)
	c.ConfigRefURI, c.ConfigSHA = &uri, &in.Commit.SHA
}

func text(id int64) string { return strconv.FormatInt(id, 10) }
