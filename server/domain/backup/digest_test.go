package backup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"testing"
)

func TestTheDigestOfEntriesOfEverySizeIsRight(t *testing.T) {
	t.Parallel()
	random := rand.NewChaCha8([32]byte{1})
	var d digest
	for _, size := range []int{0, 1, digestPart - 1, digestPart, digestPart + 1, 10 * digestPart, 10*digestPart + 7, 3, 0} {
		content := make([]byte, size)
		random.Read(content) //nolint:errcheck // never fails
		for part := range bytes.Lines(content) {
			d.Write(part) //nolint:errcheck // never fails
		}
		want := sha256.Sum256(content)
		if got := d.end(); got != hex.EncodeToString(want[:]) {
			t.Errorf("%d bytes: %s", size, got)
		}
	}
	d.Write(make([]byte, 3*digestPart)) //nolint:errcheck // never fails
	d.abandon()
	if got := d.end(); got != hex.EncodeToString(sha256.New().Sum(nil)) {
		t.Errorf("after an abandoned entry: %s", got)
	}
}
