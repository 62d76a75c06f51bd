// Package payload builds the description of a job that a runner receives. It does no I/O: values from rows are passed in.
//
//	payload.go    the JSON types
//	build.go      build the payload
//	artifacts.go  what the runner uploads
//	cache.go      caches and their keys
//	release.go    the script of the release step
package payload

// Payload is the answer to a runner that asks for a job. Lists are never null.
type Payload struct {
	ID            int64        `json:"id"`
	Token         string       `json:"token"`
	AllowGitFetch bool         `json:"allow_git_fetch"`
	JobInfo       JobInfo      `json:"job_info"`
	GitInfo       GitInfo      `json:"git_info"`
	RunnerInfo    RunnerInfo   `json:"runner_info"`
	Variables     []Variable   `json:"variables"`
	Steps         []Step       `json:"steps"`
	Image         *Image       `json:"image"`
	Services      []Image      `json:"services"`
	Artifacts     []Artifact   `json:"artifacts"`
	Cache         []Cache      `json:"cache"`
	Credentials   []Credential `json:"credentials"`
	Dependencies  []Dependency `json:"dependencies"`
	Features      Features     `json:"features"`
	Hooks         []Hook       `json:"hooks"`
	Secrets       struct{}     `json:"secrets"`
}

// JobInfo identifies the job, its project and its user.
type JobInfo struct {
	Name                  string  `json:"name"`
	Stage                 string  `json:"stage"`
	PipelineID            int64   `json:"pipeline_id"`
	ProjectID             int64   `json:"project_id"`
	ProjectName           string  `json:"project_name"`
	ProjectFullPath       string  `json:"project_full_path"`
	NamespaceID           int64   `json:"namespace_id"`
	RootNamespaceID       int64   `json:"root_namespace_id"`
	OrganizationID        int64   `json:"organization_id"`
	UserID                int64   `json:"user_id"`
	TimeInQueue           float64 `json:"time_in_queue_seconds"`
	RunningOnSharedRunner string  `json:"project_jobs_running_on_instance_runners_count"` // a number, or +Inf
	QueueSize             int     `json:"queue_size"`
	QueueDepth            int     `json:"queue_depth"`
}

// GitInfo says what to fetch. RepoURL contains the job's token.
type GitInfo struct {
	RepoURL          string   `json:"repo_url"`
	RepoObjectFormat string   `json:"repo_object_format"`
	Ref              string   `json:"ref"`
	SHA              string   `json:"sha"`
	BeforeSHA        string   `json:"before_sha"`
	RefType          string   `json:"ref_type"`
	Refspecs         []string `json:"refspecs"`
	Depth            int      `json:"depth"`
	Protected        bool     `json:"protected"`
}

// RunnerInfo holds the timeout of the job, in seconds.
type RunnerInfo struct {
	Timeout          int    `json:"timeout"`
	RunnerSessionURL string `json:"runner_session_url,omitempty"`
}

// Variable is a variable of the job.
type Variable struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Public bool   `json:"public"`
	File   bool   `json:"file"`
	Masked bool   `json:"masked"`
	Raw    bool   `json:"raw"`
}

// Step is a script that the runner runs.
type Step struct {
	Name         string   `json:"name"`
	Script       []string `json:"script"`
	Timeout      int      `json:"timeout"`
	When         string   `json:"when"`
	AllowFailure bool     `json:"allow_failure"`
}

// Image is a container image, of the job or of a service.
type Image struct {
	Name         string                       `json:"name"`
	Alias        string                       `json:"alias,omitempty"`
	Entrypoint   []string                     `json:"entrypoint,omitempty"`
	Command      []string                     `json:"command,omitempty"`
	PullPolicy   []string                     `json:"pull_policy,omitempty"`
	ExecutorOpts map[string]map[string]string `json:"executor_opts,omitempty"`
	Variables    []Variable                   `json:"variables,omitempty"`
}

// Artifact is a set of files that the runner uploads.
type Artifact struct {
	Name      string   `json:"name"`
	Untracked bool     `json:"untracked"`
	Paths     []string `json:"paths"`
	Exclude   []string `json:"exclude,omitempty"`
	When      string   `json:"when"`
	ExpireIn  string   `json:"expire_in,omitempty"`
	Type      string   `json:"artifact_type"`
	Format    string   `json:"artifact_format"`
}

// Cache is a set of files that the runner saves and restores between jobs.
type Cache struct {
	Key          string   `json:"key"`
	Untracked    bool     `json:"untracked"`
	Policy       string   `json:"policy"`
	Paths        []string `json:"paths"`
	When         string   `json:"when"`
	FallbackKeys []string `json:"fallback_keys"`
}

// Credential gives the runner access to a service, such as a registry.
type Credential struct {
	Type     string `json:"type"`
	URL      string `json:"url"`
	Username string `json:"username"`
	Password string `json:"password"`
}

// Dependency is an earlier job whose artifacts the runner downloads with Token.
type Dependency struct {
	ID            int64          `json:"id"`
	Name          string         `json:"name"`
	Token         string         `json:"token"`
	ArtifactsFile *ArtifactsFile `json:"artifacts_file,omitempty"`
}

// ArtifactsFile is the archive of a dependency.
type ArtifactsFile struct {
	Filename string `json:"filename"`
	Size     int64  `json:"size"`
}

// Features lists what the runner may use.
type Features struct {
	TraceSections     bool     `json:"trace_sections"`
	TokenMaskPrefixes []string `json:"token_mask_prefixes"`
	FailureReasons    []string `json:"failure_reasons"`
}

// Hook is a script that runs at a certain point, such as before the checkout.
type Hook struct {
	Name   string   `json:"name"`
	Script []string `json:"script"`
}
