package git

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// graph is the commit graph that git writes for a repository: the parents, the depth and the time of commits, which are
// numbered. It lacks the commits of the last pushes. The newest layer is the last.
type graph struct {
	layers []*layer
	starts []int // the number of the first commit of each layer
	size   int
}

// layer is one file of a graph. Git never changes such a file, and names it by its content.
type layer struct {
	count   int
	below   int    // number of layers below it
	fanout  []byte // how many ids begin with at most that byte
	ids     []byte // sorted
	commits []byte
	edges   []byte // parents of commits with more than two
}

const (
	graphFolder = "objects/info/commit-graphs"
	graphChain  = "commit-graph-chain"
	maxGraph    = 256 << 20 // largest part of a layer that is read, in bytes

	idBytes     = 20
	fanoutBytes = 256 * 4
	commitSize  = idBytes + 16

	parentNone = 0x70000000
	parentMore = 0x80000000 // the other parents are in the edges
	edgeMask   = 0x7fffffff
)

var errGraph = errors.New("the commit graph cannot be read")

// graph reads the commit graph. It is empty if none can be read.
func (r Repo) graph() graph {
	for range 2 { // git may merge layers between two reads
		g, err := r.readGraph()
		if err == nil {
			return g
		}
	}
	return graph{}
}

func (r Repo) readGraph() (graph, error) {
	var g graph
	chain, err := os.ReadFile(filepath.Join(r.dir, graphFolder, graphChain))
	if errors.Is(err, os.ErrNotExist) {
		return g, nil
	}
	if err != nil {
		return g, err
	}
	for _, name := range strings.Fields(string(chain)) {
		if !IsID(name) {
			return g, errGraph
		}
		l, ok := r.all.cache.graphs.Get(r.dir + name)
		if !ok {
			if l, err = readLayer(filepath.Join(r.dir, graphFolder, "graph-"+name+".graph")); err != nil {
				return g, err
			}
			r.all.cache.graphs.Set(r.dir+name, l)
		}
		if l.below != len(g.layers) {
			return g, errGraph
		}
		g.layers, g.starts, g.size = append(g.layers, l), append(g.starts, g.size), g.size+l.count
	}
	return g, nil
}

// readLayer reads the parts of a file that describe how commits are connected.
func readLayer(name string) (*layer, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head := make([]byte, 8)
	if _, err := file.ReadAt(head, 0); err != nil {
		return nil, err
	}
	if string(head[:4]) != "CGPH" || head[4] != 1 || head[5] != 1 {
		return nil, errGraph
	}
	table := make([]byte, (int(head[6])+1)*12)
	if _, err := file.ReadAt(table, 8); err != nil {
		return nil, err
	}
	l := &layer{below: int(head[7])}
	for ; len(table) > 12; table = table[12:] {
		part := map[string]*[]byte{"OIDF": &l.fanout, "OIDL": &l.ids, "CDAT": &l.commits, "EDGE": &l.edges}[string(table[:4])]
		if part == nil {
			continue
		}
		from, to := binary.BigEndian.Uint64(table[4:]), binary.BigEndian.Uint64(table[16:])
		if from > to || to-from > maxGraph {
			return nil, errGraph
		}
		*part = make([]byte, to-from)
		if _, err := io.ReadFull(io.NewSectionReader(file, int64(from), int64(to-from)), *part); err != nil {
			return nil, err
		}
	}
	return l, l.check()
}

// check counts the commits, and checks that all parts have a size that matches.
func (l *layer) check() error {
	if len(l.fanout) != fanoutBytes {
		return errGraph
	}
	last := 0
	for i := range 256 {
		n := l.upTo(byte(i))
		if n < last {
			return errGraph
		}
		last = n
	}
	l.count = last
	if len(l.ids) != l.count*idBytes || len(l.commits) != l.count*commitSize || len(l.edges)%4 != 0 {
		return errGraph
	}
	return nil
}

// upTo returns how many ids begin with at most that byte.
func (l *layer) upTo(first byte) int {
	return int(binary.BigEndian.Uint32(l.fanout[int(first)*4:]))
}

// bytes returns how much memory a layer uses.
func (l *layer) bytes() int { return len(l.ids) + len(l.commits) + len(l.edges) + fanoutBytes }

// find returns the number of a commit.
func (g graph) find(id string) (int, bool) {
	raw, ok := rawID(id)
	if !ok {
		return 0, false
	}
	for i := len(g.layers) - 1; i >= 0; i-- {
		if n, ok := g.layers[i].find(raw); ok {
			return g.starts[i] + n, true
		}
	}
	return 0, false
}

// rawID returns an id as bytes.
func rawID(id string) (raw [idBytes]byte, ok bool) {
	if len(id) != 2*idBytes {
		return raw, false
	}
	for i := range raw {
		high, low := hexValues[id[2*i]], hexValues[id[2*i+1]]
		if high|low > 15 {
			return raw, false
		}
		raw[i] = high<<4 | low
	}
	return raw, true
}

// hexValues are the values of hexadecimal digits, and 255 for all other characters.
var hexValues = func() (values [256]byte) {
	for c := range values {
		values[c] = 255
	}
	for value, c := range "0123456789abcdef" {
		values[c] = byte(value)
	}
	return values
}()

func (l *layer) find(id [idBytes]byte) (int, bool) {
	from, to := 0, l.upTo(id[0])
	if id[0] > 0 {
		from = l.upTo(id[0] - 1)
	}
	for from < to {
		n := (from + to) / 2
		switch order := bytes.Compare(l.ids[n*idBytes:(n+1)*idBytes], id[:]); {
		case order == 0:
			return n, true
		case order < 0:
			from = n + 1
		default:
			to = n
		}
	}
	return 0, false
}

// commit returns the part of a layer that describes a commit: its tree, two parents, its depth and time.
func (g graph) commit(n int) (*layer, []byte) {
	i := len(g.layers) - 1
	for g.starts[i] > n {
		i--
	}
	n -= g.starts[i]
	return g.layers[i], g.layers[i].commits[n*commitSize : (n+1)*commitSize]
}

// depth returns the depth of a commit, which is greater than the depth of all its ancestors. It is 0 if git has not
// stored it.
func (g graph) depth(n int) int {
	_, data := g.commit(n)
	return int(binary.BigEndian.Uint32(data[28:]) >> 2)
}

// when returns the time of a commit.
func (g graph) when(n int) int64 {
	_, data := g.commit(n)
	return int64(binary.BigEndian.Uint64(data[28:]) & (1<<34 - 1))
}

// parents appends the parents of a commit. It returns false if the file is damaged.
func (g graph) parents(n int, to []int) ([]int, bool) {
	l, data := g.commit(n)
	first, second := binary.BigEndian.Uint32(data[20:]), binary.BigEndian.Uint32(data[24:])
	if first == parentNone {
		return to, true
	}
	to = append(to, int(first))
	switch {
	case second == parentNone:
	case second&parentMore == 0:
		to = append(to, int(second))
	default:
		for at := int(second & edgeMask); ; at++ {
			if 4*at >= len(l.edges) {
				return to, false
			}
			edge := binary.BigEndian.Uint32(l.edges[4*at:])
			to = append(to, int(edge&edgeMask))
			if edge&parentMore != 0 {
				break
			}
		}
	}
	for _, p := range to {
		if p >= g.size {
			return to, false
		}
	}
	return to, true
}
