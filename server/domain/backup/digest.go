package backup

import (
	"crypto/sha256"
	"encoding/hex"
)

const (
	digestSize  = 256 << 10 // bytes that are passed on together
	digestParts = 8         // of them are in memory
)

// digest computes the SHA-256 of one entry after the other. It does so beside the copying, on another processor: the sum of
// an entry is in its line of the index some time after the entry has ended.
type digest struct {
	part []byte        // bytes that are not passed on yet
	work chan digested // nil before the first part
	free chan []byte   // parts that can be filled again
}

// digested is a part of an entry, the end of an entry, or the question whether everything before is done.
type digested struct {
	part []byte
	line *indexed
	done chan struct{}
}

// space returns an empty part to fill and to pass on.
func (d *digest) space() []byte {
	if d.work == nil {
		d.work, d.free = make(chan digested, digestParts), make(chan []byte, digestParts)
		for range digestParts {
			d.free <- make([]byte, digestSize)
		}
		go d.run(d.work)
	}
	return (<-d.free)[:digestSize]
}

// pass adds a part that space has returned to the entry. The caller may still read it, but not change it.
func (d *digest) pass(part []byte) { d.work <- digested{part: part} }

// Write adds a copy of bytes to the entry.
func (d *digest) Write(p []byte) (int, error) {
	written := len(p)
	for len(p) > 0 {
		if d.part == nil {
			d.part = d.space()[:0]
		}
		n := min(len(p), digestSize-len(d.part))
		d.part, p = append(d.part, p[:n]...), p[n:]
		if len(d.part) == digestSize {
			d.passRest()
		}
	}
	return written, nil
}

// passRest passes on the bytes that Write has collected.
func (d *digest) passRest() {
	if d.part != nil {
		d.pass(d.part)
		d.part = nil
	}
}

// end ends an entry. Its SHA-256 in hexadecimal is in the line after wait. What is added later belongs to the next entry.
func (d *digest) end(line *indexed) {
	d.passRest()
	if d.work == nil { // the first entry is empty
		sum := sha256.Sum256(nil)
		line.SHA256 = hex.EncodeToString(sum[:])
		return
	}
	d.work <- digested{line: line}
}

// wait waits until all lines have their sums.
func (d *digest) wait() {
	if d.work != nil {
		done := make(chan struct{})
		d.work <- digested{done: done}
		<-done
	}
}

// stop ends the work. Call it when no more entries come, also after an error.
func (d *digest) stop() {
	if d.work != nil {
		close(d.work)
		d.work = nil
	}
}

// run computes the sums.
func (d *digest) run(work <-chan digested) {
	sum := sha256.New()
	for next := range work {
		switch {
		case next.line != nil:
			next.line.SHA256 = hex.EncodeToString(sum.Sum(nil))
			sum.Reset()
		case next.done != nil:
			close(next.done)
		default:
			sum.Write(next.part)
			d.free <- next.part
		}
	}
}
