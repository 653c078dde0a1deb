import { request } from 'node:http'

/**
 * The command that the suite starts for each scenario: `client.ts <port of the product> <url of the scenario's server>`. The product runs
 * in one process for all of them, so this one only passes the scenario on.
 */
const [port, url = ''] = process.argv.slice(2)
const body = JSON.stringify({
  url,
  scenario: process.env['MCP_CONFORMANCE_SCENARIO'],
  context: JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as unknown,
})
request({ port, host: '127.0.0.1', method: 'POST' }, (response) => {
  const succeeded = response.statusCode === 200
  response.pipe(succeeded ? process.stdout : process.stderr)
  process.exitCode = succeeded ? 0 : 1
}).end(body)
