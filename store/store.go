// Package store contains all queries on the database, which is PostgreSQL or SQLite. The query code is the same for
// both, except where a file says so. There is one type per table, and one file per table or per part of it, named after
// the table.
//
//	store.go                      opens the database; Store and its connection pools
//	postgres.go, sqlite*.go       connections to PostgreSQL and SQLite
//	migrate.go, schema.go         migrations and the check of the schema version
//	tx.go, retry.go               transactions, locks, repetition after deadlocks
//	patience.go, unavailable.go   limits for requests; errors of a database that cannot answer
//	errors.go                     the other errors that queries return
//	scan.go, page.go, many.go     read rows, pages and totals with GORM
//	prepared.go, native*.go       read rows with prepared statements, without GORM
//	delete.go                     deletion of rows that have not changed
//	queue*.go                     the tables of the job queue
//	search_upkeep.go              maintenance of the search indexes
//
// Queries by subject:
//
//	accounts        users*.go, user_*.go, emails.go, identities.go, keys.go, gpg_keys.go, avatars.go,
//	                custom_attributes.go
//	authentication  sessions.go, tokens*.go, oauth_*.go, deploy_tokens.go, mailed_tokens.go, two_factor*.go,
//	                bots.go, callers.go
//	groups          namespace*.go, group*.go, members*.go, effective.go, owners.go, invitations.go, access_requests.go
//	projects        project*.go, paths.go, badges.go
//	repositories    repositories.go, side_repositories.go, storage_moves.go, pushes.go, protections.go, lfs_*.go,
//	                snippets.go, wiki_pages.go, contributions.go, commit_authors.go
//	issues          issue*.go, issuable_*.go, boards.go, labels.go, milestones.go, timelogs.go
//	merge requests  merge_request*.go
//	discussions     notes*.go, noteables.go, award_emoji.go, todos.go, subscriptions.go,
//	                notification_settings.go, audience.go
//	activity        events*.go, audit_events.go
//	CI/CD           pipeline*.go, job*.go, pending_jobs.go, runners*.go, resource_groups.go, commit_statuses.go,
//	                owned_variables*.go, instance_variables.go
//	deployment      environments.go, deployments.go, cluster_agents.go, pages_*.go, site_grants.go
//	monitoring      alert*.go, error_tracking.go
//	instance        instance.go, sealed.go, rate_counters.go
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"svc/store/cache"

	"gorm.io/gorm"
)

// Options selects the database and sets its limits.
type Options struct {
	URL        string // postgres://…; empty means SQLite
	SQLitePath string
	SQLiteFull bool // wait for the disk at every commit, so that a power cut loses nothing
	Pool       int  // connections to PostgreSQL for requests; background work gets half as many in addition
	// On PostgreSQL, the longest time that a request waits for a statement and for a lock; 0 means no limit.
	StatementTimeout, LockTimeout time.Duration
}

// Store holds one type of queries per table.
type Store struct {
	*base
	AccessRequests    AccessRequests
	Alerts            Alerts
	AuditEvents       AuditEvents
	Avatars           Avatars
	Badges            Badges
	Boards            Boards
	AwardEmoji        AwardEmoji
	Bots              Bots
	ClusterAgents     ClusterAgents
	CommitStatuses    CommitStatuses
	Contributions     Contributions
	CustomAttributes  CustomAttributes
	DeployTokens      DeployTokens
	Deployments       Deployments
	Emails            Emails
	Environments      Environments
	ErrorTracking     ErrorTracking
	Events            Events
	GPGKeys           GPGKeys
	GroupExports      GroupExports
	GroupImports      GroupImports
	GroupLinks        GroupLinks
	GroupVariables    GroupVariables
	Identities        Identities
	Issues            Issues
	IssueLinks        IssueLinks
	IssueReferences   IssueReferences
	Instance          Instance
	InstanceVariables InstanceVariables
	Invitations       Invitations
	JobArtifacts      JobArtifacts
	JobTokenScopes    JobTokenScopes
	Jobs              Jobs
	Keys              Keys
	Labels            Labels
	LfsLocks          LfsLocks
	LfsObjects        LfsObjects
	MailedTokens      MailedTokens
	Members           Members
	MergeRequests     MergeRequests
	Milestones        Milestones
	Namespaces        Namespaces
	Noteables         Noteables
	Notes             Notes
	Notifications     NotificationSettings
	OAuthApplications OAuthApplications
	OAuthGrants       OAuthGrants
	OAuthKeys         OAuthKeys
	OAuthTokens       OAuthTokens
	PagesDeployments  PagesDeployments
	SiteGrants        SiteGrants
	PagesDomains      PagesDomains
	Pipelines         Pipelines
	PipelineSchedules PipelineSchedules
	PipelineTriggers  PipelineTriggers
	ProjectAttributes ProjectAttributes
	ProjectLinks      ProjectLinks
	ProjectStars      ProjectStars
	ProjectVariables  ProjectVariables
	Projects          Projects
	Protections       Protections
	Repositories      Repositories
	Pushes            Pushes
	RateCounters      RateCounters
	ResourceGroups    ResourceGroups
	Runners           Runners
	Sessions          Sessions
	OtherRepositories OtherRepositories
	WikiPages         WikiPages
	Snippets          Snippets
	Subscriptions     Subscriptions
	Timelogs          Timelogs
	StorageMoves      StorageMoves
	Todos             Todos
	Tokens            Tokens
	TwoFactors        TwoFactors
	UserFollows       UserFollows
	UserPreferences   UserPreferences
	UserStatuses      UserStatuses
	Users             Users
}

// base is shared by the queries of all tables. SQLite has a pool for reading and one connection for writing: writers
// that wait in Go's queue are served in order, those that wait for SQLite's lock are not.
type base struct {
	reader, writer *gorm.DB
	background     *gorm.DB // for background work; only on PostgreSQL
	limits         limits   // for requests
	postgres       bool
	statements     atomic.Int64
	hot            prepared
	many           longLists
	versions       cache.Cache[*sharedProject] // keyed by version; a version is never used again
	lists          cache.Cache[[]placedID]     // project lists, keyed by namespace and version
}

// cachedProjects is the number of projects in the cache: about 8 MiB.
const cachedProjects = 5000

// Open connects to the database. It does not migrate it.
func Open(ctx context.Context, o Options) (*Store, error) {
	b := &base{postgres: o.URL != "", versions: cache.WithMaxEntries[*sharedProject](cachedProjects), lists: newLists()}
	var err error
	if b.postgres {
		err = b.openPostgres(o)
	} else {
		err = b.openSQLite(o)
	}
	if err != nil {
		return nil, err
	}
	if err := b.countStatements(); err != nil {
		return nil, err
	}
	s := &Store{
		base: b, AccessRequests: AccessRequests{b}, Alerts: Alerts{b}, Avatars: Avatars{b}, Bots: Bots{b},
		ClusterAgents: ClusterAgents{b}, ResourceGroups: ResourceGroups{b},
		CommitStatuses: CommitStatuses{b}, Contributions: Contributions{b}, CustomAttributes: CustomAttributes{b},
		DeployTokens: DeployTokens{b}, Emails: Emails{b},
		GPGKeys: GPGKeys{b}, GroupLinks: GroupLinks{b}, Identities: Identities{b}, Instance: Instance{b},
		InstanceVariables: InstanceVariables{b},
		Invitations:       Invitations{b},
		Keys:              Keys{b}, MailedTokens: MailedTokens{b}, Members: Members{b}, Namespaces: Namespaces{b},
		ProjectAttributes: ProjectAttributes{b}, ProjectLinks: ProjectLinks{b},
		ProjectStars: ProjectStars{b}, Projects: Projects{b}, Protections: Protections{b}, Pushes: Pushes{b},
		RateCounters: RateCounters{b}, Repositories: Repositories{b}, Sessions: Sessions{b},
		Tokens: Tokens{b}, TwoFactors: TwoFactors{b}, UserFollows: UserFollows{b}, UserPreferences: UserPreferences{b},
		UserStatuses: UserStatuses{b}, Users: Users{b},
		Deployments: Deployments{b}, Environments: Environments{b}, JobArtifacts: JobArtifacts{b},
		JobTokenScopes: JobTokenScopes{b}, Jobs: Jobs{b}, Pipelines: Pipelines{b}, Runners: Runners{b},
		PipelineSchedules: PipelineSchedules{b}, PipelineTriggers: PipelineTriggers{b},
		GroupVariables: GroupVariables{b}, ProjectVariables: ProjectVariables{b},
		LfsLocks: LfsLocks{b}, LfsObjects: LfsObjects{b},
		Boards: Boards{b}, Issues: Issues{b}, IssueLinks: IssueLinks{b}, IssueReferences: IssueReferences{b},
		Labels: Labels{b}, Milestones: Milestones{b},
		Subscriptions: Subscriptions{b}, Timelogs: Timelogs{b},
		AwardEmoji: AwardEmoji{b}, Noteables: Noteables{b}, Notifications: NotificationSettings{b},
		Badges: Badges{b}, GroupExports: GroupExports{b}, GroupImports: GroupImports{b},
		OtherRepositories: OtherRepositories{b}, WikiPages: WikiPages{b}, Snippets: Snippets{b},
		StorageMoves: StorageMoves{b}, ErrorTracking: ErrorTracking{b}, PagesDeployments: PagesDeployments{b},
		SiteGrants: SiteGrants{b}, PagesDomains: PagesDomains{b}, AuditEvents: AuditEvents{b}, Events: Events{b},
		Notes: Notes{b}, Todos: Todos{b},
		MergeRequests:     MergeRequests{b},
		OAuthApplications: OAuthApplications{b}, OAuthGrants: OAuthGrants{b}, OAuthKeys: OAuthKeys{b}, OAuthTokens: OAuthTokens{b},
	}
	return s, s.Ping(ctx)
}

// Postgres reports whether the database is PostgreSQL. Several processes can share it then.
func (b *base) Postgres() bool { return b.postgres }

// Ping checks that the database answers.
func (b *base) Ping(ctx context.Context) error {
	for _, db := range b.pools() {
		if err := db.PingContext(ctx); err != nil {
			return fmt.Errorf("reach the database: %w", err)
		}
	}
	return nil
}

// Close closes all connections.
func (b *base) Close() error {
	var errs []error
	for _, db := range b.pools() {
		errs = append(errs, db.Close())
	}
	return errors.Join(errs...)
}

// Pools returns the connection pools by name, for metrics.
func (b *base) Pools() map[string]*sql.DB {
	if b.reader == b.writer {
		return map[string]*sql.DB{"main": sqlDB(b.writer), "background": sqlDB(b.background)}
	}
	return map[string]*sql.DB{"read": sqlDB(b.reader), "write": sqlDB(b.writer)}
}

// SQL returns the pool that writes. The job queue, which has its own queries, and the migrations use it.
func (b *base) SQL() *sql.DB {
	if b.background != nil {
		return sqlDB(b.background)
	}
	return sqlDB(b.writer)
}

// Statements returns the number of statements sent so far. Tests use it to check the cost of lists.
func (b *base) Statements() int64 { return b.statements.Load() }

func (b *base) pools() []*sql.DB {
	if b.reader == b.writer {
		return []*sql.DB{sqlDB(b.writer), sqlDB(b.background)}
	}
	return []*sql.DB{sqlDB(b.reader), sqlDB(b.writer)}
}

func (b *base) countStatements() error {
	all := []*gorm.DB{b.reader, b.writer}
	if b.reader == b.writer {
		all[0] = b.background
	}
	for _, db := range all {
		count := func(tx *gorm.DB) {
			if !tx.DryRun { // a subquery only builds text
				b.statements.Add(1)
			}
		}
		cb := db.Callback()
		err := errors.Join(
			cb.Query().Before("gorm:query").Register("count:query", count),
			cb.Create().Before("gorm:create").Register("count:create", count),
			cb.Update().Before("gorm:update").Register("count:update", count),
			cb.Delete().Before("gorm:delete").Register("count:delete", count),
			cb.Row().Before("gorm:row").Register("count:row", count),
			cb.Raw().Before("gorm:raw").Register("count:raw", count),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

func sqlDB(db *gorm.DB) *sql.DB {
	pool, err := db.DB()
	if err != nil {
		panic(err) // only a transaction has no pool, and we never store one
	}
	return pool
}

// now returns the time with the precision that both databases store.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

func config() *gorm.Config {
	return &gorm.Config{
		SkipDefaultTransaction: true,
		NowFunc:                now,
		Logger:                 silent{},
	}
}
