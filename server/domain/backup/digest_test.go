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
	defer d.stop()
	sizes := []int{0, 1, digestSize - 1, digestSize, digestSize + 1, 20 * digestSize, 20*digestSize + 7, 3, 0}
	lines, want := make([]indexed, len(sizes)), make([]string, len(sizes))
	for i, size := range sizes {
		content := make([]byte, size)
		random.Read(content) //nolint:errcheck // never fails
		for part := range bytes.Lines(content) {
			d.Write(part) //nolint:errcheck // never fails
		}
		d.end(&lines[i])
		sum := sha256.Sum256(content)
		want[i] = hex.EncodeToString(sum[:])
	}
	d.wait()
	for i, size := range sizes {
		if lines[i].SHA256 != want[i] {
			t.Errorf("entry %d of %d bytes: %s", i, size, lines[i].SHA256)
		}
	}
}

func TestAPartThatWasPassedOnCountsForItsEntry(t *testing.T) {
	t.Parallel()
	var d digest
	defer d.stop()
	var line indexed
	for range 3 * digestParts {
		d.pass(append(d.space()[:0], "part"...))
	}
	d.end(&line)
	d.wait()
	want := sha256.Sum256(bytes.Repeat([]byte("part"), 3*digestParts))
	if line.SHA256 != hex.EncodeToString(want[:]) {
		t.Error(line.SHA256)
	}
}
