package account

import (
	"bytes"
	"errors"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"svc/store"
	"svc/store/secret"
	"svc/store/storetest"
)

var testKey = strings.Repeat("k", secret.MinKey)

// setup begins the setup of a second factor and checks the address that apps scan. It returns the secret.
func setup(t *testing.T, username string) string {
	t.Helper()
	text, address := Setup("svc of Jane", username)
	parsed, err := url.Parse(address)
	if err != nil || parsed.Query().Get("secret") != text || strings.Contains(address, "+") {
		t.Errorf("the address is %s, %v", address, err)
	}
	return text
}

func TestASecondFactorIsSetUpAndEachCodeUsedOnce(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	f, err := NewTwoFactors(st, testKey)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1900000000, 0)
	f.now = func() time.Time { return now }
	text := setup(t, u.Username)
	key, err := secret.ParseTOTP(text)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := f.Verify(t.Context(), u.ID, secret.TOTPCode(key, now)); ok || err != nil {
		t.Errorf("a user without a second factor: %v, %v", ok, err)
	}
	if _, err := f.Enable(t.Context(), u.ID, text, "000000"); !errors.Is(err, ErrCode) {
		t.Errorf("a wrong code: %v", err)
	}
	codes, err := f.Enable(t.Context(), u.ID, text, secret.TOTPCode(key, now))
	if err != nil || len(codes) != recoveryCodes {
		t.Fatalf("%d codes, %v", len(codes), err)
	}
	checkSecretIsSealed(t, st, u.ID, key, text)
	if ok, err := f.Verify(t.Context(), u.ID, secret.TOTPCode(key, now)); ok || err != nil {
		t.Errorf("the code that has enabled it is good again: %v, %v", ok, err)
	}
	now = now.Add(30 * time.Second)
	checkUsedOnce(t, f, u.ID, secret.TOTPCode(key, now), codes[3])
	if ok, err := f.Recover(t.Context(), storetest.User(t, st).ID, codes[4]); ok || err != nil {
		t.Errorf("another user's recovery code: %v, %v", ok, err)
	}
}

// checkSecretIsSealed checks that a user has a second factor whose secret is not stored in plain text.
func checkSecretIsSealed(t *testing.T, st *store.Store, userID int64, key []byte, text string) {
	t.Helper()
	if row, err := st.Users.Get(t.Context(), userID); err != nil || !row.TwoFactor {
		t.Errorf("two-factor %v, %v", row.TwoFactor, err)
	}
	row, err := st.TwoFactors.Get(t.Context(), userID)
	if err != nil || bytes.Contains(row.OtpSealed, key) || bytes.Contains(row.OtpSealed, []byte(text)) {
		t.Errorf("kept as %x, %v", row.OtpSealed, err)
	}
}

// checkUsedOnce uses a code and a recovery code several times at once. Each is good once.
func checkUsedOnce(t *testing.T, f *TwoFactors, userID int64, code, recovery string) {
	t.Helper()
	if got := together(t, func() (bool, error) { return f.Verify(t.Context(), userID, code) }); got != 1 {
		t.Errorf("a code was good %d times", got)
	}
	if got := together(t, func() (bool, error) { return f.Recover(t.Context(), userID, strings.ToUpper(recovery)) }); got != 1 {
		t.Errorf("a recovery code was good %d times", got)
	}
}

func together(t *testing.T, try func() (bool, error)) int64 {
	t.Helper()
	var good atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			ok, err := try()
			if err != nil {
				t.Error(err)
			}
			if ok {
				good.Add(1)
			}
		})
	}
	wg.Wait()
	return good.Load()
}

func TestASecretDoesNotOpenWithAnotherKeyOrForAnotherUser(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	jane, joe := storetest.User(t, st), storetest.User(t, st)
	f, err := NewTwoFactors(st, testKey)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := Setup("svc", jane.Username)
	key, err := secret.ParseTOTP(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Enable(t.Context(), jane.ID, text, secret.TOTPCode(key, time.Now())); err != nil {
		t.Fatal(err)
	}
	row, err := st.TwoFactors.Get(t.Context(), jane.ID)
	if err != nil {
		t.Fatal(err)
	}
	// This is what an attacker could do who can write to the database.
	if err := st.TwoFactors.Enable(t.Context(), joe.ID, row.OtpSealed, 0, nil); err != nil {
		t.Fatal(err)
	}
	code := secret.TOTPCode(key, time.Now().Add(30*time.Second))
	if ok, err := f.Verify(t.Context(), joe.ID, code); ok || err == nil {
		t.Errorf("a copied row: %v, %v", ok, err)
	}
	other, err := NewTwoFactors(st, testKey+"2")
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := other.Verify(t.Context(), jane.ID, code); ok || err == nil {
		t.Errorf("another key: %v, %v", ok, err)
	}
	if _, err := NewTwoFactors(st, "short"); err == nil {
		t.Error("a short key is taken")
	}
}
