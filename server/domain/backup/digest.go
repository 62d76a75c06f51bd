package backup

import (
	"crypto/sha256"
	"encoding/hex"
)

const (
	digestPart  = 256 << 10 // bytes that are passed on together
	digestParts = 4         // of them are in memory
)

// digest computes the SHA-256 of one entry after the other. It does so beside the copying of a large entry, on another
// processor.
type digest struct {
	part  []byte        // bytes that are not passed on yet
	parts chan []byte   // nil while no entry is large enough
	free  chan []byte   // parts that can be filled again
	sum   chan [32]byte // of the entry
}

// Write adds bytes to the entry.
func (d *digest) Write(p []byte) (int, error) {
	written := len(p)
	for len(p) > 0 {
		if len(d.part) == digestPart {
			d.pass()
		}
		if d.part == nil {
			d.part = make([]byte, 0, digestPart)
		}
		n := min(len(p), digestPart-len(d.part))
		d.part, p = append(d.part, p[:n]...), p[n:]
	}
	return written, nil
}

// pass passes on the bytes that were added last.
func (d *digest) pass() {
	if d.parts == nil {
		if d.free == nil {
			d.free, d.sum = make(chan []byte, digestParts), make(chan [32]byte, 1)
			for range digestParts - 1 {
				d.free <- make([]byte, 0, digestPart)
			}
		}
		d.parts = make(chan []byte, digestParts)
		go d.run(d.parts)
	}
	d.parts <- d.part
	d.part = (<-d.free)[:0]
}

// run computes the SHA-256 of the parts of one entry.
func (d *digest) run(parts <-chan []byte) {
	sum := sha256.New()
	for part := range parts {
		sum.Write(part)
		d.free <- part
	}
	d.sum <- [32]byte(sum.Sum(nil))
}

// end returns the SHA-256 of the entry in hexadecimal. What is added after it belongs to the next entry.
func (d *digest) end() string {
	var sum [32]byte
	if d.parts == nil {
		sum = sha256.Sum256(d.part)
	} else {
		d.pass()
		close(d.parts)
		d.parts, sum = nil, <-d.sum
	}
	d.part = d.part[:0]
	return hex.EncodeToString(sum[:])
}

// abandon ends the work on an entry that was not added to its end.
func (d *digest) abandon() {
	if d.parts != nil {
		d.end()
	}
}
