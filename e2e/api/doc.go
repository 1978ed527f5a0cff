// Package api holds the contract tests of dormoused: the built program on SQLite and on
// PostgreSQL, asked by the official SDKs as they come, and by requests that no SDK
// would make. Whatever it answers is held against the OpenAPI files of both SDK
// generations. scripts/test-api.sh installs the TypeScript SDKs and runs all of it.
package api
