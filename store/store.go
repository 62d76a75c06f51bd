// Package store contains all queries on the database, which is PostgreSQL or SQLite. The query code is the same for
// both, except where a file says so. There is one type per table, and one file per table or per part of it, named after
// the table.
//
//	store.go, tables.go           opens the database; Store and its tables
//	forward.go                    types and functions of store/internal/query that callers of the store use
//	internal/query                runs statements: connections, transactions, limits, errors
//	sql_text.go                   parts of SQL statements that several tables use
//	row_text.go                   statements that insert or change a row, built from lists of columns
//	short_list.go, counted_list.go  pages of lists without filters, as fixed statements
//	migrate.go, schema.go         migrations and the check of the schema version
//	database_check.go             the state of the database itself, for svc doctor
//	queue*.go                     the tables of the job queue
//	search_indexes.go             maintenance of the search indexes
//
// Queries by subject:
//
//	accounts        users*.go, user_*.go, emails.go, identities.go, keys.go, gpg_keys.go, avatars.go,
//	                custom_attributes.go
//	authentication  callers.go, sessions.go, tokens*.go, oauth_*.go, deploy_*.go, mailed_tokens.go, two_factors*.go,
//	                bots.go, service_accounts.go
//	groups          namespaces*.go, group*.go, members*.go, invitations.go, access_requests.go
//	projects        project*.go, badges.go, package*.go, uploads.go
//	webhooks        hooks*.go, hook_*.go
//	repositories    repositories.go, other_repositories.go, storage_moves.go, pushes.go, protections.go, lfs_*.go,
//	                snippets.go, wiki_pages.go, contributions.go, commit_authors.go, releases*.go
//	issues          issue*.go, issuable_*.go, boards.go, labels.go, milestones.go, timelogs.go
//	merge requests  merge_requests*.go
//	discussions     notes*.go, noteables*.go, award_emoji.go, todos.go, subscriptions.go,
//	                notification_settings.go
//	activity        events*.go, audit_events.go, audit_streams.go
//	CI/CD           pipeline*.go, job*.go, pending_jobs.go, runners*.go, resource_groups.go, commit_statuses.go,
//	                owned_variables*.go, instance_variables.go
//	deployment      environments.go, deployments.go, cluster_agent*.go, pages_*.go, site_grants.go
//	monitoring      alerts*.go, error_tracking.go
//	instance        instance*.go, rate_counters.go, broadcast_messages.go
package store

import (
	"context"
	"database/sql"
	"sync/atomic"
	"time"

	"svc/store/cache"
	"svc/store/clock"
	"svc/store/internal/query"
)

// Store holds one type of queries per table.
type Store struct {
	*base

	// accounts
	Avatars          Avatars
	CustomAttributes CustomAttributes
	Emails           Emails
	GPGKeys          GPGKeys
	Identities       Identities
	Keys             Keys
	UserFollows      UserFollows
	UserPreferences  UserPreferences
	UserStatuses     UserStatuses
	Users            Users

	// authentication
	Bots              Bots
	DeployKeys        DeployKeys
	DeployTokens      DeployTokens
	MailedTokens      MailedTokens
	OAuthApplications OAuthApplications
	OAuthGrants       OAuthGrants
	OAuthKeys         OAuthKeys
	SSHHostKeys       SSHHostKeys
	OAuthTokens       OAuthTokens
	ServiceAccounts   ServiceAccounts
	Sessions          Sessions
	Tokens            Tokens
	TwoFactors        TwoFactors

	// groups
	AccessRequests  AccessRequests
	GroupAttributes GroupAttributes
	GroupExports    GroupExports
	GroupImports    GroupImports
	GroupLinks      GroupLinks
	Invitations     Invitations
	MemberRoles     MemberRoles
	Members         Members
	Namespaces      Namespaces

	// projects
	Badges                 Badges
	HookDeliveries         HookDeliveries
	HookSamples            HookSamples
	Hooks                  Hooks
	Integrations           Integrations
	PackageFiles           PackageFiles
	PullMirrors            PullMirrors
	RelationExports        RelationExports
	RemoteMirrors          RemoteMirrors
	BulkImports            BulkImports
	PackageProtectionRules PackageProtectionRules
	Packages               Packages
	ProjectAttributes      ProjectAttributes
	ProjectAliases         ProjectAliases
	ProjectExports         ProjectExports
	ProjectFileImports     ProjectFileImports
	ProjectContents        ProjectContents
	ProjectImports         ProjectImports
	ProjectLinks           ProjectLinks
	ProjectFetches         ProjectFetches
	PagesSettings          PagesSettings
	ScheduledDeletions     ScheduledDeletions
	ProjectStars           ProjectStars
	Projects               Projects
	Topics                 Topics
	Uploads                Uploads

	// repositories
	Contributions          Contributions
	GroupProtectedBranches GroupProtectedBranches
	LfsLocks               LfsLocks
	LfsObjects             LfsObjects
	OtherRepositories      OtherRepositories
	Protections            Protections
	PushRules              PushRules
	Pushes                 Pushes
	Releases               Releases
	Repositories           Repositories
	Snippets               Snippets
	StorageMoves           StorageMoves
	WikiPages              WikiPages

	// issues and merge requests
	StatusChecks     StatusChecks
	ApprovalRules    ApprovalRules
	ApprovalSettings ApprovalSettings
	Boards           Boards
	ContextCommits   ContextCommits
	IssueLinks       IssueLinks
	IssueReferences  IssueReferences
	Issues           Issues
	Iterations       Iterations
	Labels           Labels
	MergeRequests    MergeRequests
	Milestones       Milestones
	EpicNotes        EpicNotes
	Epics            Epics
	EpicLinks        EpicLinks
	Timelogs         Timelogs

	// discussions
	AwardEmoji     AwardEmoji
	Noteables      Noteables
	DraftNotes     DraftNotes
	Notes          Notes
	ResourceEvents ResourceEvents
	Suggestions    Suggestions
	Notifications  NotificationSettings
	Subscriptions  Subscriptions
	Todos          Todos

	// activity
	AuditEvents  AuditEvents
	AuditStreams AuditStreams
	Events       Events

	// CI/CD
	CommitStatuses    CommitStatuses
	GroupVariables    GroupVariables
	InstanceVariables InstanceVariables
	JobArtifacts      JobArtifacts
	JobTokenScopes    JobTokenScopes
	Jobs              Jobs
	PipelineSchedules PipelineSchedules
	PipelineTriggers  PipelineTriggers
	Pipelines         Pipelines
	ProjectVariables  ProjectVariables
	ResourceGroups    ResourceGroups
	Runners           Runners

	// deployment
	ClusterAgents         ClusterAgents
	ClusterAgentTokens    ClusterAgentTokens
	Deployments           Deployments
	Environments          Environments
	FeatureFlags          FeatureFlags
	FreezePeriods         FreezePeriods
	DeploymentApprovals   DeploymentApprovals
	ProtectedEnvironments ProtectedEnvironments
	PagesDeployments      PagesDeployments
	PagesDomains          PagesDomains
	SecureFiles           SecureFiles
	SiteGrants            SiteGrants
	TerraformStates       TerraformStates

	FeatureFlagUserLists FeatureFlagUserLists

	// monitoring
	AlertMetricImages AlertMetricImages
	Alerts            Alerts
	ErrorTracking     ErrorTracking

	// instance
	BroadcastMessages BroadcastMessages
	Features          Features
	Instance          Instance
	RateCounters      RateCounters
	Settings          Settings
}

// base is shared by the queries of all tables.
type base struct {
	db        *query.DB
	longLists query.LongLists
	versions  cache.Cache[*sharedProject] // keyed by version; a version is never used again
	lists     cache.Cache[[]placedID]     // project lists, keyed by namespace and version

	administrators cache.Cache[struct{}] // the digests of tokens that belonged to administrators when they were last used

	auditStream atomic.Pointer[auditStream] // nil if audit events are not streamed
}

// cachedProjects is the number of projects in the cache: about 8 MiB.
const cachedProjects = 5000

// Open connects to the database. It does not migrate it.
func Open(ctx context.Context, o Options) (*Store, error) {
	db, err := query.Open(o)
	if err != nil {
		return nil, err
	}
	s := newStore(newBase(db))
	return s, s.Ping(ctx)
}

func newBase(db *query.DB) *base {
	return &base{
		db:       db,
		versions: cache.WithMaxEntries[*sharedProject](cachedProjects),

		administrators: cache.WithMaxEntries[struct{}](1000),
		lists:          newLists(),
	}
}

// newStore gives every table the shared connections and caches.
func newStore(b *base) *Store {
	s := &Store{base: b}
	s.addAccounts()
	s.addAuthentication()
	s.addGroups()
	s.addProjects()
	s.addRepositories()
	s.addIssues()
	s.addDiscussions()
	s.addActivity()
	s.addCI()
	s.addDeployment()
	s.addMonitoring()
	s.addInstance()
	return s
}

// Clock returns the clock of the store, which sets the times of rows; nil means the system time. A context that carries
// it (see package clock) gives the same time to all other code.
func (b *base) Clock() *clock.Clock { return b.db.Clock() }

// now returns the time of the store's clock.
func (b *base) now() time.Time { return b.db.Now() }

// Postgres reports whether the database is PostgreSQL. Several processes can share it then.
func (b *base) Postgres() bool { return b.db.Postgres() }

// Ping checks that the database answers.
func (b *base) Ping(ctx context.Context) error { return b.db.Ping(ctx) }

// Close closes all connections.
func (b *base) Close() error { return b.db.Close() }

// Pools returns the connection pools by name, for metrics.
func (b *base) Pools() map[string]*sql.DB { return b.db.Pools() }

// Measured holds the times of everything that the database was asked for since the start.
type Measured = query.Measured

// Measured returns the times of statements and waits, for metrics.
func (b *base) Measured() *Measured { return b.db.Measured() }

// CacheSizes returns the sizes of the caches of the store, for metrics.
func (b *base) CacheSizes() []cache.Size {
	sizes := []cache.Size{b.versions.Size("projects"), b.lists.Size("project_lists")}
	if !b.Postgres() {
		entries, bytes := b.db.CompiledStatements()
		sizes = append(sizes, cache.Size{Name: "sqlite_statements", Entries: entries, Bytes: uint64(max(bytes, 0))})
	}
	return sizes
}

// SQL returns the pool that writes. The job queue, which has its own queries, and the migrations use it.
func (b *base) SQL() *sql.DB { return b.db.SQL() }

// Statements returns the number of statements sent so far. Tests use it to check the cost of lists.
func (b *base) Statements() int64 { return b.db.Statements() }

// Tx runs f in one transaction, which the context carries. Inside another transaction it joins that one. If PostgreSQL
// rolls the transaction back because of others, f runs again, a few times. So f must set anew, or undo, whatever it
// changes besides rows.
func (b *base) Tx(ctx context.Context, f func(ctx context.Context) error) error {
	return b.db.Tx(ctx, f)
}

// Snapshot runs f on a consistent view of the database, however long f takes. f must only read.
func (b *base) Snapshot(ctx context.Context, f func(ctx context.Context) error) error {
	return b.db.Snapshot(ctx, f)
}

// Exclusive runs f in a transaction. Transactions with the same name run one after the other, in all processes.
func (b *base) Exclusive(ctx context.Context, name string, f func(ctx context.Context) error) error {
	return b.db.Exclusive(ctx, name, f)
}
