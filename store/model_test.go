package store_test

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
	"gorm.io/gorm/schema"
)

// The storage moves of each kind of repository have their own table.
type (
	projectStorageMove struct{ model.StorageMove }
	snippetStorageMove struct{ model.StorageMove }
	groupStorageMove   struct{ model.StorageMove }
)

// models lists all row types. A table without one fails the test below.
var models = []any{
	model.ApprovalRule{},
	model.ApprovalRuleUser{},
	model.ApprovalRuleGroup{},
	model.ApprovalRuleBranch{},
	model.ProjectApprovalSetting{},
	model.MergeRequestCommitter{},
	model.PushRule{},
	model.GroupProtectedBranch{},
	model.FreezePeriod{},
	model.MemberRole{},
	model.ProjectAlias{},
	model.ExternalStatusCheck{},
	model.ExternalStatusCheckBranch{},
	model.StatusCheckResponse{},
	model.Epic{},
	model.EpicLink{},
	model.EpicLabel{},
	model.EpicIssue{},
	model.TerraformState{},
	model.TerraformStateVersion{},
	model.SecureFile{},
	model.EpicNote{},
	model.FeatureFlag{},
	model.FeatureFlagStrategy{},
	model.FeatureFlagScope{},
	model.FeatureFlagUserList{},
	model.FeatureFlagClient{},
	model.ProtectedEnvironment{},
	model.ProtectedEnvironmentRule{},
	model.DeploymentApproval{},
	model.AlertIntegration{},
	model.AlertSetting{},
	model.Alert{},
	model.AlertAssignee{},
	model.AuditStream{},
	model.AuditStreamEvent{},
	model.Badge{},
	model.Topic{},
	model.Feature{},
	model.Instance{},
	model.InstanceSettings{},
	model.BroadcastMessage{},
	model.ServiceAccount{},
	model.GroupCustomAttribute{},
	model.DraftNote{},
	model.ProjectFetch{},
	model.Iteration{},
	model.ScheduledDeletion{},
	model.AlertMetricImage{},
	model.ContextCommit{},
	model.PagesSetting{},
	model.ResourceEvent{},
	model.Suggestion{},
	model.InstanceStorage{},
	model.SSHHostKey{},
	model.GroupExport{},
	model.GroupImport{},
	model.ProjectImport{},
	model.ProjectExport{},
	model.ProjectFileImport{},
	model.ProjectImportFailure{},
	model.RelationExport{},
	model.RelationExportFile{},
	model.RemoteMirror{},
	model.BulkImport{},
	model.BulkImportEntity{},
	model.BulkImportFailure{},
	model.PullMirror{},
	projectStorageMove{},
	snippetStorageMove{},
	groupStorageMove{},
	model.DeletedSideRepository{},
	model.GroupWiki{},
	model.ProjectWiki{},
	model.Snippet{},
	model.PagesDomain{},
	model.PagesDeployment{},
	model.AcmeAccount{},
	model.ErrorTrackingSetting{},
	model.ErrorTrackingKey{},
	model.TrackedError{},
	model.TrackedErrorEvent{},
	model.GroupCounter{},
	model.Label{},
	model.LabelPriority{},
	model.Milestone{},
	model.Issue{},
	model.IssueAssignee{},
	model.IssueLabel{},
	model.IssueLink{},
	model.MergeRequest{},
	model.MergeRequestAssignee{},
	model.MergeRequestReviewer{},
	model.MergeRequestLabel{},
	model.MergeRequestApproval{},
	model.MergeRequestIssue{},
	model.MergeRequestVersion{},
	model.MergeAttempt{},
	model.MergeRequestCommit{},
	model.Note{},
	model.AwardEmoji{},
	model.Todo{},
	model.Subscription{},
	model.Timelog{},
	model.Board{},
	model.BoardList{},
	model.NotificationSetting{},
	model.AuditEvent{},
	model.AccessRequest{},
	model.Bot{},
	model.ClusterAgent{},
	model.ClusterAgentToken{},
	model.CommitStatus{},
	model.DeletedRepository{},
	model.DeployToken{},
	model.DeployKey{},
	model.DeployKeyProject{},
	model.Hook{},
	model.HookMessage{},
	model.HookDelivery{},
	model.Package{},
	model.PackagePipeline{},
	model.PackageFile{},
	model.PackageTag{},
	model.PackageProtectionRule{},
	model.Release{},
	model.ReleaseLink{},
	model.ReleaseMilestone{},
	model.Upload{},
	model.Avatar{},
	model.Deployment{},
	model.Email{},
	model.Environment{},
	model.Event{},
	model.GPGKey{},
	model.GPGKeySubkey{},
	model.GroupLink{},
	model.Identity{},
	model.InstanceVariable{},
	model.BlobRemoval{},
	model.Job{},
	model.JobArtifact{},
	model.JobTokenGroup{},
	model.JobTokenProject{},
	model.JobTokenScope{},
	model.JobSpec{},
	model.JobVariable{},
	model.PendingJob{},
	model.Pipeline{},
	model.PipelineSchedule{},
	model.PipelineScheduleVariable{},
	model.PipelineTrigger{},
	model.PipelineVariable{},
	model.GroupVariable{},
	model.ProjectVariable{},
	model.ProjectCounter{},
	model.RegistrationToken{},
	model.ResourceGroup{},
	model.Runner{},
	model.RunnerManager{},
	model.RunnerProject{},
	model.Invitation{},
	model.Key{},
	model.LfsLock{},
	model.LfsObject{},
	model.LfsProjectObject{},
	model.MailedToken{},
	model.Member{},
	model.Namespace{},
	model.NamespaceAncestor{},
	model.OAuthApplication{},
	model.OAuthGrant{},
	model.OAuthKey{},
	model.OAuthToken{},
	model.PersonalAccessToken{},
	model.Project{},
	model.ProjectCustomAttribute{},
	model.ProjectLanguage{},
	model.ProjectLink{},
	model.ProjectRedirect{},
	model.ProjectStar{},
	model.ProjectTopic{},
	model.ProtectedBranch{},
	model.ProtectedBranchDeployKey{},
	model.ProtectedTag{},
	model.Push{},
	model.Contribution{},
	model.ContributionHead{},
	model.QueueProcess{},
	model.RateCounter{},
	model.RecoveryCode{},
	model.RepositoryChange{},
	model.Session{},
	model.SiteGrant{},
	model.TwoFactor{},
	model.User{},
	model.UserCustomAttribute{},
	model.UserDeletion{},
	model.UserFollow{},
	model.UserPreference{},
	model.UserStatus{},
	model.WikiPage{},
}

// columns returns the columns of a table from the database itself.
func columns(t testing.TB, st *store.Store, table string) []string {
	t.Helper()
	query := "SELECT name FROM pragma_table_info('" + table + "')"
	if storetest.Postgres() {
		query = "SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = '" + table + "'"
	}
	return texts(t, st, query)
}

func texts(t testing.TB, st *store.Store, query string) []string {
	t.Helper()
	rows, err := st.SQL().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

func parsed(t testing.TB, row any) *schema.Schema {
	t.Helper()
	s, err := schema.Parse(row, &sync.Map{}, schema.NamingStrategy{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestModelsMatchTheMigratedTables(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	var tables []string
	for _, row := range models {
		s := parsed(t, row)
		tables = append(tables, s.Table)
		want := slices.Clone(s.DBNames)
		slices.Sort(want)
		if diff := cmp.Diff(want, columns(t, st, s.Table)); diff != "" {
			t.Errorf("%s: model (-) and table (+) differ:\n%s", s.Table, diff)
		}
	}
	query := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'river%' AND name NOT LIKE " +
		"'sqlite%' AND name NOT LIKE 'goose%' AND name NOT LIKE 'user_search%' AND name NOT LIKE 'project_search%' " +
		"AND name <> 'project_lists'"
	if storetest.Postgres() {
		query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'river%' AND " +
			"tablename NOT LIKE 'goose%' AND tablename <> 'user_search'"
	}
	slices.Sort(tables)
	if diff := cmp.Diff(tables, texts(t, st, query)); diff != "" {
		t.Errorf("models (-) and tables (+) differ:\n%s", diff)
	}
}

func TestColumnsKeptByHandGoIntoTheirOwnMembers(t *testing.T) {
	t.Parallel()
	for name, list := range store.AllHandWritten() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, names := parsed(t, list.Row), strings.Split(list.Columns, ", ")
			if len(names) != len(list.Fields) || (list.Whole && len(names) != len(s.Fields)) {
				t.Fatalf("%d columns, %d fields, %d members", len(names), len(list.Fields), len(s.Fields))
			}
			v := reflect.ValueOf(list.Row).Elem()
			for i, name := range names {
				field := s.FieldsByDBName[strings.TrimPrefix(name, "u.")]
				if field == nil {
					t.Errorf("%s is no member", name)
					continue
				}
				if want := v.FieldByIndex(field.StructField.Index).Addr().Interface(); list.Fields[i] != want {
					t.Errorf("%s goes into another member than %s", name, field.Name)
				}
			}
		})
	}
}

// filled creates a user with a different value in every field, so that a column that is read into the wrong field is
// noticed.
func filled(t testing.TB, st *store.Store) model.User {
	t.Helper()
	creator := storetest.User(t, st)
	return storetest.User(t, st, func(u *model.User) {
		v := reflect.ValueOf(u).Elem()
		day := time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC)
		for i := range v.NumField() {
			day = day.AddDate(0, 0, 1) // a date column stores only the day
			fill(v.Field(i), v.Type().Field(i).Name, int64(i), day)
		}
		u.ID, u.CreatedByID = 0, &creator.ID
	})
}

func fill(f reflect.Value, name string, n int64, day time.Time) {
	switch f.Interface().(type) {
	case *time.Time:
		f.Set(reflect.ValueOf(&day))
	case time.Time:
		f.Set(reflect.ValueOf(day))
	case *string:
		f.Set(reflect.ValueOf(&name))
	case *int64:
		f.Set(reflect.ValueOf(&n))
	case int64:
		f.SetInt(n)
	case bool:
		f.SetBool(n%2 == 0)
	default:
		f.SetString(name)
	}
}

func TestAUserIsReadAsItWasWrittenAlsoAsACaller(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	want := filled(t, st)
	got, err := st.Users.Get(t.Context(), want.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the user differs:\n%s", diff)
	}
	digest := []byte("digest")
	if err := st.Tokens.Create(t.Context(), &model.PersonalAccessToken{
		UserID: want.ID, Name: "t", Digest: digest, Scopes: "api",
	}); err != nil {
		t.Fatal(err)
	}
	if err := st.Sessions.Create(t.Context(), &model.Session{
		UserID: want.ID, Digest: digest, CSRFDigest: digest, ExpiresAt: want.CreatedAt,
	}); err != nil {
		t.Fatal(err)
	}
	withToken, err := st.Tokens.FindByDigest(t.Context(), digest, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, withSession, err := st.Sessions.FindByDigest(t.Context(), digest)
	if err != nil {
		t.Fatal(err)
	}
	for how, got := range map[string]model.Caller{"token": withToken.Caller, "session": withSession} {
		if diff := cmp.Diff(want.Caller(), got); diff != "" {
			t.Errorf("the caller of a %s differs:\n%s", how, diff)
		}
	}
	caller := reflect.ValueOf(want.Caller()) // every field is copied, because no field of the user is empty
	for i := range caller.NumField() {
		if user := reflect.ValueOf(want).FieldByName(caller.Type().Field(i).Name); !cmp.Equal(
			user.Interface(), caller.Field(i).Interface(),
		) {
			t.Errorf("%s is %v, the user's is %v", caller.Type().Field(i).Name, caller.Field(i), user)
		}
	}
}
