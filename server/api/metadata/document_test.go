package metadata

import (
	"strings"
	"testing"
)

func TestADocumentIsKeptCompressed(t *testing.T) {
	t.Parallel()
	text := strings.Repeat(`{"summary":"List the issues of a project."}`, 50_000)
	doc, err := compress([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.compressed) > len(text)/10 || cap(doc.compressed) > 2*len(doc.compressed) {
		t.Errorf("%d bytes take %d, of %d", len(text), len(doc.compressed), cap(doc.compressed))
	}
	var written strings.Builder
	if err := doc.writeTo(&written); err != nil || written.String() != text {
		t.Errorf("%v, %d bytes were written", err, written.Len())
	}
	if whole, err := doc.text(); err != nil || string(whole) != text {
		t.Errorf("%v, the text has %d bytes", err, len(whole))
	}
	other, err := compress([]byte(text + " "))
	if err != nil || other.tag == doc.tag {
		t.Errorf("%v, another text has the same tag %s", err, doc.tag)
	}
}
