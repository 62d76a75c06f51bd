package secret

import (
	"strings"
	"testing"
	"time"
)

// The vectors of RFC 6238, appendix B, for SHA-1.
func TestCodesAreThoseOfTheRFC(t *testing.T) {
	t.Parallel()
	key := []byte("12345678901234567890")
	for at, want := range map[int64]string{
		59: "94287082", 1111111109: "07081804", 1111111111: "14050471", 1234567890: "89005924", 2000000000: "69279037",
		20000000000: "65353130",
	} {
		if got := totpCode(key, at/totpPeriod); got != want[2:] { // the standard shows eight digits
			t.Errorf("at %d: %s, want %s", at, got, want)
		}
		if got := TOTPCode(key, time.Unix(at, 0)); got != want[2:] {
			t.Errorf("at %d: %s, want %s", at, got, want[2:])
		}
	}
	// RFC 4226, appendix D.
	for counter, want := range []string{
		"755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
	} {
		if got := totpCode(key, int64(counter)); got != want {
			t.Errorf("counter %d: %s, want %s", counter, got, want)
		}
	}
}

func TestACodeIsGoodForThreeStepsAndOnce(t *testing.T) {
	t.Parallel()
	key, now := []byte("12345678901234567890"), time.Unix(1111111111, 0)
	step := now.Unix() / totpPeriod
	for off, good := range map[int64]bool{-2: false, -1: true, 0: true, 1: true, 2: false} {
		code := totpCode(key, step+off)
		if got, ok := MatchTOTP(key, code, now, 0); ok != good || (ok && got != step+off) {
			t.Errorf("%d steps off: step %d, %v", off, got-step, ok)
		}
		if _, ok := MatchTOTP(key, code, now, step+off); ok {
			t.Errorf("%d steps off: the code is good twice", off)
		}
		if _, ok := MatchTOTP(key, code, now, step+1); ok {
			t.Errorf("%d steps off: the code is good after a later one", off)
		}
	}
	for _, code := range []string{"", "0", "05047", "0504711", "14050471", " 050471", "05O471", strings.Repeat("1", 1000)} {
		if _, ok := MatchTOTP(key, code, now, 0); ok {
			t.Errorf("%q is good", code)
		}
	}
}

func TestASecretIsReadAsPeopleTypeIt(t *testing.T) {
	t.Parallel()
	key := NewTOTP()
	text := TOTPText(key)
	for _, typed := range []string{text, strings.ToLower(text), text[:4] + " " + text[4:]} {
		if got, err := ParseTOTP(typed); err != nil || string(got) != string(key) {
			t.Errorf("%q: %x, %v", typed, got, err)
		}
	}
	for _, bad := range []string{"", "JBSWY3DP", text + "AAAAAAAA", text[:31] + "1"} {
		if _, err := ParseTOTP(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestARecoveryCodeIsReadAsPeopleTypeIt(t *testing.T) {
	t.Parallel()
	code := NewRecoveryCode()
	if len(code) != 19 || code == NewRecoveryCode() {
		t.Errorf("the code is %q", code)
	}
	want := RecoveryDigest(code)
	for _, typed := range []string{strings.ToUpper(code), strings.ReplaceAll(code, "-", ""), strings.ReplaceAll(code, "-", " ")} {
		if !Equal(RecoveryDigest(typed), want) {
			t.Errorf("%q is another code", typed)
		}
	}
	if Equal(RecoveryDigest(code[1:]), want) || Equal(Digest(code), want) {
		t.Error("another text has the same digest")
	}
}
