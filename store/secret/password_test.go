package secret

import (
	"strings"
	"sync"
	"testing"
)

func hashed(t *testing.T, password string) string {
	t.Helper()
	hash, err := HashPassword(t.Context(), password)
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

func checked(t *testing.T, hash, password string) bool {
	t.Helper()
	right, err := CheckPassword(t.Context(), hash, password)
	if err != nil {
		t.Error(err)
	}
	return right
}

func TestAPasswordIsRecognisedAndNoOtherIs(t *testing.T) {
	t.Parallel()
	for _, password := range []string{"correct horse", "pässwörd-密码", strings.Repeat("x", 1000), "with\x00nul"} {
		hash := hashed(t, password)
		if !checked(t, hash, password) {
			t.Errorf("%q is not recognised", password)
		}
		for _, wrong := range []string{"", password + " ", password[1:], strings.ToUpper(password)} {
			if checked(t, hash, wrong) {
				t.Errorf("%q is taken for %q", wrong, password)
			}
		}
	}
}

func TestAHashHoldsItsCostAndNeverThePassword(t *testing.T) {
	t.Parallel()
	one, two := hashed(t, "correct horse"), hashed(t, "correct horse")
	if one == two {
		t.Error("two hashes of one password are the same: there is no salt")
	}
	if !strings.HasPrefix(one, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("hash %q does not name Argon2id and its cost", one)
	}
	if strings.Contains(one, "correct") {
		t.Errorf("hash %q holds the password", one)
	}
}

func TestAMalformedHashMatchesNoPassword(t *testing.T) {
	t.Parallel()
	good := hashed(t, "correct horse")
	parts := strings.Split(good, "$")
	salt, key := parts[4], parts[5]
	cases := map[string]string{
		"empty":             "",
		"the password":      "correct horse",
		"another algorithm": strings.Replace(good, "argon2id", "argon2i", 1),
		"another version":   strings.Replace(good, "v=19", "v=16", 1),
		"no version":        strings.Replace(good, "v=19", "", 1),
		"no cost":           "$argon2id$v=19$$" + salt + "$" + key,
		"cost is text":      "$argon2id$v=19$m=a,t=b,p=c$" + salt + "$" + key,
		"too few parts":     strings.Join(parts[:5], "$"),
		"too many parts":    good + "$",
		"salt not base64":   "$argon2id$v=19$m=8,t=1,p=1$!!$" + key,
		"key not base64":    "$argon2id$v=19$m=8,t=1,p=1$" + salt + "$!!",
		"no key":            "$argon2id$v=19$m=8,t=1,p=1$" + salt + "$",
		"a key's beginning": "$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$" + key[:20],
		"no rounds":         "$argon2id$v=19$m=8,t=0,p=1$" + salt + "$" + key,
		"no threads":        "$argon2id$v=19$m=8,t=1,p=0$" + salt + "$" + key,
		"256 threads":       "$argon2id$v=19$m=8,t=1,p=256$" + salt + "$" + key,
	}
	for name, hash := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("panic: %v", p)
				}
			}()
			for _, password := range []string{"correct horse", ""} {
				if checked(t, hash, password) {
					t.Errorf("%q is taken for the password", password)
				}
			}
		})
	}
}

func TestManyPasswordsAreCheckedAtOnce(t *testing.T) {
	t.Parallel()
	hash := hashed(t, "correct horse")
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			right := i%2 == 0
			password := "wrong horse"
			if right {
				password = "correct horse"
			}
			if checked(t, hash, password) != right {
				t.Errorf("check of %q is not %v", password, right)
			}
		})
	}
	wg.Wait()
}
