// Package access authenticates callers and decides what each caller is allowed to do.
//
//	abilities.go     the table of abilities: the role and the other conditions of each
//	names.go         the names of the abilities
//	rules.go         the rules that operations check beside the table
//	reference.go     the table as text and as Markdown
//	reference/       writes docs/abilities.md
//	access.go        checks of abilities, account states and token scopes
//	projects.go      finding a project for a caller
//	groups.go        finding a group for a caller
//	namespaces.go    finding a namespace for a caller
//	snippets.go      finding a snippet for a caller
//	noteables.go     who can read issues, merge requests, commits and their notes
//	person.go        finding a user by id or username
//	tokens.go        finding the group or project whose tokens are managed
//	authenticate.go  callers behind access tokens and sessions; sudo
//	oauth.go         callers behind tokens of applications
//	job_token.go     callers behind tokens of jobs
//	password.go      callers behind passwords, failed attempts and locks
//	deploy.go        access with a deploy token
//	deploy_key.go    access with a deploy key
//	packages.go      finding a project or group for the client of a package registry
//	ssh_key.go       callers behind SSH keys
//	site_session.go  callers of a project's site
//	lifetime.go      when a token expires
//	expiry.go        when a role expires
//	usage.go         when tokens and users were last active
package access

import "svc/store/model"

// Place is where an ability applies.
type Place string

// The places.
const (
	Instance Place = "instance"
	Group    Place = "group"
	Project  Place = "project"
)

// Role is the least role that an ability needs. In a group or project, a caller must also be able to see it.
type Role model.Access

// The roles, from least to most. Guest to Owner are roles in the group or project. Administrators have them all.
const (
	Anyone        Role = 0
	SignedIn      Role = 1
	Guest              = Role(model.Guest)
	Reporter           = Role(model.Reporter)
	Developer          = Role(model.Developer)
	Maintainer         = Role(model.Maintainer)
	Owner              = Role(model.Owner)
	Administrator Role = 100
)

// Feature is a part of a project that the caller must be able to read.
type Feature string

// The features.
const (
	Code                  Feature = "code"
	Jobs                  Feature = "jobs"
	Issues                Feature = "issues"
	MergeRequests         Feature = "merge requests"
	IssuesOrMergeRequests Feature = "issues or merge requests"
	Snippets              Feature = "snippets"
	Wiki                  Feature = "wiki"
	Pages                 Feature = "pages"
	Releases              Feature = "releases"
	ReleasesAndCode       Feature = "releases and code"
	Packages              Feature = "packages"
	FeatureFlags          Feature = "feature flags"
	Infrastructure        Feature = "infrastructure"
)

// Need lists the conditions for an ability.
type Need struct {
	Role     Role
	Feature  Feature // empty if the ability needs none
	Archived bool    // the ability also exists in an archived project, which is read-only
	Else     string  // the rule that operations check in code besides these conditions, in words
}

// Abilities maps each ability to its conditions.
var Abilities = map[Place]map[Ability]Need{
	Instance: {
		AdminApplication:      {Role: Administrator},
		AdminBroadcastMessage: {Role: Administrator},
		AdminDeployKey:        {Role: Administrator},
		AdminDeployToken:      {Role: Administrator},
		AdminFeature:          {Role: Administrator},
		AdminInstanceVariable: {Role: Administrator},
		AdminKey:              {Role: Administrator},
		AdminPagesDomain:      {Role: Administrator},
		AdminProjectOfUser:    {Role: Administrator, Else: personalNamespace},
		AdminRunner:           {Role: Administrator, Else: noFurtherRule},
		AdminServiceAccount:   {Role: Administrator},
		AdminSettings:         {Role: Administrator},
		AdminSnippet:          {Role: Administrator, Else: alsoReadProjectSnippet},
		AdminStorageMove:      {Role: Administrator, Else: noFurtherRule},
		AdminSystemHook:       {Role: Administrator},
		AdminProjectAlias:     {Role: Administrator, Else: noFurtherRule},
		AdminMemberRole:       {Role: Administrator, Else: noFurtherRule},
		AdminTopic:            {Role: Administrator, Else: noFurtherRule},
		AdminToken:            {Role: Administrator},
		AdminUser:             {Role: Administrator, Else: twoFactorOfAdministrators},
		AdminUserEmail:        {Role: Administrator},
		ApplySuggestion:       {Role: SignedIn, Else: pushToSource},
		CreateGroup:           {Role: SignedIn, Else: mayCreateGroup},
		CreateOwnBulkImport:   {Role: SignedIn},
		CreateOwnEmail:        {Role: SignedIn},
		CreateOwnKey:          {Role: SignedIn},
		CreateOwnToken:        {Role: SignedIn},
		CreateProject:         {Role: SignedIn, Else: mayCreateProject},
		CreateRunner:          {Role: SignedIn, Else: byTypeOfRunner},
		CreateSnippet:         {Role: SignedIn, Else: noFurtherRule},
		DeleteOwnEmail:        {Role: SignedIn},
		DeleteOwnKey:          {Role: SignedIn},
		FollowUser:            {Role: SignedIn},
		LintCI:                {Role: SignedIn},
		ReadAnyIssue:          {Role: Administrator},
		ReadAppearance:        {Role: Anyone},
		ReadAuditEvent:        {Role: Administrator},
		ReadBroadcastMessage:  {Role: Anyone},
		ReadDocument:          {Role: Anyone},
		ReadGraphQL:           {Role: Anyone, Else: fieldsLikeOperations},
		ReadIssues:            {Role: SignedIn, Else: readableIssues},
		ReadMergeRequests:     {Role: SignedIn, Else: readableMergeRequests},
		ReadMetadata:          {Role: SignedIn},
		ReadNamespace:         {Role: SignedIn, Else: visibleNamespaces},
		ReadOwnBulkImport:     {Role: SignedIn},
		ReadOwnEmail:          {Role: SignedIn},
		ReadOwnEvents:         {Role: SignedIn},
		ReadOwnJob:            {Role: SignedIn, Else: ownJob},
		ReadOwnKey:            {Role: SignedIn},
		ReadOwnNotices:        {Role: SignedIn},
		ReadOwnPreferences:    {Role: SignedIn},
		ReadOwnRunners:        {Role: SignedIn},
		ReadOwnStatus:         {Role: SignedIn},
		ReadOwnToken:          {Role: SignedIn},
		ReadProbe:             {Role: Anyone},
		ReadProjects:          {Role: Anyone, Else: visibleProjects},
		ReadRunner:            {Role: SignedIn, Else: readsOrManagesRunner},
		ReadSelf:              {Role: SignedIn, Else: creatorForAdministrators},
		ReadSnippet:           {Role: Anyone, Else: visibleSnippet},
		ReadSnippets:          {Role: SignedIn, Else: visibleSnippets},
		ReadStatistics:        {Role: Administrator},
		ReadTemplate:          {Role: Anyone},
		ReadTopic:             {Role: Anyone},
		ReadTodo:              {Role: SignedIn},
		ReadToken:             {Role: SignedIn, Else: ownTokens},
		ReadUploadAddress:     {Role: Anyone, Else: readableUpload},
		ReadUser:              {Role: Anyone, Else: anonymousByUsername},
		ReadUserAssociations:  {Role: SignedIn, Else: ownAssociations},
		ReadUserDeployKey:     {Role: SignedIn, Else: maintainedByBoth},
		ReadUnleashFeature:    {Role: Anyone, Else: instanceID},
		ReadUserEvents:        {Role: Anyone, Else: privateProfile},
		ReadUserFollows:       {Role: SignedIn},
		ReadUserKey:           {Role: Anyone},
		ReadUserMembership:    {Role: Administrator},
		ReadUserProjects:      {Role: Anyone, Else: visibleProjects},
		ReadUserStatus:        {Role: Anyone},
		RenderMarkdown:        {Role: SignedIn, Else: visibleProjectOfText},
		RevokeOwnToken:        {Role: SignedIn},
		RevokeToken:           {Role: SignedIn, Else: ownTokens},
		RotateOwnToken:        {Role: SignedIn},
		RotateToken:           {Role: SignedIn, Else: ownTokens},
		RunJob:                {Role: Anyone, Else: runnerOrJobToken},
		Search:                {Role: SignedIn, Else: findsVisible},
		SendTrackedError:      {Role: Anyone, Else: clientKey},
		TransferToGroup:       {Role: Administrator},
		UpdateOwnAvatar:       {Role: SignedIn},
		UpdateOwnNotices:      {Role: SignedIn},
		UpdateOwnPreferences:  {Role: SignedIn},
		UpdateOwnStatus:       {Role: SignedIn},
		UpdateSnippet:         {Role: SignedIn, Else: authorOrMaintainer},
		UpdateTodo:            {Role: SignedIn},
		UseOAuth:              {Role: Anyone, Else: oauthProvider},
	},
	Group: {
		// The group itself, its members and tokens.
		ReadGroup:                {Role: Anyone, Else: visibleInGroup},
		AdminGroup:               {Role: Owner, Else: destinationOfGroup},
		RemoveGroup:              {Role: Owner},
		RestoreGroup:             {Role: Owner},
		ExportGroup:              {Role: Owner},
		ReadGroupImport:          {Role: Owner},
		ReadGroupMember:          {Role: SignedIn, Else: emailsForAdministrators},
		AdminBillableMember:      {Role: Owner, Else: topLevelGroup},
		AdminGroupMemberRole:     {Role: Owner, Else: topLevelRoles},
		AdminGroupMember:         {Role: Owner, Else: noHigherRole},
		LeaveGroup:               {Role: SignedIn, Else: selfOrManager},
		RequestGroupAccess:       {Role: SignedIn, Else: requesterOrManager},
		ReadGroupApplicants:      {Role: Owner},
		ReadGroupToken:           {Role: Owner},
		AdminGroupAttribute:      {Role: Administrator},
		AdminGroupServiceAccount: {Role: Owner, Else: topLevelAndAddress},
		AdminGroupToken:          {Role: Owner, Else: noHigherTokenRole},
		RotateSelfInGroup:        {Role: SignedIn, Else: tokenItself},
		ReadGroupNotifications:   {Role: SignedIn},
		UpdateGroupNotifications: {Role: SignedIn},
		ReadGroupAuditEvent:      {Role: Owner},
		ReadGroupAuditEvents:     {Role: Developer, Else: ownEventsBelowOwner},

		// What the group contains.
		AdminGroupRunner:               {Role: Owner, Else: noFurtherRule},
		AdminGroupVariable:             {Role: Owner},
		ReadGroupIssue:                 {Role: Anyone, Else: readableIssues},
		ReadGroupLabel:                 {Role: Anyone},
		FollowGroupLabel:               {Role: SignedIn},
		AdminGroupLabel:                {Role: Reporter},
		ReadGroupMilestone:             {Role: Anyone},
		AdminGroupMilestone:            {Role: Reporter},
		ReadEpic:                       {Role: Anyone, Else: confidentialEpics},
		AdminEpic:                      {Role: Reporter, Else: alsoInOther},
		DestroyEpic:                    {Role: Owner},
		ReadEpicEvent:                  {Role: SignedIn, Else: confidentialEpics},
		CreateEpicNote:                 {Role: SignedIn, Else: confidentialEpics},
		AdminEpicNote:                  {Role: SignedIn, Else: authorOfNoteOrGroupMaintainer},
		AwardEpicEmoji:                 {Role: SignedIn, Else: ownEmojiOfEpic},
		ReadGroupBoard:                 {Role: Anyone},
		AdminGroupBoard:                {Role: Reporter},
		ReadGroupBadge:                 {Role: Anyone, Else: noFurtherRule},
		AdminGroupBadge:                {Role: Owner, Else: noFurtherRule},
		AdminGroupHook:                 {Role: Owner},
		AdminGroupProtection:           {Role: Owner},
		AdminGroupProtectedEnvironment: {Role: Maintainer, Else: noFurtherRule},
		AdminPushRule:                  {Role: Owner},
		AdminGroupIntegration:          {Role: Owner},
		ReadGroupMergeRequest:          {Role: Anyone, Else: readableMergeRequests},
		SearchGroup:                    {Role: SignedIn, Else: findsVisible},
		ReadGroupReleases:              {Role: Anyone, Else: readableReleases},
		ReadGroupPackage:               {Role: Anyone, Else: readablePackages},
		CreateGroupUpload:              {Role: SignedIn},
		ReadGroupUpload:                {Role: Anyone},
		ReadGroupUploads:               {Role: Maintainer},
		DestroyGroupUpload:             {Role: Maintainer},
		ReadGroupWiki:                  {Role: Anyone},
		CreateGroupWiki:                {Role: Developer},
	},
	Project: {
		// The project itself.
		ReadProject:                {Role: Anyone, Archived: true, Else: partsOfProject},
		AdminProject:               {Role: Maintainer, Else: ownersSetVisibility},
		AdminAttribute:             {Role: Administrator, Archived: true, Else: noFurtherRule},
		AdminProjectMove:           {Role: Administrator, Archived: true},
		ArchiveProject:             {Role: Owner, Archived: true, Else: noFurtherRule},
		RemoveProject:              {Role: Owner, Archived: true},
		RestoreProject:             {Role: Owner, Archived: true, Else: noFurtherRule},
		TransferProject:            {Role: Owner, Else: destinationOfProject},
		ForkProject:                {Role: SignedIn, Feature: Code, Archived: true, Else: forkingAllowed},
		LinkFork:                   {Role: Administrator, Else: noFurtherRule},
		RemoveFork:                 {Role: Owner},
		StarProject:                {Role: SignedIn, Archived: true, Else: noFurtherRule},
		SearchProject:              {Role: SignedIn, Archived: true, Else: findsVisible},
		ReadBadge:                  {Role: Anyone, Archived: true, Else: codeInBadges},
		AdminBadge:                 {Role: Maintainer, Else: codeInBadges},
		AdminHook:                  {Role: Maintainer},
		AdminIntegration:           {Role: Maintainer},
		ReadProjectTemplate:        {Role: Anyone, Archived: true, Else: codeOfTemplates},
		ReadProjectEvents:          {Role: Anyone, Archived: true},
		ReadProjectAuditEvent:      {Role: Maintainer, Archived: true},
		ReadProjectAuditEvents:     {Role: Developer, Archived: true, Else: ownEventsBelowMaintainer},
		ReadProjectNotifications:   {Role: SignedIn, Archived: true},
		UpdateProjectNotifications: {Role: SignedIn, Archived: true},

		// Members and tokens.
		ReadProjectMember:          {Role: SignedIn, Archived: true, Else: emailsForAdministrators},
		AdminProjectMember:         {Role: Maintainer, Else: noHigherRoleInProject},
		LeaveProject:               {Role: SignedIn, Archived: true, Else: selfOrManager},
		RequestProjectAccess:       {Role: SignedIn, Else: requesterOrManager},
		ReadProjectApplicants:      {Role: Maintainer, Archived: true},
		ReadProjectUser:            {Role: SignedIn, Archived: true, Else: noFurtherRule},
		ShareProject:               {Role: Maintainer, Else: visibleGroupNoHigherRole},
		ReadProjectToken:           {Role: Maintainer, Archived: true},
		AdminProjectServiceAccount: {Role: Maintainer, Else: topLevelAndAddress},
		AdminProjectToken:          {Role: Maintainer, Else: noHigherTokenRole},
		RevokeProjectToken:         {Role: Maintainer, Archived: true},
		RotateSelfInProject:        {Role: SignedIn, Else: tokenItself},
		ReadDeployKey:              {Role: Maintainer, Archived: true},
		AdminProjectDeployKey:      {Role: Maintainer, Else: usableDeployKey},

		// Code.
		ReadCode:       {Role: Anyone, Feature: Code, Archived: true, Else: dryRunForDevelopers},
		PushCode:       {Role: Developer, Feature: Code, Else: protectedRefs},
		CommentCode:    {Role: SignedIn, Feature: Code, Else: authorOfCommentOrMaintainer},
		ReadProtection: {Role: Maintainer, Archived: true},

		ReadReleases: {Role: Anyone, Feature: Releases, Archived: true, Else: codeOfReleases},
		ReadRelease:  {Role: Anyone, Feature: ReleasesAndCode, Archived: true, Else: editURLOfReleases},
		AdminRelease: {Role: Developer, Feature: ReleasesAndCode, Else: protectedTag},

		AdminProtectedBranch: {Role: Maintainer, Else: unprotectLevel},

		// Approvals of merge requests.
		ReadApprovalSetting:  {Role: Guest, Feature: MergeRequests, Archived: true},
		ReadApprovalRule:     {Role: SignedIn, Feature: MergeRequests, Archived: true},
		AdminStatusCheck:     {Role: Maintainer},
		ReadStatusCheck:      {Role: Developer, Feature: MergeRequests, Archived: true},
		UpdateStatusCheck:    {Role: Developer, Feature: MergeRequests},
		AdminApprovalRule:    {Role: Maintainer},
		OverrideApprovalRule: {Role: Developer, Feature: MergeRequests, Else: authorOrMaintainerOverrides},

		// CI/CD.
		ReadPipeline:              {Role: Anyone, Feature: Jobs, Archived: true},
		CreatePipeline:            {Role: Developer, Feature: Jobs, Else: mayRunOnRefVariables},
		UpdatePipeline:            {Role: Developer, Feature: Jobs, Else: mayRunOnRef},
		DestroyPipeline:           {Role: Owner, Feature: Jobs},
		ReadPipelineVariable:      {Role: Developer, Feature: Jobs, Archived: true, Else: maintainerOrStarter},
		ReadPipelineSchedule:      {Role: SignedIn, Feature: Jobs, Archived: true, Else: variablesOfSchedule},
		CreatePipelineSchedule:    {Role: Developer, Feature: Jobs, Else: mayRunOnRef},
		UpdatePipelineSchedule:    {Role: Developer, Feature: Jobs, Else: maintainerOrOwnerOfSchedule},
		OwnPipelineSchedule:       {Role: Maintainer, Feature: Jobs, Else: noFurtherRule},
		ReadTrigger:               {Role: Maintainer, Feature: Jobs, Archived: true, Else: noFurtherRule},
		AdminTrigger:              {Role: Maintainer, Feature: Jobs, Else: noFurtherRule},
		TriggerPipeline:           {Role: Anyone, Archived: true, Else: triggerToken},
		ReadJob:                   {Role: SignedIn, Feature: Jobs, Archived: true, Else: debugLogs},
		UpdateJob:                 {Role: Developer, Feature: Jobs, Else: mayRunOnRefOrErase},
		ReadArtifact:              {Role: Anyone, Feature: Jobs, Archived: true, Else: artifactsAccess},
		AdminArtifact:             {Role: Maintainer, Feature: Jobs},
		ReadEnvironment:           {Role: SignedIn, Feature: Jobs, Archived: true, Else: readableMergeRequests},
		AdminEnvironment:          {Role: Developer, Feature: Jobs, Else: mayRunStopJob},
		ReadFeatureFlag:           {Role: Developer, Feature: FeatureFlags, Archived: true},
		AdminFeatureFlag:          {Role: Developer, Feature: FeatureFlags},
		ReadFlagsClient:           {Role: Developer, Feature: FeatureFlags, Archived: true},
		AdminFlagsClient:          {Role: Maintainer, Feature: FeatureFlags},
		ReadTerraformState:        {Role: Developer, Feature: Infrastructure, Archived: true},
		AdminTerraformState:       {Role: Maintainer, Feature: Infrastructure},
		ReadSecureFile:            {Role: Developer, Feature: Jobs, Archived: true},
		AdminSecureFile:           {Role: Maintainer, Feature: Jobs},
		ReadFreezePeriod:          {Role: Maintainer, Feature: Jobs, Archived: true},
		AdminFreezePeriod:         {Role: Maintainer, Feature: Jobs},
		ReadProtectedEnvironment:  {Role: Maintainer, Feature: Jobs, Archived: true, Else: noFurtherRule},
		AdminProtectedEnvironment: {Role: Maintainer, Feature: Jobs, Else: noFurtherRule},
		ApproveDeployment:         {Role: Reporter, Feature: Jobs, Else: approverOfDeployment},
		CreateDeployment:          {Role: Developer, Feature: Jobs, Else: mayDeployThere},
		DeleteDeployment:          {Role: Maintainer, Feature: Jobs, Else: mayDeployThere},
		ReadResourceGroup:         {Role: Developer, Feature: Jobs, Archived: true},
		UpdateResourceGroup:       {Role: Developer, Feature: Jobs},
		ReadProjectVariable:       {Role: Maintainer, Archived: true},
		AdminProjectVariable:      {Role: Maintainer},
		CreateProjectRunner:       {Role: Owner},
		AdminProjectRunner:        {Role: Maintainer, Archived: true},
		AssignProjectRunner:       {Role: Maintainer, Else: managesRunner},
		AdminJobTokenScope:        {Role: Maintainer, Archived: true},
		ChangeJobTokenScope:       {Role: Maintainer},
		ReadClusterAgent:          {Role: Developer, Archived: true},
		AdminClusterAgent:         {Role: Maintainer},

		// Issues, labels, milestones and boards.
		ReadIssue:        {Role: Anyone, Feature: Issues, Archived: true, Else: confidentialIssues},
		CreateIssue:      {Role: SignedIn, Feature: Issues, Else: fieldsOfNewIssue},
		UpdateIssue:      {Role: SignedIn, Feature: Issues, Else: reporterAuthorOrAssignee},
		FollowIssue:      {Role: SignedIn, Feature: Issues, Archived: true, Else: readableIssue},
		AdminIssue:       {Role: Reporter, Feature: Issues, Else: readableIssueBothProjects},
		DestroyIssue:     {Role: Owner, Feature: Issues, Else: readableIssue},
		ReadLabel:        {Role: Anyone, Feature: IssuesOrMergeRequests, Archived: true},
		FollowLabel:      {Role: SignedIn, Feature: IssuesOrMergeRequests, Archived: true},
		AdminLabel:       {Role: Reporter, Feature: IssuesOrMergeRequests},
		PromoteLabel:     {Role: Reporter, Feature: IssuesOrMergeRequests, Else: alsoInGroup},
		ReadMilestone:    {Role: Anyone, Feature: IssuesOrMergeRequests, Archived: true, Else: itemsOfMilestone},
		AdminMilestone:   {Role: Reporter, Feature: IssuesOrMergeRequests},
		PromoteMilestone: {Role: Reporter, Feature: IssuesOrMergeRequests, Else: alsoInGroup},
		ReadBoard:        {Role: Anyone, Feature: Issues, Archived: true},
		AdminBoard:       {Role: Reporter, Feature: Issues},

		// Merge requests.
		ReadMergeRequest:        {Role: Anyone, Feature: MergeRequests, Archived: true, Else: pipelinesForReadersOfJobs},
		CreateMergeRequest:      {Role: SignedIn, Feature: MergeRequests, Else: developerOfSource},
		UpdateMergeRequest:      {Role: SignedIn, Feature: MergeRequests, Else: developerAuthorOrAssignee},
		FollowMergeRequest:      {Role: SignedIn, Feature: MergeRequests, Archived: true},
		AdminMergeRequest:       {Role: Developer, Feature: MergeRequests, Else: noFurtherRule},
		ApproveMergeRequest:     {Role: Developer, Feature: MergeRequests, Else: openAndNotApproved},
		MergeMergeRequest:       {Role: SignedIn, Feature: MergeRequests, Else: mayMerge},
		RunMergeRequestPipeline: {Role: SignedIn, Feature: MergeRequests, Else: developerOfSourceOrTarget},
		DestroyMergeRequest:     {Role: SignedIn, Feature: MergeRequests, Else: ownerOrAuthor},

		// Notes and emoji.
		ReadNote:    {Role: Anyone, Archived: true, Else: readableNotes},
		CreateNote:  {Role: SignedIn, Else: readableItem},
		AdminNote:   {Role: SignedIn, Else: authorOfNoteOrMaintainer},
		ResolveNote: {Role: SignedIn, Else: developerOrAuthor},
		AwardEmoji:  {Role: SignedIn, Else: readableItemOwnEmoji},

		HousekeepProject:   {Role: Owner, Archived: true, Else: noFurtherRule},
		ReadProjectImport:  {Role: Maintainer, Archived: true},
		ExportProject:      {Role: Maintainer, Archived: true},
		ReadMirror:         {Role: Maintainer, Archived: true},
		AdminMirror:        {Role: Maintainer},
		ReadProjectStorage: {Role: Administrator, Archived: true},

		ReadProjectSnapshot:   {Role: Administrator, Archived: true},
		ReadProjectStatistics: {Role: Developer, Archived: true},

		ReadResourceEvent: {Role: SignedIn, Archived: true, Else: eventsOfReadableItem},
		ReadDraftNote:     {Role: SignedIn, Feature: MergeRequests, Archived: true, Else: ownDrafts},
		AdminDraftNote:    {Role: SignedIn, Feature: MergeRequests, Else: ownDrafts},

		// Snippets, uploads, wiki and site.
		ReadProjectSnippet:   {Role: Anyone, Feature: Snippets, Archived: true, Else: privateSnippets},
		CreateProjectSnippet: {Role: Reporter, Feature: Snippets, Else: noFurtherRule},
		UpdateProjectSnippet: {Role: SignedIn, Feature: Snippets, Else: authorOrMaintainer},
		AdminProjectSnippet:  {Role: Administrator, Archived: true, Else: noFurtherRule},
		CreateUpload:         {Role: SignedIn},
		ReadUpload:           {Role: Anyone, Archived: true},
		ReadUploads:          {Role: Maintainer, Archived: true},
		DestroyUpload:        {Role: Maintainer},
		ReadWiki:             {Role: Anyone, Feature: Wiki, Archived: true},
		CreateWiki:           {Role: Developer, Feature: Wiki},
		ReadPages:            {Role: Anyone, Feature: Pages, Archived: true},
		ReadPagesDomain:      {Role: Maintainer, Archived: true},
		UpdatePagesDomain:    {Role: Maintainer},

		// Packages.
		ReadPackage:            {Role: Anyone, Feature: Packages, Archived: true, Else: deleteLinksForMaintainers},
		ReadPackagePipeline:    {Role: SignedIn, Feature: Packages, Archived: true, Else: alsoReadPipeline},
		CreatePackage:          {Role: Developer, Feature: Packages, Else: protectedPackages},
		DestroyPackage:         {Role: Maintainer, Feature: Packages, Else: protectedPackages},
		ReadPackageProtection:  {Role: Maintainer, Feature: Packages, Archived: true},
		AdminPackageProtection: {Role: Maintainer, Feature: Packages},

		// Monitoring.
		ReadErrorTracking:     {Role: Maintainer, Archived: true},
		AdminErrorTracking:    {Role: Maintainer},
		ReadAlertIntegration:  {Role: Maintainer, Archived: true},
		AdminAlertIntegration: {Role: Maintainer},
		TestAlertIntegration:  {Role: Developer},
		ReadAlert:             {Role: Developer, Archived: true},
		UpdateAlert:           {Role: Developer, Else: developersAsAssignees},
		ReadTrackedError:      {Role: Developer, Archived: true},
		UpdateTrackedError:    {Role: Developer},
	},
}
