package metadata

import (
	"bytes"
	"io"
	"strconv"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
)

// document is a text of several megabytes. It is kept compressed, because clients seldom request it.
type document struct {
	compressed []byte
	size       int    // of the text
	tag        string // for ETag
}

// compress returns the document that has a text.
func compress(text []byte) (document, error) {
	var to bytes.Buffer
	encoder, err := zstd.NewWriter(&to, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return document{}, err
	}
	if _, err := encoder.Write(text); err != nil {
		return document{}, err
	}
	err = encoder.Close()
	tag := `W/"` + strconv.FormatUint(xxhash.Sum64(text), 36) + `"`
	return document{compressed: bytes.Clone(to.Bytes()), size: len(text), tag: tag}, err
}

// window is how far back compressed data refers. Each request that reads the text needs as much memory.
const window = 256 << 10

// open returns a reader of the text.
func (d document) open() (io.ReadCloser, error) {
	decoder, err := zstd.NewReader(bytes.NewReader(d.compressed), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return decoder.IOReadCloser(), nil
}

// text returns the whole text.
func (d document) text() ([]byte, error) {
	from, err := d.open()
	if err != nil {
		return nil, err
	}
	defer from.Close()
	text := make([]byte, d.size)
	_, err = io.ReadFull(from, text)
	return text, err
}

// writeTo writes the text.
func (d document) writeTo(to io.Writer) error {
	from, err := d.open()
	if err != nil {
		return err
	}
	defer from.Close()
	_, err = io.Copy(struct{ io.Writer }{to}, from)
	return err
}
