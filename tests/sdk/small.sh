go mod init example.com/tool
curl -fsS -o go-client.yaml "$URL/-/docs/go-client.yaml"
go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.1 -config go-client.yaml "$URL/api/v4/openapi.json?view=sdk"
go mod tidy
go run .
