package key

import "context"

// Subkeys is the background job that reads the subkeys of old GPG keys. These keys were added before subkeys had rows
// of their own.
type Subkeys struct{}

// Kind names the job in the queue.
func (Subkeys) Kind() string { return "read_gpg_subkeys" }

// ReadSubkeys reads the subkeys of old GPG keys. A key that cannot be parsed any more gets no subkeys.
func (s *Service) ReadSubkeys(ctx context.Context, _ Subkeys) error {
	for {
		rows, err := s.store.GPGKeys.WithoutSubkeys(ctx, 100)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			_, found, _ := readGPG(row.Key)
			if err := s.store.GPGKeys.SetSubkeys(ctx, row.ID, found); err != nil {
				return err
			}
		}
	}
}
