package server

import (
	"context"
	"errors"

	"svc/server/domain/filemove"
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/config"
	"svc/store"
	"svc/store/blob"
	"svc/store/lfs"
)

// FileMove returns the move of all files into the bucket of the settings, or out of it into the data folder. Git LFS
// objects that leave the bucket go to the given storage.
func FileMove(ctx context.Context, cfg config.Config, st *store.Store, intoBucket bool, storage string) (*filemove.Move, error) {
	if cfg.BlobURL == "" {
		return nil, errors.New("set SVC_BLOB_URL to the bucket, also to move files out of it")
	}
	opened, err := blob.Open(cfg.BlobURL, BlobFolder(cfg))
	if err != nil {
		return nil, err
	}
	bucket, ok := opened.(blob.Bucket)
	if !ok {
		return nil, errors.New("SVC_BLOB_URL does not name a bucket")
	}
	folder, err := blob.Open("", BlobFolder(cfg))
	if err != nil {
		return nil, err
	}
	large, err := lfs.Open(cfg.Roots())
	if err != nil {
		return nil, err
	}
	instance, err := st.Instance.Get(ctx)
	if err != nil {
		return nil, err
	}
	marks, err := lifecycle.Marks(cfg.Roots(), instance.ID)
	if err != nil {
		return nil, err
	}
	large.Guard(marks)
	large.WithBucket(bucket, lfsDrafts(cfg))
	if intoBucket {
		return &filemove.Move{Store: st, From: folder, To: bucket, LFS: large, Storage: lfs.InBucket}, nil
	}
	if marks[storage] == nil {
		return nil, errors.New("there is no storage " + storage)
	}
	return &filemove.Move{Store: st, From: bucket, To: folder, LFS: large, Storage: storage}, nil
}
