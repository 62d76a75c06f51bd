go mod init example.com/tool
go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.1 \
  -templates "$CLONE/docs/go-client" -generate models,client \
  -package api -o api/api.gen.go "$URL/api/v4/openapi.json?view=sdk"
go mod tidy
go run .
