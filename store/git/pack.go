package git

import (
	"bufio"
	"bytes"
	"crypto/sha1" //nolint:gosec // git's ids are made so
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// The kinds of objects, as packs number them.
var packKinds = map[string]byte{KindCommit: 1, KindTree: 2, KindBlob: 3, "tag": 4}

// packed is the position of an object in a pack.
type packed struct {
	id     string
	sum    uint32
	offset uint32
}

// writePack writes objects, sorted by their ids, into one pack with its index. Both are on disk when it returns. The
// pack gets its name before the index, because git looks for indexes.
func writePack(folder string, ids []string, objects map[string]pendingObject) error {
	var index []packed
	var end []byte // the checksum of the pack
	pack, err := writeSynced(folder, "tmp_pack_", func(to io.Writer) error {
		sum := sha1.New() //nolint:gosec // git's format
		w := &counter{to: io.MultiWriter(to, sum)}
		fmt.Fprintf(w, "PACK%s", binary.BigEndian.AppendUint32([]byte{0, 0, 0, 2}, uint32(len(ids))))
		for _, id := range ids {
			at := packed{id: id, offset: uint32(w.n)}
			check := crc32.NewIEEE()
			if err := writePacked(io.MultiWriter(w, check), objects[id]); err != nil {
				return err
			}
			at.sum = check.Sum32()
			index = append(index, at)
		}
		end = sum.Sum(nil)
		_, err := w.Write(end)
		return err
	})
	if err != nil {
		return err
	}
	defer os.Remove(pack)
	table, err := writeSynced(folder, "tmp_idx_", func(to io.Writer) error { return writeIndex(to, index, end) })
	if err != nil {
		return err
	}
	defer os.Remove(table)
	name := filepath.Join(folder, "pack-"+hex.EncodeToString(end))
	return errors.Join(os.Rename(pack, name+".pack"), os.Rename(table, name+".idx"), syncFolder(folder))
}

// writePacked writes the header of an object and its compressed content.
func writePacked(to io.Writer, o pendingObject) error {
	size := len(o.data)
	head := []byte{packKinds[o.kind]<<4 | byte(size&15)}
	for size >>= 4; size > 0; size >>= 7 {
		head[len(head)-1] |= 0x80
		head = append(head, byte(size&0x7f))
	}
	_, err := to.Write(head)
	return errors.Join(err, deflate(to, o.data))
}

// writeIndex writes the index of a pack in version 2.
func writeIndex(to io.Writer, objects []packed, pack []byte) error {
	var b bytes.Buffer
	b.WriteString("\xfftOc\x00\x00\x00\x02")
	number := func(n uint32) { b.Write(binary.BigEndian.AppendUint32(nil, n)) }
	at := 0
	for first := range 256 { // how many ids begin with this byte or a smaller one
		for at < len(objects) && objects[at].id[:2] <= fmt.Sprintf("%02x", first) {
			at++
		}
		number(uint32(at))
	}
	for _, o := range objects {
		id, err := hex.DecodeString(o.id)
		if err != nil {
			return err
		}
		b.Write(id)
	}
	for _, o := range objects {
		number(o.sum)
	}
	for _, o := range objects {
		number(o.offset)
	}
	b.Write(pack)
	sum := sha1.Sum(b.Bytes()) //nolint:gosec // git's format
	b.Write(sum[:])
	_, err := to.Write(b.Bytes())
	return err
}

// writeSynced writes a read-only file with a unique name. The file is on disk when writeSynced returns.
func writeSynced(folder, pattern string, write func(io.Writer) error) (string, error) {
	file, err := os.CreateTemp(folder, pattern)
	if err != nil {
		return "", err
	}
	w := bufio.NewWriter(file)
	if err := errors.Join(write(w), w.Flush(), file.Chmod(0o400), file.Sync(), file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}

// counter counts the bytes that are written.
type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(data []byte) (int, error) {
	n, err := c.to.Write(data)
	c.n += int64(n)
	return n, err
}

// deflaters are reused: a new one takes a megabyte of memory.
var deflaters = sync.Pool{New: func() any {
	z, err := zlib.NewWriterLevel(nil, zlib.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return z
}}

// deflate writes data in the zlib format.
func deflate(to io.Writer, parts ...[]byte) error {
	z := deflaters.Get().(*zlib.Writer)
	defer deflaters.Put(z)
	z.Reset(to)
	for _, part := range parts {
		if _, err := z.Write(part); err != nil {
			return err
		}
	}
	return z.Close()
}
