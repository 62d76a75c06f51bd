package artifacts

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// Signatures and lengths of the records of a zip file (APPNOTE 6.3). Each record begins with its signature.
const (
	entryMark    = 0x02014b50
	entryLength  = 46
	endMark      = 0x06054b50
	endLength    = 22
	end64Mark    = 0x06064b50
	end64Length  = 56
	locatorMark  = 0x07064b50
	locatorSize  = 20
	maxComment   = 1<<16 - 1
	inZip64      = 1<<32 - 1 // the value is in the zip64 record instead
	maxEntries   = 1_000_000 // find gives up after this many entries
	directoryBuf = 64 << 10
)

// errNotZip means that the file is not a zip file.
var errNotZip = errors.New("the file is not a zip file")

// directory is the position of the central directory in a zip file.
type directory struct {
	start, size int64
	base        int64 // offset of the first byte of the archive, if other data precedes it
}

// findDirectory locates the central directory by the record at the end of the file.
func findDirectory(from io.ReaderAt, size int64) (directory, error) {
	tail := make([]byte, min(size, endLength+maxComment))
	if n, err := from.ReadAt(tail, size-int64(len(tail))); n < len(tail) {
		return directory{}, errors.Join(errNotZip, err)
	}
	at := -1
	for i := len(tail) - endLength; i >= 0; i-- {
		if binary.LittleEndian.Uint32(tail[i:]) == endMark && i+endLength+int(binary.LittleEndian.Uint16(tail[i+20:])) <= len(tail) {
			at = i
			break
		}
	}
	if at < 0 {
		return directory{}, errNotZip
	}
	end := size - int64(len(tail)) + int64(at)
	length, offset := int64(binary.LittleEndian.Uint32(tail[at+12:])), int64(binary.LittleEndian.Uint32(tail[at+16:]))
	if length == inZip64 || offset == inZip64 || binary.LittleEndian.Uint16(tail[at+10:]) == 1<<16-1 {
		if longEnd, l, o, ok := findLongEnd(from, end); ok {
			end, length, offset = longEnd, l, o
		}
	}
	d := directory{start: end - length, size: length, base: end - length - offset}
	if d.start < 0 || offset < 0 || d.base < 0 {
		return d, errNotZip
	}
	if mark := make([]byte, 4); d.base > 0 { // some writers count offsets from the start of the file
		if n, _ := from.ReadAt(mark, offset); n == 4 && binary.LittleEndian.Uint32(mark) == entryMark {
			d.start, d.base = offset, 0
		}
	}
	return d, nil
}

// findLongEnd reads the zip64 end record, which archives with many or large files have.
func findLongEnd(from io.ReaderAt, end int64) (at, length, offset int64, ok bool) {
	locator := make([]byte, locatorSize)
	if n, _ := from.ReadAt(locator, max(end-locatorSize, 0)); n < locatorSize || binary.LittleEndian.Uint32(locator) != locatorMark {
		return 0, 0, 0, false
	}
	at = int64(binary.LittleEndian.Uint64(locator[8:]))
	if at < 0 || at > end-locatorSize-end64Length {
		return 0, 0, 0, false
	}
	record := make([]byte, end64Length)
	if n, _ := from.ReadAt(record, at); n < end64Length || binary.LittleEndian.Uint32(record) != end64Mark {
		return 0, 0, 0, false
	}
	length, offset = int64(binary.LittleEndian.Uint64(record[40:])), int64(binary.LittleEndian.Uint64(record[48:]))
	return at, length, offset, length >= 0 && offset >= 0
}

// find returns the raw directory entry with the given name, or nil. It holds one entry in memory at a time, however
// many the archive has.
func (d directory) find(from io.ReaderAt, name string) ([]byte, error) {
	in := bufio.NewReaderSize(io.NewSectionReader(from, d.start, d.size), directoryBuf)
	head := make([]byte, entryLength)
	for range maxEntries {
		if _, err := io.ReadFull(in, head); err != nil {
			return nil, ignoreEOF(err)
		}
		if binary.LittleEndian.Uint32(head) != entryMark {
			return nil, nil
		}
		named := int(binary.LittleEndian.Uint16(head[28:]))
		rest := int(binary.LittleEndian.Uint16(head[30:])) + int(binary.LittleEndian.Uint16(head[32:]))
		if named != len(name) {
			if _, err := in.Discard(named + rest); err != nil {
				return nil, ignoreEOF(err)
			}
			continue
		}
		if text, err := in.Peek(named); err != nil || string(text) != name { // the buffer is larger than any name
			if _, err := in.Discard(named + rest); err != nil {
				return nil, ignoreEOF(err)
			}
			continue
		}
		entry := make([]byte, entryLength+named+rest)
		copy(entry, head)
		if _, err := io.ReadFull(in, entry[entryLength:]); err != nil {
			return nil, ignoreEOF(err)
		}
		return entry, nil
	}
	return nil, nil
}

// ignoreEOF returns nil for io.EOF: a truncated directory counts as one without further entries.
func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// singleEntryZip is a zip file whose directory has one entry, so that zip.NewReader does not load the whole directory.
type singleEntryZip struct {
	from io.ReaderAt
	cut  int64 // where the original directory began
	end  *bytes.Reader
}

// singleEntry builds a single from a raw directory entry. It also returns the size of the resulting zip file.
func (d directory) singleEntry(from io.ReaderAt, entry []byte) (singleEntryZip, int64) {
	out := bytes.NewBuffer(entry)
	le := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(out, binary.LittleEndian, v) // writes to memory do not fail
		}
	}
	length := uint64(len(entry))
	end := uint64(d.start) + length
	le(
		uint32(end64Mark), uint64(end64Length-12), uint16(45), uint16(45), uint32(0), uint32(0), uint64(1), uint64(1),
		length, uint64(d.start-d.base),
	)
	le(uint32(locatorMark), uint32(0), end, uint32(1))
	le(uint32(endMark), uint16(0), uint16(0), uint16(1), uint16(1), uint32(inZip64), uint32(inZip64), uint16(0))
	return singleEntryZip{from, d.start, bytes.NewReader(out.Bytes())}, d.start + int64(out.Len())
}

// ReadAt reads file contents from the archive and the directory from memory.
func (s singleEntryZip) ReadAt(p []byte, offset int64) (int, error) {
	if offset >= s.cut {
		return s.end.ReadAt(p, offset-s.cut)
	}
	before := min(int64(len(p)), s.cut-offset)
	n, err := s.from.ReadAt(p[:before], offset)
	if int64(n) < before || n == len(p) {
		return n, err
	}
	more, err := s.end.ReadAt(p[n:], 0)
	return n + more, err
}
