package present

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/store/model"

	"github.com/google/go-cmp/cmp"
)

var (
	free = Presenter{Base: "https://svc.example.com"}
	paid = Presenter{Base: "https://svc.example.com", Paid: true}
	noon = time.Date(2024, 2, 29, 12, 0, 0, 880e6, time.UTC)
)

// golden compares a shape with testdata/<name>.json, member by member and in their order. SVC_GOLDEN=write rewrites it.
func golden(t *testing.T, name string, shown any) {
	t.Helper()
	data, err := json.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := json.Indent(&got, data, "", "  "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	path := filepath.Join("testdata", name+".json")
	if os.Getenv("SVC_GOLDEN") == "write" {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s differs:\n%s", path, diff)
	}
}

// full returns a user with every field set.
func full() model.User {
	u := model.DefaultUser()
	u.ID, u.Username, u.Name, u.Email = 7, "sidney", "Sidney Jones", "sidney@example.com"
	u.Bio, u.Location, u.PublicEmail, u.CommitEmail =
		"Bio\nof two lines", ptr("Hamburg"), ptr("public@example.com"), ptr("commit@example.com")
	u.Skype, u.Linkedin, u.Twitter, u.Discord, u.WebsiteURL = "s", "l", "t", "d", "https://example.com"
	u.Avatar = ptr("0123456789abcdef.png")
	u.Organization, u.JobTitle, u.Pronouns, u.TimeZone = ptr("ACME"), "Engineer", ptr("they/them"), ptr("UTC")
	u.Note, u.NamespaceID, u.CreatedByID, u.PasswordHash = ptr("a note"), ptr[int64](70), ptr[int64](1), "$argon2id$secret"
	u.Followers, u.Following, u.ThemeID, u.ColorSchemeID, u.ProjectsLimit = 3, 4, 5, 6, 10
	u.External, u.PrivateProfile, u.TwoFactor, u.Auditor = true, true, true, true
	u.LockedAt, u.ConfirmedAt, u.LastSignInAt, u.CurrentSignInAt = &noon, &noon, &noon, &noon
	u.LastActivityOn, u.EmailResetOfferedAt = &noon, &noon
	u.SharedRunnersMinutesLimit, u.ExtraSharedRunnersMinutesLimit, u.ProvisionedByGroupID =
		ptr[int64](133), ptr[int64](134), ptr[int64](135)
	u.CreatedAt, u.UpdatedAt = noon.AddDate(-1, 0, 0), noon
	return u
}

// bare returns a user with as few fields set as possible.
func bare() model.User {
	u := model.DefaultUser()
	u.ID, u.Username, u.Name, u.Email, u.CreatedAt, u.UpdatedAt = 8, "bare", "Bare", "bare@example.com", noon, noon
	u.NamespaceID = ptr[int64](80)
	return u
}

func asAdmin(u model.User) model.User {
	u.Admin = true
	return u
}

func TestUsersAreShownInEveryForm(t *testing.T) {
	t.Parallel()
	creator := bare()
	parts := UserParts{
		Identities: []model.Identity{{Provider: "saml", ExternUID: "x", SamlProviderID: ptr[int64](3)}},
		Creator:    &creator, Attributes: []model.UserCustomAttribute{{Key: "k", Value: "v"}},
	}
	cases := map[string]any{
		"user_basic":              free.UserBasic(full()),
		"user_basic_bare":         free.UserBasic(bare()),
		"current_user_free":       free.CurrentUser(full(), &creator, noon), // only administrators see who created the account
		"current_user_paid":       paid.CurrentUser(full(), &creator, noon),
		"current_user_bare":       paid.CurrentUser(bare(), nil, noon),
		"current_user_admin_free": free.CurrentUser(asAdmin(full()), &creator, noon),
		"current_user_admin_paid": paid.CurrentUser(asAdmin(full()), &creator, noon),
		"current_user_admin_bare": paid.CurrentUser(asAdmin(bare()), nil, noon),
		"user_public":             free.UserBasic(full()),
		"user_single":             free.UserPublic(full(), true, true, noon),
		"user_single_private":     free.UserPublic(full(), false, true, noon),
		"user_admin":              paid.User(full(), parts, false, noon),
		"user_admin_free":         free.User(bare(), UserParts{}, true, noon),
		"user_activity":           UserActivity(full()),
		"user_detail":             paid.UserDetail(full(), parts, false, noon),
	}
	for name, shown := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden(t, name, shown)
		})
	}
}

func TestAPrivateCommitAddressHidesTheUsersOwn(t *testing.T) {
	t.Parallel()
	u := bare()
	u.CommitEmail = ptr(model.PrivateCommitEmail)
	if got := free.CurrentUser(u, nil, noon).CommitEmail; got != "8-bare@users.noreply.svc.example.com" {
		t.Errorf("the address is %s", got)
	}
}

func TestTokensAreShownWithoutTheirSecret(t *testing.T) {
	t.Parallel()
	token := func(edit func(*model.PersonalAccessToken)) model.PersonalAccessToken {
		row := model.PersonalAccessToken{
			ID: 3, UserID: 7, Name: "ci", Digest: []byte("secret"), Scopes: "api read_user", CreatedAt: noon,
			UpdatedAt: noon,
		}
		edit(&row)
		return row
	}
	day := noon.Truncate(24 * time.Hour)
	cases := map[string]model.PersonalAccessToken{
		"token_bare": token(func(*model.PersonalAccessToken) {}),
		"token_full": token(func(row *model.PersonalAccessToken) {
			row.Description, row.LastUsedAt, row.ExpiresAt = ptr("for CI"), &noon, ptr(day.AddDate(0, 0, 1))
		}),
		"token_expires_today": token(func(row *model.PersonalAccessToken) { row.ExpiresAt = &day }),
		"token_revoked":       token(func(row *model.PersonalAccessToken) { row.Revoked = true }),
		"token_no_scopes":     token(func(row *model.PersonalAccessToken) { row.Scopes = "" }),
	}
	for name, row := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden(t, name, PersonalAccessToken(row, noon))
		})
	}
	as := token(func(row *model.PersonalAccessToken) { row.Impersonation = true })
	golden(t, "impersonation_token", ImpersonationToken(as, noon))
	golden(t, "impersonation_token_with_token", ImpersonationTokenWithToken(as, "svcpat-secret", noon))
	golden(t, "token_with_token", PersonalAccessTokenWithToken(cases["token_full"], "svcpat-secret", noon))
	of := model.ResourceToken{Token: cases["token_full"], AccessLevel: ptr(model.Developer)}
	golden(t, "resource_token", ResourceToken(of, noon))
	golden(t, "resource_token_with_token", ResourceTokenWithToken(of, "svcpat-secret", noon))
	golden(t, "resource_token_without_role", ResourceToken(model.ResourceToken{Token: cases["token_bare"]}, noon))
}

func TestDeployTokensAreShownWithoutTheirSecret(t *testing.T) {
	t.Parallel()
	row := model.DeployToken{ID: 3, Name: "cluster", Digest: []byte("secret"), Scopes: "read_repository read_registry"}
	golden(t, "deploy_token_bare", DeployToken(row, noon))
	row.Username, row.ExpiresAt, row.Revoked = ptr("k8s"), &noon, true
	golden(t, "deploy_token_full", DeployToken(row, noon))
	golden(t, "deploy_token_with_token", DeployTokenWithToken(row, "svcdt-secret", noon.Add(-time.Second)))
}

func TestVariablesAreShown(t *testing.T) {
	t.Parallel()
	golden(t, "variable_full", InstanceVariable(model.InstanceVariable{
		ID: 1, Key: "KEY", Value: "<value> & \"more\"", Description: ptr("what for"), VariableType: model.VariableFile,
		Protected: true, Masked: true, Raw: true, CreatedAt: noon, UpdatedAt: noon,
	}))
	golden(t, "variable_bare", InstanceVariable(model.InstanceVariable{ID: 2, Key: "K", VariableType: model.VariableEnv}))
}

func TestLocalTimeIsThatOfTheUsersZone(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		zone *string
		at   time.Time
		want *string
	}{
		{"no zone", nil, noon, nil},
		{"an unknown zone", ptr("Mars/Olympus"), noon, nil},
		{"a path instead of a zone", ptr("../../etc/passwd"), noon, nil},
		{"UTC", ptr("UTC"), noon, ptr("12:00 PM")},
		{"afternoon", ptr("UTC"), noon.Add(3*time.Hour + 38*time.Minute), ptr("3:38 PM")},
		{"midnight", ptr("UTC"), noon.Add(12 * time.Hour), ptr("12:00 AM")},
		{"winter", ptr("Europe/Berlin"), noon, ptr("1:00 PM")},
		{"summer", ptr("Europe/Berlin"), noon.AddDate(0, 5, 0), ptr("2:00 PM")},
		{"a half hour", ptr("Asia/Kolkata"), noon, ptr("5:30 PM")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			u := bare()
			u.TimeZone = c.zone
			if diff := cmp.Diff(c.want, free.CurrentUser(u, nil, c.at).LocalTime); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWorkInformationJoinsJobAndOrganization(t *testing.T) {
	t.Parallel()
	cases := []struct {
		job          string
		organization *string
		want         *string
	}{
		{"", nil, nil},
		{"", ptr(""), nil},
		{"Engineer", nil, ptr("Engineer")},
		{"Engineer", ptr(""), ptr("Engineer")},
		{"", ptr("ACME"), ptr("ACME")},
		{"Engineer", ptr("ACME"), ptr("Engineer at ACME")},
	}
	for _, c := range cases {
		u := bare()
		u.JobTitle, u.Organization = c.job, c.organization
		if diff := cmp.Diff(c.want, free.CurrentUser(u, nil, noon).WorkInformation); diff != "" {
			t.Errorf("%q and %v:\n%s", c.job, c.organization, diff)
		}
	}
}

func TestASeatIsTakenByActivePeopleOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind  string
		state model.UserState
		want  bool
	}{
		{model.UserHuman, model.UserActive, true},
		{model.UserHuman, model.UserBlocked, false},
		{"project_bot", model.UserActive, false},
	} {
		u := asAdmin(bare())
		u.Kind, u.State = c.kind, c.state
		shown := paid.CurrentUser(u, nil, noon)
		if shown.UsingLicenseSeat == nil || *shown.UsingLicenseSeat != c.want || shown.Bot == (c.kind == model.UserHuman) {
			t.Errorf("%s %s: seat %v, bot %v", c.state, c.kind, *shown.UsingLicenseSeat, shown.Bot)
		}
	}
}

func TestAllIsNeverNull(t *testing.T) {
	t.Parallel()
	for want, rows := range map[string][]string{`[]`: nil, `["A","B"]`: {"a", "b"}} {
		data, err := json.Marshal(All(rows, strings.ToUpper))
		if string(data) != want || err != nil {
			t.Errorf("%v is shown as %s, %v", rows, data, err)
		}
	}
}
