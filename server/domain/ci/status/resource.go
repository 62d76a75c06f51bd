package status

// Contender is a job that waits for a resource group.
type Contender struct {
	JobID      int64
	PipelineID int64
	Ready      bool // everything before it is done: it waits for nothing else
}

// NextForResource is the job that gets a free resource: its place in the list, or -1 if nobody gets it now. Mode is the
// resource group's.
//
//	unordered           whoever is ready, the oldest first
//	oldest_first        the oldest pipeline, even if that has to be waited for
//	newest_first        the newest pipeline, even if that has to be waited for
//	newest_ready_first  the newest of those that are ready
func NextForResource(mode string, waiting []Contender) int {
	best := -1
	for i, c := range waiting {
		mustBeReady := mode == "unordered" || mode == "" || mode == "newest_ready_first"
		if mustBeReady && !c.Ready {
			continue
		}
		if best < 0 || c.comesBefore(waiting[best], mode) {
			best = i
		}
	}
	if best >= 0 && !waiting[best].Ready {
		return -1
	}
	return best
}

func (c Contender) comesBefore(other Contender, mode string) bool {
	newest := mode == "newest_first" || mode == "newest_ready_first"
	if c.PipelineID != other.PipelineID {
		return (c.PipelineID > other.PipelineID) == newest
	}
	return c.JobID < other.JobID
}
