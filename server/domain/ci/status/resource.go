package status

// Contender is a job that waits for a resource group.
type Contender struct {
	JobID      int64
	PipelineID int64
	Ready      bool // the job waits for nothing but the resource
}

// NextForResource returns the index of the job that gets a free resource, or -1 if no job gets it now. Mode is the
// process mode of the resource group:
//
//	unordered           the oldest job that is ready
//	oldest_first        the oldest pipeline, even if its job is not ready yet
//	newest_first        the newest pipeline, even if its job is not ready yet
//	newest_ready_first  the newest pipeline with a job that is ready
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
