package wire

import (
	"bytes"
	"sync"

	"svc/openapi/wire/encode"
)

// maxKept is the size up to which a buffer is used again. One large response must not keep its memory.
const maxKept = 256 << 10

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// TakeBuffer returns an empty buffer for a response.
func TakeBuffer() *bytes.Buffer {
	b, _ := buffers.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

// ReturnBuffer takes a buffer back. The caller must not use it, or what it holds, any more.
func ReturnBuffer(b *bytes.Buffer) {
	if b.Cap() <= maxKept {
		buffers.Put(b)
	}
}

// Encode writes a body as JSON, with a line break at its end, into an empty buffer.
func Encode(b *bytes.Buffer, body any) error {
	text, err := encode.Append(b.AvailableBuffer(), body)
	if err != nil {
		return err
	}
	*b = *bytes.NewBuffer(append(text, '\n')) // the text may have outgrown the memory of the buffer
	return nil
}
