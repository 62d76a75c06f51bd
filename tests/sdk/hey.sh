npm init --yes
npm pkg set type=module
npm install --save-dev @hey-api/openapi-ts@0.95.0 typescript@5.9.3 @types/node@20
npx @hey-api/openapi-ts --input "$URL/api/v4/openapi.json?view=sdk" --output client
npx tsc
node main.js
