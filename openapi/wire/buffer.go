package wire

import (
	"bytes"
	"sync"
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
