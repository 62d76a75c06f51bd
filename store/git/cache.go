package git

import "github.com/maypok86/otter/v2"

// cache keeps what follows from ids alone and so is never stale. Keys name the repository, too: that another one has an
// object says nothing about this one.
type cache struct {
	kinds   *otter.Cache[string, string]
	trees   *otter.Cache[string, []Entry]
	commits *otter.Cache[string, Commit]
	logs    *otter.Cache[string, []string] // some commits of a log
	bases   *otter.Cache[string, string]
	steps   *otter.Cache[string, string] // the commit that steps from an id lead to
	stats   *otter.Cache[string, Stats]
	merged  *otter.Cache[string, bool]
	tags    *otter.Cache[string, Tag]    // without their names
	last    *otter.Cache[string, string] // the last commit of a path
	digests *otter.Cache[string, string] // SHA-256 of a blob
	authors *otter.Cache[string, []Author]
	counted *otter.Cache[string, string] // by repository: a commit whose authors were counted, to go on from
	behind  *otter.Cache[string, string] // a commit that has this object in its history
	reached *otter.Cache[string, bool]   // whether refs lead to an object, by the ids of all refs
	files   *otter.Cache[string, fileIDs]
	blobs   *otter.Cache[string, []byte] // the content of small ones
}

const (
	treeBytes   = 16 << 20
	commitBytes = 16 << 20
	tagBytes    = 8 << 20
	logBytes    = 8 << 20
	lastBytes   = 4 << 20
	authorBytes = 16 << 20
	fileBytes   = 16 << 20
	blobBytes   = 24 << 20
	entryCost   = 120 // bytes of a tree's entry, about
)

func newCache() *cache {
	return &cache{
		kinds:   otter.Must(&otter.Options[string, string]{MaximumSize: 20000}),
		bases:   otter.Must(&otter.Options[string, string]{MaximumSize: 10000}),
		steps:   otter.Must(&otter.Options[string, string]{MaximumSize: 10000}),
		stats:   otter.Must(&otter.Options[string, Stats]{MaximumSize: 20000}),
		merged:  otter.Must(&otter.Options[string, bool]{MaximumSize: 20000}),
		counted: otter.Must(&otter.Options[string, string]{MaximumSize: 10000}),
		behind:  otter.Must(&otter.Options[string, string]{MaximumSize: 20000}),
		reached: otter.Must(&otter.Options[string, bool]{MaximumSize: 20000}),
		files: otter.Must(&otter.Options[string, fileIDs]{
			MaximumWeight: fileBytes,
			Weigher:       func(_ string, ids fileIDs) uint32 { return uint32(len(ids)*20 + entryCost) },
		}),
		blobs: otter.Must(&otter.Options[string, []byte]{
			MaximumWeight: blobBytes,
			Weigher:       func(_ string, data []byte) uint32 { return uint32(len(data) + entryCost) },
		}),
		authors: otter.Must(&otter.Options[string, []Author]{
			MaximumWeight: authorBytes,
			Weigher:       func(_ string, a []Author) uint32 { return uint32(len(a)*entryCost + entryCost) },
		}),
		logs: otter.Must(&otter.Options[string, []string]{
			MaximumWeight: logBytes,
			Weigher:       func(_ string, ids []string) uint32 { return uint32(len(ids)*2*len(Zero) + entryCost) },
		}),
		tags: otter.Must(&otter.Options[string, Tag]{
			MaximumWeight: tagBytes,
			Weigher:       func(_ string, t Tag) uint32 { return uint32(len(t.Message) + 2*entryCost) },
		}),
		last: otter.Must(&otter.Options[string, string]{
			MaximumWeight: lastBytes,
			Weigher:       func(key, _ string) uint32 { return uint32(len(key) + entryCost) },
		}),
		digests: otter.Must(&otter.Options[string, string]{MaximumSize: 10000}),
		trees: otter.Must(&otter.Options[string, []Entry]{
			MaximumWeight: treeBytes,
			Weigher:       func(_ string, e []Entry) uint32 { return uint32(len(e)*entryCost + entryCost) },
		}),
		commits: otter.Must(&otter.Options[string, Commit]{
			MaximumWeight: commitBytes,
			Weigher:       func(_ string, c Commit) uint32 { return uint32(len(c.Message) + 4*entryCost) },
		}),
	}
}

func (c *cache) kind(dir, id string) (string, bool) { return c.kinds.GetIfPresent(dir + id) }

func (c *cache) setKind(dir, id, kind string) { c.kinds.Set(dir+id, kind) }
