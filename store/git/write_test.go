package git

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A repack removes empty folders of objects, also those in which an object is about to be written.
func TestObjectsAreWrittenWhileEmptyFoldersAreRemoved(t *testing.T) {
	t.Parallel()
	objects := t.TempDir()
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			default:
			}
			folders, _ := filepath.Glob(filepath.Join(objects, "??"))
			for _, folder := range folders {
				_ = os.Remove(folder) // fails if it is not empty
			}
		}
	}()
	for n := range 200 {
		id, err := writeLoose(objects, KindBlob, fmt.Append(nil, n))
		if err != nil {
			t.Error(err)
			break
		}
		if err := os.Remove(filepath.Join(objects, id[:2], id[2:])); err != nil {
			t.Error(err)
		}
	}
	close(done)
	<-ended
}
