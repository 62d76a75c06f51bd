package access

import (
	"encoding/json"
	"errors"
	"testing"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"

	"github.com/google/go-cmp/cmp"
)

const (
	unauthorized = `{"message":"401 Unauthorized"}`
	forbidden    = `{"message":"403 Forbidden"}`
)

// wantAnswer checks the status and the JSON of an error; status 0 means that there must be no error.
func wantAnswer(t testing.TB, err error, status int, body string) {
	t.Helper()
	if status == 0 {
		if err != nil {
			t.Errorf("error is %v, want none", err)
		}
		return
	}
	var e *apierr.Error
	if !errors.As(err, &e) {
		t.Fatalf("error is %v, want %d %s", err, status, body)
	}
	data, err := json.Marshal(e.Body)
	if err != nil {
		t.Fatal(err)
	}
	if e.Status != status {
		t.Errorf("status is %d, want %d", e.Status, status)
	}
	if diff := cmp.Diff(body, string(data)); diff != "" {
		t.Errorf("body differs:\n%s", diff)
	}
}

func TestEachAbilityNeedsItsRole(t *testing.T) {
	t.Parallel()
	anonymous, user, admin := (*reqctx.Actor)(nil), &reqctx.Actor{User: model.Caller{ID: 1}},
		&reqctx.Actor{User: model.Caller{ID: 2, Admin: true}}
	type answer struct {
		status int
		body   string
	}
	yes, no, who := answer{}, answer{403, forbidden}, answer{401, unauthorized}
	cases := map[Ability][3]answer{ // anonymous, user, administrator
		ReadAuditEvent:        {who, no, yes},
		ReadDocument:          {yes, yes, yes},
		ReadOwnEvents:         {who, yes, yes},
		ReadUserEvents:        {yes, yes, yes},
		ReadProbe:             {yes, yes, yes},
		ReadGraphQL:           {yes, yes, yes},
		ReadIssues:            {who, yes, yes},
		ReadAnyIssue:          {who, no, yes},
		ReadTodo:              {who, yes, yes},
		UpdateTodo:            {who, yes, yes},
		ReadMergeRequests:     {who, yes, yes},
		ReadMetadata:          {who, yes, yes},
		ReadSelf:              {who, yes, yes},
		ReadOwnToken:          {who, yes, yes},
		ReadToken:             {who, yes, yes},
		RevokeOwnToken:        {who, yes, yes},
		RevokeToken:           {who, yes, yes},
		RotateOwnToken:        {who, yes, yes},
		RotateToken:           {who, yes, yes},
		AdminApplication:      {who, no, yes},
		AdminBroadcastMessage: {who, no, yes},
		ApplySuggestion:       {who, yes, yes},
		AdminServiceAccount:   {who, no, yes},
		AdminSettings:         {who, no, yes},
		ReadAppearance:        {yes, yes, yes},
		ReadBroadcastMessage:  {yes, yes, yes},
		ReadStatistics:        {who, no, yes},
		UseOAuth:              {yes, yes, yes},
		AdminDeployKey:        {who, no, yes},
		AdminDeployToken:      {who, no, yes},
		AdminInstanceVariable: {who, no, yes},
		CreateGroup:           {who, yes, yes},
		AdminToken:            {who, no, yes},
		CreateOwnToken:        {who, yes, yes},
		AdminUser:             {who, no, yes},
		ReadUser:              {yes, yes, yes},
		ReadNamespace:         {who, yes, yes},
		ReadUserMembership:    {who, no, yes},
		"unheard_of":          {no, no, no},

		AdminProjectOfUser: {who, no, yes},
		CreateProject:      {who, yes, yes},
		ReadProjects:       {yes, yes, yes},
		ReadUserProjects:   {yes, yes, yes},
		TransferToGroup:    {who, no, yes},

		AdminKey:     {who, no, yes},
		CreateOwnKey: {who, yes, yes},
		DeleteOwnKey: {who, yes, yes},
		ReadOwnKey:   {who, yes, yes},

		CreateOwnBulkImport: {who, yes, yes},
		ReadOwnBulkImport:   {who, yes, yes},

		ReadOwnJob:  {who, yes, yes},
		ReadUserKey: {yes, yes, yes},

		AdminUserEmail:       {who, no, yes},
		CreateOwnEmail:       {who, yes, yes},
		DeleteOwnEmail:       {who, yes, yes},
		FollowUser:           {who, yes, yes},
		LintCI:               {who, yes, yes},
		AdminRunner:          {who, no, yes},
		CreateRunner:         {who, yes, yes},
		ReadOwnRunners:       {who, yes, yes},
		ReadRunner:           {who, yes, yes},
		AdminPagesDomain:     {who, no, yes},
		AdminStorageMove:     {who, no, yes},
		AdminSystemHook:      {who, no, yes},
		RunJob:               {yes, yes, yes},
		SendTrackedError:     {yes, yes, yes},
		ReadUnleashFeature:   {yes, yes, yes},
		ReadOwnEmail:         {who, yes, yes},
		ReadOwnNotices:       {who, yes, yes},
		UpdateOwnNotices:     {who, yes, yes},
		ReadOwnPreferences:   {who, yes, yes},
		ReadOwnStatus:        {who, yes, yes},
		ReadUserAssociations: {who, yes, yes},
		ReadUserDeployKey:    {who, yes, yes},
		ReadUploadAddress:    {yes, yes, yes},
		ReadUserFollows:      {who, yes, yes},
		ReadUserStatus:       {yes, yes, yes},
		UpdateOwnAvatar:      {who, yes, yes},
		UpdateOwnPreferences: {who, yes, yes},
		UpdateOwnStatus:      {who, yes, yes},
		AdminSnippet:         {who, no, yes},
		CreateSnippet:        {who, yes, yes},
		ReadSnippet:          {yes, yes, yes},
		ReadSnippets:         {who, yes, yes},
		Search:               {who, yes, yes},
		AdminFeature:         {who, no, yes},
		AdminTopic:           {who, no, yes},
		AdminMemberRole:      {who, no, yes},
		AdminProjectAlias:    {who, no, yes},
		ReadTemplate:         {yes, yes, yes},
		ReadTopic:            {yes, yes, yes},
		RenderMarkdown:       {who, yes, yes},
		UpdateSnippet:        {who, yes, yes},
	}
	for ability := range Abilities[Instance] {
		if _, ok := cases[ability]; !ok {
			t.Errorf("%s has no case here", ability)
		}
	}
	for ability, want := range cases {
		for i, actor := range []*reqctx.Actor{anonymous, user, admin} {
			ctx := reqctx.With(t.Context(), &reqctx.Info{Actor: actor})
			got, err := Allow(ctx, ability)
			wantAnswer(t, err, want[i].status, want[i].body)
			if err == nil && got != actor {
				t.Errorf("%s: actor is %v, want %v", ability, got, actor)
			}
			if err != nil && got != nil {
				t.Errorf("%s: refused, but an actor comes with it", ability)
			}
		}
	}
}

func TestAccountsThatMayNotBeUsedAreToldWhy(t *testing.T) {
	t.Parallel()
	const blocked = `{"message":"403 Forbidden - Your account has been blocked."}`
	cases := map[model.UserState]string{
		model.UserActive:        "",
		model.UserBlocked:       blocked,
		model.UserBanned:        blocked,
		model.UserLDAPBlocked:   blocked,
		"a state of the future": blocked,
		"":                      blocked,
		model.UserDeactivated: `{"message":"403 Forbidden - Your account has been deactivated by your ` +
			`administrator. Please log back in to reactivate your account."}`,
		model.UserPendingApproval: `{"message":"403 Forbidden - Your account is pending approval from your ` +
			`administrator and hence blocked."}`,
	}
	for state, want := range cases {
		status := 403
		if want == "" {
			status = 0
		}
		wantAnswer(t, CheckState(model.Caller{State: state}), status, want)
	}
}

func TestATokenNeedsOneOfTheScopes(t *testing.T) {
	t.Parallel()
	refused := func(scope string) string {
		return `{"error":"insufficient_scope","error_description":"The request requires higher privileges than ` +
			`provided by the access token.","scope":"` + scope + `"}`
	}
	reading, writing := []string{"api", "read_api", "read_user"}, []string{"api"}
	cases := []struct {
		name     string
		kind     reqctx.Kind
		scopes   []string
		accepted []string
		want     string // the text of the refusal; empty if the scope is accepted
	}{
		{"the scope itself", reqctx.PersonalToken, []string{"read_user"}, reading, ""},
		{"api includes it", reqctx.PersonalToken, []string{"api"}, reading, ""},
		{"read_api includes it", reqctx.OAuthToken, []string{"read_api"}, reading, ""},
		{"one of several", reqctx.PersonalToken, []string{"sudo", "read_user"}, reading, ""},
		{"another scope", reqctx.PersonalToken, []string{"read_repository"}, reading, refused("api read_api read_user")},
		{"sudo includes nothing", reqctx.PersonalToken, []string{"sudo"}, reading, refused("api read_api read_user")},
		{"no scope", reqctx.OAuthToken, nil, reading, refused("api read_api read_user")},
		{"read_api does not write", reqctx.PersonalToken, []string{"read_api", "read_user"}, writing, refused("api")},
		{"api writes", reqctx.PersonalToken, []string{"api"}, writing, ""},
		{"no list accepts any token", reqctx.PersonalToken, nil, nil, ""},
		{"a session has no scopes", reqctx.Session, nil, writing, ""},
		{"a job token has no scopes", reqctx.JobToken, nil, reading, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			status := 403
			if c.want == "" {
				status = 0
			}
			wantAnswer(t, CheckScope(&reqctx.Actor{Kind: c.kind, Scopes: c.scopes}, c.accepted), status, c.want)
		})
	}
}

func TestScopesOfAdministratorsAreForAdministrators(t *testing.T) {
	t.Parallel()
	for _, scope := range Scopes {
		privileged := scope == "sudo" || scope == "admin_mode" || scope == "read_service_ping"
		if MayCarry(false, []string{"api", scope}) == privileged || !MayCarry(true, []string{scope}) {
			t.Errorf("%s is given to the wrong tokens", scope)
		}
	}
	if MayCarry(true, []string{"openid"}) {
		t.Error("a token may carry what is for applications only")
	}
}
