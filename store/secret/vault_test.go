package secret

import (
	"bytes"
	"strings"
	"testing"
)

func TestWhatIsSealedOpensForItsOwnerOnly(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("k", MinKey)
	vault, err := NewVault(key, "totp")
	if err != nil {
		t.Fatal(err)
	}
	plain := []byte("secret")
	sealed := vault.Seal(plain, "user 1")
	if bytes.Contains(sealed, plain) || bytes.Equal(sealed, vault.Seal(plain, "user 1")) {
		t.Errorf("sealed as %x", sealed)
	}
	if got, err := vault.Open(sealed, "user 1"); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := vault.Open(sealed, "user 2"); err == nil {
		t.Error("it opens for another owner")
	}
	for _, other := range []struct{ key, purpose string }{{key + "k", "totp"}, {key, "variables"}} {
		v, err := NewVault(other.key, other.purpose)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.Open(sealed, "user 1"); err == nil {
			t.Errorf("it opens with %v", other)
		}
	}
	for i := range sealed {
		broken := bytes.Clone(sealed)
		broken[i] ^= 1
		if _, err := vault.Open(broken, "user 1"); err == nil {
			t.Errorf("it opens with byte %d changed", i)
		}
	}
	for n := range sealed {
		if _, err := vault.Open(sealed[:n], "user 1"); err == nil {
			t.Errorf("the first %d bytes open", n)
		}
	}
	if _, err := NewVault(strings.Repeat("k", MinKey-1), "totp"); err == nil {
		t.Error("a short key is taken")
	}
}

func TestSealSameGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	vault, err := NewVault(strings.Repeat("k", MinKey), "webhooks")
	if err != nil {
		t.Fatal(err)
	}
	sealed := vault.SealSame([]byte("secret"), "project 1")
	if !bytes.Equal(sealed, vault.SealSame([]byte("secret"), "project 1")) {
		t.Error("the bytes differ")
	}
	for _, other := range [][]byte{vault.SealSame([]byte("secrets"), "project 1"), vault.SealSame([]byte("secret"), "project 2")} {
		if bytes.Equal(sealed[:13], other[:13]) {
			t.Error("two secrets share the number that must be used once")
		}
	}
	if got, err := vault.Open(sealed, "project 1"); err != nil || string(got) != "secret" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := vault.Open(sealed, "project 2"); err == nil {
		t.Error("it opens for another owner")
	}
}
