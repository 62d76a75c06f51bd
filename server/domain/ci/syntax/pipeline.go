package syntax

import (
	"time"

	"svc/server/domain/ci/variables"
)

// Pipeline is what is to be run.
type Pipeline struct {
	Name       string // of workflow:name, expanded; often empty
	Stages     []string
	Jobs       []Job // in the order of the file, those of a parallel job one after the other
	Variables  []variables.Variable
	AutoCancel AutoCancel
	Warnings   []Error
}

// AutoCancel says what ends a pipeline early.
type AutoCancel struct {
	OnNewCommit  string // conservative, interruptible, none or disabled; empty for conservative
	OnJobFailure string // all or none; empty for none
}

// Job is one job of a pipeline, with everything that the engine and a runner need. Texts for the runner still hold
// variables, for the runner expands them; what the engine itself uses is expanded.
type Job struct {
	Name       string
	BaseName   string // without what a parallel job adds to it
	Stage      string
	StageIndex int // in Pipeline.Stages
	File       string
	Line       int

	BeforeScript []string
	Script       []string
	AfterScript  []string
	Hooks        Hooks
	Image        *Image
	Services     []Service
	Variables    []variables.Variable // of the CI file; those with the same key in earlier places are left out
	Tags         []string

	When                  string // on_success, on_failure, always, manual or delayed
	StartIn               time.Duration
	AllowFailure          bool
	AllowFailureExitCodes []int // if any, AllowFailure counts for these only
	ManualConfirmation    string
	Retry                 Retry
	Timeout               time.Duration // 0 for the project's
	Interruptible         bool
	ResourceGroup         string

	HasNeeds     bool // even if there are none: the job waits for no stage
	Needs        []Need
	CrossNeeds   []CrossNeed // artifacts of other projects and pipelines
	Dependencies []string    // whose artifacts are fetched; nil for those of all jobs before
	NodeIndex    int         // of a parallel job, from 1
	NodeTotal    int

	Environment *Environment
	Artifacts   *Artifacts
	Caches      []Cache
	Coverage    string // a regular expression without its slashes
	Release     *Release
	IDTokens    []IDToken
	Pages       *Pages
	Trigger     *Trigger // makes the job a bridge
}

// IsBridge tells whether no runner is needed: the job starts another pipeline, or shows the status of one above.
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

// Hooks are scripts at certain points of a job.
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

// Service is a container beside the job.
type Service struct {
	Image
	Alias     string
	Command   []string
	Variables []variables.Variable
}

// Retry says how often and after which failures a job is tried again.
type Retry struct {
	Max       int
	When      []string // reasons; empty for always
	ExitCodes []int
}

// Need is a job of this pipeline that must be done before.
type Need struct {
	Job       string
	Artifacts bool
	Optional  bool
}

// CrossNeed is artifacts from elsewhere: of the newest pipeline of a project's ref, or of a parent pipeline. Without a
// job it is a bridge that shows the status of an upstream pipeline.
type CrossNeed struct {
	Project   string
	Ref       string
	Pipeline  string
	Job       string
	Artifacts bool
}

// Environment is where a job deploys to. The URL still holds variables: the job's dotenv report may bring them.
type Environment struct {
	Name           string
	URL            string
	Action         string // start, prepare, stop, verify or access
	OnStop         string
	AutoStopIn     string
	DeploymentTier string
}

// Artifacts are what a job leaves behind.
type Artifacts struct {
	Name      string
	Paths     []string
	Exclude   []string
	Untracked bool
	When      string // on_success, on_failure or always; empty for on_success
	ExpireIn  string // as written; empty for the instance's
	ExposeAs  string
	Access    string // all, developer, maintainer or none; empty for all
	Reports   []Report
}

// Report is an artifact that the service reads.
type Report struct {
	Type     string
	Paths    []string
	Format   string // of coverage_report: cobertura or jacoco
	ReadPath string // of coverage_report
}

// Cache is what jobs keep from run to run.
type Cache struct {
	Key          string
	KeyFiles     []string // whose last change makes the key
	KeyPrefix    string
	FallbackKeys []string
	Paths        []string
	Untracked    bool
	Unprotect    bool
	Policy       string // pull-push, pull or push
	When         string // on_success, on_failure or always
}

// Trigger is a pipeline that a bridge starts: in another project, or a child from files.
type Trigger struct {
	Project         string
	Branch          string
	Include         []TriggerFile
	Strategy        string // depend, mirror or empty
	ForwardYAML     bool   // hand on the variables of the file
	ForwardPipeline bool   // hand on the variables of the pipeline
	Inputs          map[string]string
}

// TriggerFile is where a child pipeline's CI file comes from. One of Local, Artifact, Template and Project is there.
type TriggerFile struct {
	Local    string
	Artifact string
	Job      string // that made the artifact
	Template string
	Project  string
	Ref      string
	File     string
	Inputs   map[string]string
}

// Release is made after the job's script.
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

// ReleaseLink is a file that a release points to.
type ReleaseLink struct{ Name, URL, FilePath, LinkType string }

// IDToken is a signed token for other services, in a variable of the job.
type IDToken struct {
	Variable string
	Audience []string
}

// Pages is what of the job is published. PathPrefix is empty in a pipeline: others are refused.
type Pages struct {
	Publish    string
	PathPrefix string
}
