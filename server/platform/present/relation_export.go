package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// RelationExport presents one relation of an export, which has files once it is written.
func RelationExport(relation string, e model.RelationExport, files []model.RelationExportFile) gen.RelationExport {
	shown := gen.RelationExport{
		Relation: relation, Status: gen.RelationExportStatusN0, UpdatedAt: wire.NewTime(e.UpdatedAt), Batched: e.Batched,
	}
	if len(files) == 0 && e.State == model.ExportFailed {
		shown.Status, shown.Error = gen.RelationExportStatusMinus1, e.Error
	}
	batches := []gen.RelationExportBatch{}
	for _, file := range files {
		shown.Status, shown.UpdatedAt = gen.RelationExportStatusN1, wire.NewTime(file.CreatedAt)
		shown.TotalObjectsCount += file.Records
		batches = append(batches, gen.RelationExportBatch{
			Status: gen.RelationExportBatchStatusN1, BatchNumber: file.BatchNumber, ObjectsCount: file.Records,
			UpdatedAt: wire.NewTime(file.CreatedAt),
		})
	}
	if e.Batched {
		shown.BatchesCount, shown.Batches = int64(len(batches)), &batches
	}
	return shown
}
