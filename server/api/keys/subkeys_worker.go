package keys

import (
	"context"

	"svc/store"
)

// Subkeys is the background job that reads the subkeys of old GPG keys. These keys were added before subkeys had rows
// of their own.
type Subkeys struct{}

// Kind names the job in the queue.
func (Subkeys) Kind() string { return "read_gpg_subkeys" }

// ReadSubkeys returns the function that runs a Subkeys job. A key that cannot be parsed any more gets no subkeys.
func ReadSubkeys(st *store.Store) func(context.Context, Subkeys) error {
	return func(ctx context.Context, _ Subkeys) error {
		for {
			rows, err := st.GPGKeys.WithoutSubkeys(ctx, 100)
			if err != nil || len(rows) == 0 {
				return err
			}
			for _, row := range rows {
				_, found, _ := readGPG(row.Key)
				if err := st.GPGKeys.SetSubkeys(ctx, row.ID, found); err != nil {
					return err
				}
			}
		}
	}
}
