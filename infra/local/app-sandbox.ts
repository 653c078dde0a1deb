import { createServer } from 'node:http'
import { sandboxHeaders, sandboxPage } from '../aws/app-sandbox-page.ts'
import { listen, type LocalServer } from './listen.ts'

/**
 * Serves the document that shows apps of MCP servers, on a port of its own: a second origin, as the second distribution is on AWS.
 * @param pageOrigin the one origin that may embed it
 */
export async function startAppSandbox(pageOrigin: string): Promise<LocalServer> {
  const headers = sandboxHeaders({ frameAncestors: pageOrigin })
  const server = createServer((request, response) => {
    request.resume()
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
      return
    }
    response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(sandboxPage) })
    response.end(request.method === 'HEAD' ? undefined : sandboxPage)
  })
  return listen(server)
}
