// Package store is everything that survives a restart, on PostgreSQL or SQLite from one set of query code.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"svc/store/kept"

	"gorm.io/gorm"
)

// Options says which database to open.
type Options struct {
	URL        string // postgres://…; empty means SQLite
	SQLitePath string
	SQLiteFull bool // wait for the disk at every commit, so that a power cut loses nothing
	Pool       int  // connections to PostgreSQL for requests; background work has half as many more
	// On PostgreSQL, requests wait no longer than this for a statement and for a lock; 0 is for ever.
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
	SideRepositories  SideRepositories
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

// base is what every table's queries share. SQLite has a pool for reading and one connection for writing, because
// writers that wait in Go's queue are served in order, and those that wait in SQLite's lock are not.
type base struct {
	reader, writer *gorm.DB
	background     *gorm.DB // for what no request waits for; only on PostgreSQL
	limits         limits   // of requests
	postgres       bool
	statements     atomic.Int64
	hot            prepared
	many           many
	versions       kept.Cache[*placedProject] // by their version, which never comes again
	lists          kept.Cache[[]placedID]     // of namespaces, by these and their version
}

// keptProjects is how many projects are kept as they were read: some 8 MiB.
const keptProjects = 5000

// Open connects to the database; it does not migrate it.
func Open(ctx context.Context, o Options) (*Store, error) {
	b := &base{postgres: o.URL != "", versions: kept.Few[*placedProject](keptProjects), lists: newLists()}
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
		base: b, AccessRequests: AccessRequests{b}, Alerts: Alerts{b}, Avatars: Avatars{b}, Bots: Bots{b}, ClusterAgents: ClusterAgents{b}, ResourceGroups: ResourceGroups{b},
		CommitStatuses: CommitStatuses{b}, Contributions: Contributions{b}, CustomAttributes: CustomAttributes{b},
		DeployTokens: DeployTokens{b}, Emails: Emails{b},
		GPGKeys: GPGKeys{b}, GroupLinks: GroupLinks{b}, Identities: Identities{b}, Instance: Instance{b}, InstanceVariables: InstanceVariables{b},
		Invitations: Invitations{b},
		Keys:        Keys{b}, MailedTokens: MailedTokens{b}, Members: Members{b}, Namespaces: Namespaces{b}, ProjectAttributes: ProjectAttributes{b}, ProjectLinks: ProjectLinks{b},
		ProjectStars: ProjectStars{b}, Projects: Projects{b}, Protections: Protections{b}, Pushes: Pushes{b}, RateCounters: RateCounters{b}, Repositories: Repositories{b}, Sessions: Sessions{b},
		Tokens: Tokens{b}, TwoFactors: TwoFactors{b}, UserFollows: UserFollows{b}, UserPreferences: UserPreferences{b},
		UserStatuses: UserStatuses{b}, Users: Users{b},
		Deployments: Deployments{b}, Environments: Environments{b}, JobArtifacts: JobArtifacts{b}, JobTokenScopes: JobTokenScopes{b}, Jobs: Jobs{b}, Pipelines: Pipelines{b}, Runners: Runners{b},
		PipelineSchedules: PipelineSchedules{b}, PipelineTriggers: PipelineTriggers{b}, GroupVariables: GroupVariables{b}, ProjectVariables: ProjectVariables{b},
		LfsLocks: LfsLocks{b}, LfsObjects: LfsObjects{b},
		Boards: Boards{b}, Issues: Issues{b}, IssueLinks: IssueLinks{b}, IssueReferences: IssueReferences{b}, Labels: Labels{b}, Milestones: Milestones{b},
		Subscriptions: Subscriptions{b}, Timelogs: Timelogs{b},
		AwardEmoji: AwardEmoji{b}, Noteables: Noteables{b}, Notifications: NotificationSettings{b},
		Badges: Badges{b}, GroupExports: GroupExports{b}, GroupImports: GroupImports{b},
		SideRepositories: SideRepositories{b}, WikiPages: WikiPages{b}, Snippets: Snippets{b}, StorageMoves: StorageMoves{b}, ErrorTracking: ErrorTracking{b}, PagesDeployments: PagesDeployments{b}, SiteGrants: SiteGrants{b}, PagesDomains: PagesDomains{b}, AuditEvents: AuditEvents{b}, Events: Events{b}, Notes: Notes{b}, Todos: Todos{b},
		MergeRequests:     MergeRequests{b},
		OAuthApplications: OAuthApplications{b}, OAuthGrants: OAuthGrants{b}, OAuthKeys: OAuthKeys{b}, OAuthTokens: OAuthTokens{b},
	}
	return s, s.Ping(ctx)
}

// Postgres tells whether several processes may share this database.
func (b *base) Postgres() bool { return b.postgres }

// Ping asks the database whether it is there.
func (b *base) Ping(ctx context.Context) error {
	for _, db := range b.pools() {
		if err := db.PingContext(ctx); err != nil {
			return fmt.Errorf("reach the database: %w", err)
		}
	}
	return nil
}

// Close ends all connections.
func (b *base) Close() error {
	var errs []error
	for _, db := range b.pools() {
		errs = append(errs, db.Close())
	}
	return errors.Join(errs...)
}

// Pools are the connection pools by name, for metrics.
func (b *base) Pools() map[string]*sql.DB {
	if b.reader == b.writer {
		return map[string]*sql.DB{"main": sqlDB(b.writer), "background": sqlDB(b.background)}
	}
	return map[string]*sql.DB{"read": sqlDB(b.reader), "write": sqlDB(b.writer)}
}

// SQL is the pool that writes, for the job queue, which has its own queries, and for migrations.
func (b *base) SQL() *sql.DB {
	if b.background != nil {
		return sqlDB(b.background)
	}
	return sqlDB(b.writer)
}

// Statements counts the statements sent so far; tests hold lists to it.
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
			if !tx.DryRun { // a query inside another is only written out
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
		panic(err) // only a transaction has no pool, and we never keep one
	}
	return pool
}

// now is the time as both databases keep it.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

func config() *gorm.Config {
	return &gorm.Config{
		SkipDefaultTransaction: true,
		NowFunc:                now,
		Logger:                 silent{},
	}
}
