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

	"svc/store/secret"
	"svc/store/storetest"
)

var testKey = strings.Repeat("k", secret.MinKey)

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
	text, address := Setup("svc of Jane", u.Username)
	parsed, err := url.Parse(address)
	if err != nil || parsed.Query().Get("secret") != text || strings.Contains(address, "+") {
		t.Errorf("the address is %s, %v", address, err)
	}
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
	if row, err := st.Users.Get(t.Context(), u.ID); err != nil || !row.TwoFactor {
		t.Errorf("two-factor %v, %v", row.TwoFactor, err)
	}
	row, err := st.TwoFactors.Get(t.Context(), u.ID)
	if err != nil || bytes.Contains(row.OtpSealed, key) || bytes.Contains(row.OtpSealed, []byte(text)) {
		t.Errorf("kept as %x, %v", row.OtpSealed, err)
	}
	if ok, err := f.Verify(t.Context(), u.ID, secret.TOTPCode(key, now)); ok || err != nil {
		t.Errorf("the code that has enabled it is good again: %v, %v", ok, err)
	}
	now = now.Add(30 * time.Second)
	if got := together(t, func() (bool, error) { return f.Verify(t.Context(), u.ID, secret.TOTPCode(key, now)) }); got != 1 {
		t.Errorf("a code was good %d times", got)
	}
	if got := together(t, func() (bool, error) { return f.Recover(t.Context(), u.ID, strings.ToUpper(codes[3])) }); got != 1 {
		t.Errorf("a recovery code was good %d times", got)
	}
	if ok, err := f.Recover(t.Context(), storetest.User(t, st).ID, codes[4]); ok || err != nil {
		t.Errorf("another user's recovery code: %v, %v", ok, err)
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
