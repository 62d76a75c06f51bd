package artifacts

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// The parts of a zip file, as its specification (APPNOTE 6.3) has them: each begins with its mark.
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
	in64         = 1<<32 - 1 // says that a number is in the longer form
	maxEntries   = 1_000_000 // how many entries are looked through for a file
	directoryBuf = 64 << 10
)

// errNoArchive is a file that is no zip file.
var errNoArchive = errors.New("this is no zip file")

// directory is where the directory of an archive is.
type directory struct {
	start, size int64
	base        int64 // where the archive begins, if something is before it
}

// findDirectory finds the directory of an archive by what is written at its end.
func findDirectory(from io.ReaderAt, size int64) (directory, error) {
	tail := make([]byte, min(size, endLength+maxComment))
	if n, err := from.ReadAt(tail, size-int64(len(tail))); n < len(tail) {
		return directory{}, errors.Join(errNoArchive, err)
	}
	at := -1
	for i := len(tail) - endLength; i >= 0; i-- {
		if binary.LittleEndian.Uint32(tail[i:]) == endMark && i+endLength+int(binary.LittleEndian.Uint16(tail[i+20:])) <= len(tail) {
			at = i
			break
		}
	}
	if at < 0 {
		return directory{}, errNoArchive
	}
	end := size - int64(len(tail)) + int64(at)
	length, offset := int64(binary.LittleEndian.Uint32(tail[at+12:])), int64(binary.LittleEndian.Uint32(tail[at+16:]))
	if length == in64 || offset == in64 || binary.LittleEndian.Uint16(tail[at+10:]) == 1<<16-1 {
		if longEnd, l, o, ok := findLongEnd(from, end); ok {
			end, length, offset = longEnd, l, o
		}
	}
	d := directory{start: end - length, size: length, base: end - length - offset}
	if d.start < 0 || offset < 0 || d.base < 0 {
		return d, errNoArchive
	}
	if mark := make([]byte, 4); d.base > 0 { // some writers forget what is before the archive
		if n, _ := from.ReadAt(mark, offset); n == 4 && binary.LittleEndian.Uint32(mark) == entryMark {
			d.start, d.base = offset, 0
		}
	}
	return d, nil
}

// findLongEnd reads the longer form of the end, for archives with many or large files.
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

// find looks for the entry of a name and returns it as it is written, or nil. It holds one entry at a time, however many there are.
func (d directory) find(from io.ReaderAt, name string) ([]byte, error) {
	in := bufio.NewReaderSize(io.NewSectionReader(from, d.start, d.size), directoryBuf)
	head := make([]byte, entryLength)
	for range maxEntries {
		if _, err := io.ReadFull(in, head); err != nil {
			return nil, ended(err)
		}
		if binary.LittleEndian.Uint32(head) != entryMark {
			return nil, nil
		}
		named := int(binary.LittleEndian.Uint16(head[28:]))
		rest := int(binary.LittleEndian.Uint16(head[30:])) + int(binary.LittleEndian.Uint16(head[32:]))
		if named != len(name) {
			if _, err := in.Discard(named + rest); err != nil {
				return nil, ended(err)
			}
			continue
		}
		if text, err := in.Peek(named); err != nil || string(text) != name { // no name is longer than the buffer
			if _, err := in.Discard(named + rest); err != nil {
				return nil, ended(err)
			}
			continue
		}
		entry := make([]byte, entryLength+named+rest)
		copy(entry, head)
		if _, err := io.ReadFull(in, entry[entryLength:]); err != nil {
			return nil, ended(err)
		}
		return entry, nil
	}
	return nil, nil
}

// ended takes a directory that breaks off for one that has no more entries.
func ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// single is an archive with a directory of one entry, so that the library need not read the directory with all.
type single struct {
	from io.ReaderAt
	cut  int64 // where the directory began
	end  *bytes.Reader
}

// only makes it of an entry as it is written.
func (d directory) only(from io.ReaderAt, entry []byte) (single, int64) {
	out := bytes.NewBuffer(entry)
	le := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(out, binary.LittleEndian, v) // into memory, so it cannot fail
		}
	}
	length := uint64(len(entry))
	end := uint64(d.start) + length
	le(uint32(end64Mark), uint64(end64Length-12), uint16(45), uint16(45), uint32(0), uint32(0), uint64(1), uint64(1), length, uint64(d.start-d.base))
	le(uint32(locatorMark), uint32(0), end, uint32(1))
	le(uint32(endMark), uint16(0), uint16(0), uint16(1), uint16(1), uint32(in64), uint32(in64), uint16(0))
	return single{from, d.start, bytes.NewReader(out.Bytes())}, d.start + int64(out.Len())
}

// ReadAt reads the files out of the archive and the directory out of memory.
func (s single) ReadAt(p []byte, offset int64) (int, error) {
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
