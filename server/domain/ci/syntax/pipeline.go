package syntax

import (
	"time"

	"svc/server/domain/ci/variables"
)

// Pipeline is the result of Compile: the jobs to run.
type Pipeline struct {
	Name       string // workflow:name, expanded; often empty
	Stages     []string
	Jobs       []Job // in the order of the file; the variants of a parallel job follow each other
	Variables  []variables.Variable
	AutoCancel AutoCancel
	Warnings   []Error
}

// AutoCancel says when a pipeline is canceled automatically.
type AutoCancel struct {
	OnNewCommit  string // conservative, interruptible, none or disabled; empty means conservative
	OnJobFailure string // all or none; empty means none
}

// Job is a job of a pipeline, with everything that the engine and a runner need. Texts for the runner still contain
// variables, because the runner expands them. Texts that the engine uses are expanded.
type Job struct {
	Name       string
	BaseName   string // without the suffix of a parallel job
	Stage      string
	StageIndex int // index in Pipeline.Stages
	File       string
	Line       int

	BeforeScript []string
	Script       []string
	AfterScript  []string
	Hooks        Hooks
	Image        *Image
	Services     []Service
	Variables    []variables.Variable // from the CI file, without duplicate keys
	Tags         []string

	When                  string // on_success, on_failure, always, manual or delayed
	StartIn               time.Duration
	AllowFailure          bool
	AllowFailureExitCodes []int // if not empty, only these exit codes are allowed failures
	ManualConfirmation    string
	Retry                 Retry
	Timeout               time.Duration // 0 means the project's timeout
	Interruptible         bool
	ResourceGroup         string

	HasNeeds     bool // also true for an empty list: the job then waits for no stage
	Needs        []Need
	CrossNeeds   []CrossNeed // artifacts of other projects and pipelines
	Dependencies []string    // jobs whose artifacts are downloaded; nil means all earlier jobs
	NodeIndex    int         // index within a parallel job, from 1
	NodeTotal    int

	Environment *Environment
	Artifacts   *Artifacts
	Caches      []Cache
	Coverage    string // a regular expression without its slashes
	Release     *Release
	IDTokens    []IDToken
	Pages       *Pages
	Trigger     *Trigger // set if the job is a bridge
}

// IsBridge reports whether the job runs without a runner: it starts another pipeline, or shows the status of an
// upstream one.
func (j Job) IsBridge() bool {
	if j.Trigger != nil {
		return true
	}
	for _, need := range j.CrossNeeds {
		if need.Pipeline != "" && need.Job == "" {
			return true
		}
	}
	return false
}

// Hooks are scripts that run at certain points of a job.
type Hooks struct{ PreGetSources []string }

// Image is the container that a job runs in.
type Image struct {
	Name       string
	Entrypoint []string
	PullPolicy []string
	Platform   string // docker:platform
	User       string // docker:user
	KubeUser   string // kubernetes:user
}

// Service is a container that runs beside the job.
type Service struct {
	Image
	Alias     string
	Command   []string
	Variables []variables.Variable
}

// Retry says how often, and after which failures, a job is retried.
type Retry struct {
	Max       int
	When      []string // reasons; empty means always
	ExitCodes []int
}

// Need is a job of this pipeline that must finish first.
type Need struct {
	Job       string
	Artifacts bool
	Optional  bool
}

// CrossNeed refers to artifacts of a job in another project, from the newest successful job on a ref, or in another
// pipeline of the same family. Without a job, it makes the job a bridge that shows the status of an upstream pipeline.
type CrossNeed struct {
	Project   string
	Ref       string
	Pipeline  string
	Job       string
	Artifacts bool
}

// Environment is the target of a deployment. The URL still contains variables, because the job's dotenv report may set
// them.
type Environment struct {
	Name           string
	URL            string
	Action         string // start, prepare, stop, verify or access
	OnStop         string
	AutoStopIn     string
	DeploymentTier string
}

// Artifacts are the files that a job uploads.
type Artifacts struct {
	Name      string
	Paths     []string
	Exclude   []string
	Untracked bool
	When      string // on_success, on_failure or always; empty means on_success
	ExpireIn  string // as written; empty means the default of the instance
	ExposeAs  string
	Access    string // all, developer, maintainer or none; empty means all
	Reports   []Report
}

// Report is an artifact that the service reads.
type Report struct {
	Type     string
	Paths    []string
	Format   string // of coverage_report: cobertura or jacoco
	ReadPath string // of coverage_report
}

// Cache is a set of files that jobs keep between runs.
type Cache struct {
	Key          string
	KeyFiles     []string // files whose content determines the key
	KeyPrefix    string
	FallbackKeys []string
	Paths        []string
	Untracked    bool
	Unprotect    bool
	Policy       string // pull-push, pull or push
	When         string // on_success, on_failure or always
}

// Trigger is the pipeline that a bridge starts: in another project, or a child pipeline from files.
type Trigger struct {
	Project         string
	Branch          string
	Include         []TriggerFile
	Strategy        string // depend, mirror or empty
	ForwardYAML     bool   // pass on the variables of the CI file
	ForwardPipeline bool   // pass on the variables of the pipeline
	Inputs          map[string]string
}

// TriggerFile is the origin of a child pipeline's CI file. One of Local, Artifact, Template and Project is set.
type TriggerFile struct {
	Local    string
	Artifact string
	Job      string // the job that created the artifact
	Template string
	Project  string
	Ref      string
	File     string
	Inputs   map[string]string
}

// Release is created after the job's script.
type Release struct {
	TagName     string
	TagMessage  string
	Name        string
	Description string
	Ref         string
	Milestones  []string
	ReleasedAt  string
	Links       []ReleaseLink
}

// ReleaseLink is a file that a release links to.
type ReleaseLink struct{ Name, URL, FilePath, LinkType string }

// IDToken is a signed token for other services, which the job gets in a variable.
type IDToken struct {
	Variable string
	Audience []string
	Single   bool // the audience is one text, not a list
}

// Pages says what the job publishes. PathPrefix is always empty in a pipeline, because other values are refused.
type Pages struct {
	Publish    string
	PathPrefix string
}
