package git

import "svc/store/kept"

// cache holds what follows from ids alone, so it is never stale. Keys include the repository, because an object in one
// repository need not exist in another.
type cache struct {
	kinds   kept.Cache[string]
	trees   kept.Cache[[]Entry]
	commits kept.Cache[Commit]
	logs    kept.Cache[[]string] // a part of a log
	bases   kept.Cache[string]
	steps   kept.Cache[string] // the commit that a revision like id~2 leads to
	stats   kept.Cache[Stats]
	merged  kept.Cache[bool]
	tags    kept.Cache[Tag]    // without their names
	last    kept.Cache[string] // the last commit of a path
	digests kept.Cache[string] // SHA-256 of a blob
	authors kept.Cache[[]Author]
	counted kept.Cache[string] // by repository: the last commit whose authors were counted
	behind  kept.Cache[string] // a commit that has this object in its history
	patches kept.Cache[string] // patch ids, by two commits
	reached kept.Cache[bool]   // whether refs lead to an object, by the ids of all refs
	files   kept.Cache[fileIDs]
	blobs   kept.Cache[[]byte]     // the content of small blobs
	sound   kept.Cache[state]      // by repository: the state of HEAD when it was last read
	packed  kept.Cache[packedRefs] // by repository: the packed refs as they were last read
	graphs  kept.Cache[*layer]     // layers of commit graphs, by their names
	holding kept.Cache[[]bool]     // which refs lead to a commit, by the state of these refs
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
	packedBytes = 16 << 20
	graphBytes  = 64 << 20
	holdBytes   = 8 << 20
	entryCost   = 120 // approximate bytes of a tree entry
)

func newCache() *cache {
	return &cache{
		kinds:   kept.WithMaxEntries[string](20000),
		bases:   kept.WithMaxEntries[string](10000),
		steps:   kept.WithMaxEntries[string](10000),
		stats:   kept.WithMaxEntries[Stats](20000),
		merged:  kept.WithMaxEntries[bool](20000),
		counted: kept.WithMaxEntries[string](10000),
		behind:  kept.WithMaxEntries[string](20000),
		reached: kept.WithMaxEntries[bool](20000),
		patches: kept.WithMaxEntries[string](20000),
		files:   kept.WithMaxBytes(fileBytes, func(_ string, ids fileIDs) int { return len(ids)*20 + entryCost }),
		blobs:   kept.WithMaxBytes(blobBytes, func(_ string, data []byte) int { return len(data) + entryCost }),
		authors: kept.WithMaxBytes(authorBytes, func(_ string, a []Author) int { return len(a)*entryCost + entryCost }),
		logs:    kept.WithMaxBytes(logBytes, func(_ string, ids []string) int { return len(ids)*2*len(Zero) + entryCost }),
		tags:    kept.WithMaxBytes(tagBytes, func(_ string, t Tag) int { return len(t.Message) + 2*entryCost }),
		last:    kept.WithMaxBytes(lastBytes, func(key, _ string) int { return len(key) + entryCost }),
		digests: kept.WithMaxEntries[string](10000),
		sound:   kept.WithMaxEntries[state](20000),
		packed:  kept.WithMaxBytes(packedBytes, func(_ string, p packedRefs) int { return p.bytes() }),
		graphs:  kept.WithMaxBytes(graphBytes, func(_ string, l *layer) int { return l.bytes() }),
		holding: kept.WithMaxBytes(holdBytes, func(_ string, held []bool) int { return len(held) + 2*entryCost }),
		trees:   kept.WithMaxBytes(treeBytes, func(_ string, e []Entry) int { return len(e)*entryCost + entryCost }),
		commits: kept.WithMaxBytes(commitBytes, func(_ string, c Commit) int { return len(c.Message) + 4*entryCost }),
	}
}

func (c *cache) kind(dir, id string) (string, bool) { return c.kinds.Get(dir + id) }

func (c *cache) setKind(dir, id, kind string) { c.kinds.Set(dir+id, kind) }
