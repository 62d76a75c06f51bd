package access

// The rules that operations check in code, beside the table of abilities. tests/contract/judged.txt has the answers to
// every role.
const (
	// The code compares roles or owners, but it refuses nobody: somebody has read it.
	noFurtherRule = "no further rule"

	// On the instance; some also in a group or project.
	personalNamespace         = "the user must have a personal namespace"
	alsoReadProjectSnippet    = "a snippet of a project also needs read_project_snippet"
	twoFactorOfAdministrators = "nobody can turn off the two-factor authentication of an administrator"
	mayCreateGroup            = "at the top level, users with can_create_group who are not external; in a group, " +
		"its owners, and its maintainers if subgroup_creation_level allows it"
	mayCreateProject = "in the personal namespace, users who are not external; in a group, the roles that " +
		"its project_creation_level allows"
	byTypeOfRunner = "an instance runner needs an administrator, a group runner admin_group_runner, a " +
		"project runner create_project_runner"
	fieldsLikeOperations          = "each field needs what the operation of the API that shows or changes the same needs"
	codeOfTemplates               = "templates of issues and merge requests only for callers who can read the code"
	findsVisible                  = "finds only what the caller can see elsewhere"
	visibleProjectOfText          = "the project that a text belongs to must be visible to the caller"
	confidentialEpics             = "confidential epics only with the role Reporter in the group of the epic"
	authorOfNoteOrGroupMaintainer = "only the author of the note and maintainers of the group; nobody changes a system note"
	ownEmojiOfEpic                = "to add: users who can read the epic; to remove: the user who gave the emoji, and administrators"
	alsoInOther                   = "the same role in the project of the issue, and in the group of the other epic"
	readableIssues                = "lists only issues that the caller can read"
	readableMergeRequests         = "lists only merge requests that the caller can read"
	ownJob                        = "only with the token of the job"
	visibleNamespaces             = "the own namespace and groups that the caller can see; administrators see all namespaces"
	visibleProjects               = "lists only projects that the caller can see; statistics for reporters, custom " +
		"attributes for administrators"
	readsOrManagesRunner = "to read: instance runners, and runners of a project that the caller maintains or " +
		"of a group that they own; to change: the owners of its group, and the maintainers " +
		"of its first project or of all its projects; administrators all"
	creatorForAdministrators = "administrators also see who created their account"
	visibleSnippet           = "only a snippet that the caller can see; a snippet of a project also needs " +
		"read_project_snippet"
	visibleSnippets  = "lists only snippets that the caller can see; only administrators filter by storage"
	ownTokens        = "only own tokens; administrators the tokens of all users"
	maintainedByBoth = "only keys of projects that both the user and the caller maintain; administrators see those " +
		"of all projects of the user"
	readableUpload = "the address of a picture or film is enough, unless its project is not public and has " +
		"enforce_auth_checks_on_uploads; other files only for callers who can see the project or group"
	anonymousByUsername = "without signing in only the list, and only with a username; private profiles show " +
		"less; administrators see all fields"
	ownAssociations    = "only the user themselves and administrators"
	privateProfile     = "the events of a private profile only for the user themselves and administrators"
	runnerOrJobToken   = "the request must have the token of a runner or of a job"
	clientKey          = "the request must have a client key of the project"
	instanceID         = "the request must have the instance ID of the project"
	authorOrMaintainer = "only the author, maintainers of the project of the snippet, and administrators"
	oauthProvider      = "the OAuth provider checks the application and its user"

	// In a group; some also in a project.
	destinationOfGroup = "to move the group, the caller also needs create_group at the destination"
	topLevelGroup      = "only in a top-level group; the last owner and members of invited groups cannot be removed"
	topLevelRoles      = "only in a top-level group"
	noHigherRole       = "nobody gives a role above their own; only owners give custom roles"
	noHigherTokenRole  = "no token gets a role above that of the caller; bots create no tokens and rotate " +
		"only their own"
	topLevelAndAddress = "only administrators set a mail address; bots and service accounts create no accounts and " +
		"no tokens; of groups, only those at the top level have accounts"
	selfOrManager = "members end their own membership; other memberships need admin_group_member or " +
		"admin_project_member"
	visibleInGroup = "lists only groups and projects that the caller can see; statistics for reporters, " +
		"custom attributes for administrators"
	ownEventsBelowOwner     = "owners see all events, other users only their own"
	emailsForAdministrators = "only administrators see email addresses"
	requesterOrManager      = "to ask: users without a role, if request_access_enabled is set; to delete: the " +
		"user who asked, and users with admin_group_member or admin_project_member"
	tokenItself = "only with a token of this group or project, which replaces itself"

	readablePackages = "lists only packages that the caller can read; links for deleting only for maintainers of the group"

	// In a project.
	deleteLinksForMaintainers = "links for deleting only for maintainers, pipelines only for readers of jobs"
	alsoReadPipeline          = "the caller also needs read_pipeline"
	protectedPackages         = "the protection rules of packages must allow it"
	codeInBadges              = "values of the repository are filled in only for readers of the code"
	mayRunStopJob             = "to stop an environment, the caller must be allowed to run jobs on the ref of its " +
		"stop job; to stop or delete a protected environment, the caller must be allowed to deploy there"
	mayDeployThere       = "if the environment is protected, the caller must be allowed to deploy there"
	approverOfDeployment = "an approval rule of the environment must name the caller, who must not have started " +
		"the pipeline or the job"
	readableIssueBothProjects = "only an issue that the caller can read; to move or copy it, the caller needs " +
		"admin_issue in both projects"
	authorOfNoteOrMaintainer = "only the author of the note and maintainers; nobody changes a system note; " +
		"members only if the discussion is locked"
	ownersSetVisibility         = "only owners change the visibility, only administrators the storage"
	authorOrMaintainerOverrides = "only maintainers and the author, and only if the project allows it"
	unprotectLevel              = "only users with the role in unprotect_access_levels of the rule, and administrators"
	noHigherRoleInProject       = "nobody gives a role above their own; the owner of the personal namespace stays owner"
	openAndNotApproved          = "only an open merge request, and only once"
	managesRunner               = "only a project runner that is not locked and that the caller manages, as in read_runner"
	readableItemOwnEmoji        = "only on an item that the caller can read; members only if the discussion is " +
		"locked; to remove: the user who gave the emoji, and administrators"
	authorOfCommentOrMaintainer = "to change or delete a comment: its author and maintainers"
	fieldsOfNewIssue            = "labels, assignees, milestone, due date, lock and weight only from reporters; iid " +
		"and created_at only from owners"
	developerOfSource = "developers of the source project; another target project must be of the same fork " +
		"network, with merge requests and code that the caller can read; labels, " +
		"assignees, reviewers and milestone only from developers of the target project"
	readableItem = "only on an item that the caller can read; members only if the discussion is " +
		"locked; internal notes from reporters; created_at from owners"
	mayRunOnRefVariables = "the caller must be allowed to run jobs on the ref; variables only from " +
		"maintainers if the project restricts them"
	mayRunOnRef    = "the caller must be allowed to run jobs on the ref"
	ownerOrAuthor  = "only owners and the author"
	forkingAllowed = "forking_access_level must allow it, and the caller needs create_project at the " +
		"destination"
	readableIssue = "only an issue that the caller can read"
	mayMerge      = "only users who may merge into the target branch, others get 401; the author may " +
		"cancel a scheduled merge"
	alsoInGroup = "the caller also needs admin_group_label or admin_group_milestone in the group of " +
		"the project"
	usableDeployKey = "another key only if it is public or belongs to a project that the caller maintains; the title " +
		"of a key that others use only from administrators"
	codeOfReleases      = "tags, commits and sources only for readers of the code"
	editURLOfReleases   = "edit_url only for callers who may change the release"
	protectedTag        = "if a rule protects the tag, only users who may create it"
	readableReleases    = "lists only releases of projects whose releases the caller can read"
	protectedRefs       = "the rules of protected branches and tags must allow the change"
	artifactsAccess     = "artifacts:access of the job must allow the role of the caller"
	dryRunForDevelopers = "dry_run of the CI lint for developers; merge requests of a commit for readers of " +
		"merge requests; pipelines and jobs of a commit for readers of jobs"
	confidentialIssues        = "confidential issues only for reporters, the author and the assignees"
	debugLogs                 = "the log of a job that runs with debug output only for developers"
	pipelinesForReadersOfJobs = "pipelines only for readers of jobs of the project that ran them"
	itemsOfMilestone          = "its issues only for readers of issues, its merge requests only for readers of " +
		"merge requests"
	eventsOfReadableItem = "only of an item that the caller can read"
	ownDrafts            = "only drafts of the caller; if the discussion is locked, only members write drafts"
	pushToSource         = "only a suggestion in a merge request that the caller can read, if the caller may push to " +
		"its source branch"
	readableNotes       = "only on an item that the caller can read; internal notes only for reporters"
	variablesOfSchedule = "variables only for maintainers and the owner of the schedule"
	maintainerOrStarter = "only maintainers and the user who started the pipeline"
	partsOfProject      = "statistics for reporters, custom attributes for administrators; lists only groups " +
		"and forks that the caller can see"
	ownEventsBelowMaintainer  = "maintainers see all events, other users only their own"
	privateSnippets           = "private snippets only for members, the author and administrators"
	developerOrAuthor         = "only developers and the author of the merge request"
	developerOfSourceOrTarget = "developers of the source project; developers of the target project if it runs " +
		"pipelines of forks"
	visibleGroupNoHigherRole = "only a group that the caller can see; nobody gives a role above their own"
	destinationOfProject     = "the caller also needs create_project at the destination"
	triggerToken             = "the request must have a trigger token or a job token; its user must be active, a " +
		"developer and a reader of jobs, and the project not archived"
	developersAsAssignees    = "only developers become assignees"
	reporterAuthorOrAssignee = "only reporters, the author and the assignees; below reporter only title, " +
		"description, state and type"
	mayRunOnRefOrErase = "the caller must be allowed to run jobs on the ref and to deploy to a " +
		"protected environment; to erase: maintainers, and on " +
		"an unprotected ref the user who started the job; variables only from maintainers " +
		"if the project restricts them"
	developerAuthorOrAssignee = "only developers, the author and the assignees; assignees, reviewers, labels, " +
		"milestone and lock only from developers; to rebase: users who may push to the " +
		"source branch"
	maintainerOrOwnerOfSchedule = "only maintainers and the owner of the schedule; they must be allowed to run jobs " +
		"on its ref; variables only from maintainers if the project restricts them"
)
