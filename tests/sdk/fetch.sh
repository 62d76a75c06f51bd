npm init --yes
npm pkg set type=module
npm install openapi-fetch@0.17.0
npm install --save-dev openapi-typescript@7.13.0 typescript@5.9.3 @types/node@20
npx openapi-typescript "$URL/api/v4/openapi.json?view=sdk" --output api.d.ts
npx tsc
node main.js
