package store

func (s *Store) addAccounts() {
	s.Avatars = Avatars{s.base}
	s.CustomAttributes = CustomAttributes{s.base}
	s.Emails = Emails{s.base}
	s.GPGKeys = GPGKeys{s.base}
	s.Identities = Identities{s.base}
	s.Keys = Keys{s.base}
	s.UserFollows = UserFollows{s.base}
	s.UserPreferences = UserPreferences{s.base}
	s.UserStatuses = UserStatuses{s.base}
	s.Users = Users{s.base}
}

func (s *Store) addAuthentication() {
	s.Bots = Bots{s.base}
	s.DeployKeys = DeployKeys{s.base}
	s.DeployTokens = DeployTokens{s.base}
	s.MailedTokens = MailedTokens{s.base}
	s.OAuthApplications = OAuthApplications{s.base}
	s.OAuthGrants = OAuthGrants{s.base}
	s.OAuthKeys = OAuthKeys{s.base}
	s.SSHHostKeys = SSHHostKeys{s.base}
	s.OAuthTokens = OAuthTokens{s.base}
	s.ServiceAccounts = ServiceAccounts{s.base}
	s.Sessions = Sessions{s.base}
	s.Tokens = Tokens{s.base}
	s.TwoFactors = TwoFactors{s.base}
}

func (s *Store) addGroups() {
	s.AccessRequests = AccessRequests{s.base}
	s.GroupAttributes = GroupAttributes{s.base}
	s.GroupExports = GroupExports{s.base}
	s.GroupImports = GroupImports{s.base}
	s.GroupLinks = GroupLinks{s.base}
	s.Invitations = Invitations{s.base}
	s.MemberRoles = MemberRoles{s.base}
	s.Members = Members{s.base}
	s.Namespaces = Namespaces{s.base}
}

func (s *Store) addProjects() {
	s.Badges = Badges{s.base}
	s.HookDeliveries = HookDeliveries{s.base}
	s.HookSamples = HookSamples{s.base}
	s.Hooks = Hooks{s.base}
	s.Integrations = Integrations{s.base}
	s.PackageFiles = PackageFiles{s.base}
	s.PackageProtectionRules = PackageProtectionRules{s.base}
	s.Packages = Packages{s.base}
	s.ProjectAttributes = ProjectAttributes{s.base}
	s.ProjectAliases = ProjectAliases{s.base}
	s.ProjectExports = ProjectExports{s.base}
	s.ProjectFileImports = ProjectFileImports{s.base}
	s.ProjectContents = ProjectContents{s.base}
	s.ProjectImports = ProjectImports{s.base}
	s.PullMirrors = PullMirrors{s.base}
	s.RelationExports = RelationExports{s.base}
	s.RemoteMirrors = RemoteMirrors{s.base}
	s.BulkImports = BulkImports{s.base}
	s.ProjectLinks = ProjectLinks{s.base}
	s.ProjectFetches = ProjectFetches{s.base}
	s.ScheduledDeletions = ScheduledDeletions{s.base}
	s.ProjectStars = ProjectStars{s.base}
	s.Projects = Projects{s.base}
	s.Topics = Topics{s.base}
	s.Uploads = Uploads{s.base}
}

func (s *Store) addRepositories() {
	s.Contributions = Contributions{s.base}
	s.GroupProtectedBranches = GroupProtectedBranches{s.base}
	s.LfsLocks = LfsLocks{s.base}
	s.LfsObjects = LfsObjects{s.base}
	s.OtherRepositories = OtherRepositories{s.base}
	s.Protections = Protections{s.base}
	s.PushRules = PushRules{s.base}
	s.Pushes = Pushes{s.base}
	s.Releases = Releases{s.base}
	s.Repositories = Repositories{s.base}
	s.Snippets = Snippets{s.base}
	s.StorageMoves = StorageMoves{s.base}
	s.WikiPages = WikiPages{s.base}
}

func (s *Store) addIssues() {
	s.StatusChecks = StatusChecks{s.base}
	s.ApprovalRules = ApprovalRules{s.base}
	s.ApprovalSettings = ApprovalSettings{s.base}
	s.Boards = Boards{s.base}
	s.ContextCommits = ContextCommits{s.base}
	s.IssueLinks = IssueLinks{s.base}
	s.IssueReferences = IssueReferences{s.base}
	s.Issues = Issues{s.base}
	s.Iterations = Iterations{s.base}
	s.Labels = Labels{s.base}
	s.MergeRequests = MergeRequests{s.base}
	s.Milestones = Milestones{s.base}
	s.EpicNotes = EpicNotes{s.base}
	s.Epics = Epics{s.base}
	s.EpicLinks = EpicLinks{s.base}
	s.Timelogs = Timelogs{s.base}
}

func (s *Store) addDiscussions() {
	s.AwardEmoji = AwardEmoji{s.base}
	s.Noteables = Noteables{s.base}
	s.DraftNotes = DraftNotes{s.base}
	s.Notes = Notes{s.base}
	s.ResourceEvents = ResourceEvents{s.base}
	s.Suggestions = Suggestions{s.base}
	s.Notifications = NotificationSettings{s.base}
	s.Subscriptions = Subscriptions{s.base}
	s.Todos = Todos{s.base}
}

func (s *Store) addActivity() {
	s.AuditEvents = AuditEvents{s.base}
	s.AuditStreams = AuditStreams{s.base}
	s.Events = Events{s.base}
}

func (s *Store) addCI() {
	s.CommitStatuses = CommitStatuses{s.base}
	s.GroupVariables = GroupVariables{s.base}
	s.InstanceVariables = InstanceVariables{s.base}
	s.JobArtifacts = JobArtifacts{s.base}
	s.JobTokenScopes = JobTokenScopes{s.base}
	s.Jobs = Jobs{s.base}
	s.PipelineSchedules = PipelineSchedules{s.base}
	s.PipelineTriggers = PipelineTriggers{s.base}
	s.Pipelines = Pipelines{s.base}
	s.ProjectVariables = ProjectVariables{s.base}
	s.ResourceGroups = ResourceGroups{s.base}
	s.Runners = Runners{s.base}
}

func (s *Store) addDeployment() {
	s.ClusterAgents = ClusterAgents{s.base}
	s.ClusterAgentTokens = ClusterAgentTokens{s.base}
	s.Deployments = Deployments{s.base}
	s.Environments = Environments{s.base}
	s.FeatureFlags = FeatureFlags{s.base}
	s.FeatureFlagUserLists = FeatureFlagUserLists{s.base}
	s.FreezePeriods = FreezePeriods{s.base}
	s.DeploymentApprovals = DeploymentApprovals{s.base}
	s.ProtectedEnvironments = ProtectedEnvironments{s.base}
	s.PagesDeployments = PagesDeployments{s.base}
	s.PagesDomains = PagesDomains{s.base}
	s.PagesSettings = PagesSettings{s.base}
	s.SecureFiles = SecureFiles{s.base}
	s.SiteGrants = SiteGrants{s.base}
	s.TerraformStates = TerraformStates{s.base}
}

func (s *Store) addMonitoring() {
	s.AlertMetricImages = AlertMetricImages{s.base}
	s.Alerts = Alerts{s.base}
	s.ErrorTracking = ErrorTracking{s.base}
}

func (s *Store) addInstance() {
	s.Features = Features{s.base}
	s.Instance = Instance{s.base}
	s.RateCounters = RateCounters{s.base}
	s.Settings = Settings{s.base, newSettingsMemory()}
	s.BroadcastMessages = BroadcastMessages{s.Settings}
}
