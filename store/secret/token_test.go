package secret

import (
	"encoding/hex"
	"regexp"
	"testing"
)

func TestEveryTokenIsNewAndBeginsWithThePrefix(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`\Asvcpat-[A-Za-z0-9_-]{43}\z`) // 256 bits are 43 characters
	seen := map[string]bool{}
	for range 1000 {
		token := NewToken()
		if !form.MatchString(token) {
			t.Fatalf("%q needs escaping somewhere or has too few bits", token)
		}
		if seen[token] {
			t.Fatalf("%q was made twice", token)
		}
		seen[token] = true
	}
}

// Every later release must find stored tokens, so the digest may never change.
func TestDigestIsSHA256OfTheToken(t *testing.T) {
	t.Parallel()
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // FIPS 180-2, appendix B.1
	if got := hex.EncodeToString(Digest("abc")); got != want {
		t.Errorf("digest of abc is %s, want %s", got, want)
	}
}

func TestEqualComparesWholeDigests(t *testing.T) {
	t.Parallel()
	a := Digest("a token")
	last := append([]byte{}, a...)
	last[len(last)-1] ^= 1
	cases := []struct {
		name string
		b    []byte
		want bool
	}{
		{"the same token", Digest("a token"), true},
		{"another token", Digest("a tokeN"), false},
		{"one bit at the end", last, false},
		{"a beginning", a[:16], false},
		{"longer", append(append([]byte{}, a...), 0), false},
		{"nothing", nil, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := Equal(a, c.b); got != c.want {
				t.Errorf("Equal is %v, want %v", got, c.want)
			}
		})
	}
}
