import './load-env.ts'
import { join } from 'node:path'
import { createServer as createViteServer } from 'vite'
import { isDiagramFramePath } from '#shared/diagram-frame.ts'
import { projectRoot } from './settings.ts'
import { startLocal } from './start-local.ts'
import { pageHandler } from './page-handler.ts'
import { runInTerminal } from './terminal.ts'
import { webDist } from './web-build.ts'

/**
 * `npm run dev`: the page through Vite's development server on the same port, with hot reload. Functions are watched by Node
 * itself (`node --watch`), which restarts this process when one of their files changes.
 */
await runInTerminal((settings) =>
  startLocal(settings, {
    graceMs: 0,
    relaxHeaders: relaxForVite,
    async page(server) {
      const root = join(projectRoot, 'web')
      const vite = await createViteServer({
        root,
        appType: 'spa',
        // bundled into a temporary file, the configuration would look like a changed file to node --watch
        configLoader: 'native',
        server: { middlewareMode: true, hmr: { server } },
      })
      // Vite serves modules to its own origin only, and the frame has an opaque origin: diagrams come from the last build
      const handleBuilt = pageHandler(webDist)
      return (request, response, url) => {
        if (isDiagramFramePath(url.pathname)) return handleBuilt(request, response, url)
        return new Promise((resolve, reject) => {
          response.on('close', resolve)
          vite.middlewares(request, response, (error: unknown) => {
            if (error) reject(error instanceof Error ? error : new Error('Vite failed', { cause: error }))
            else response.writeHead(404).end()
          })
        })
      }
    },
  }),
)

/** Vite puts a script into the page and talks to it over a socket. */
function relaxForVite(headers: Record<string, string>): Record<string, string> {
  const policy = headers['content-security-policy'] ?? ''
  return {
    ...headers,
    'content-security-policy': policy
      .replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
      .replace("connect-src 'self'", `connect-src 'self' ws://127.0.0.1:* ws://localhost:*`),
  }
}
