import { startLocal } from './start-local.ts'
import { pageHandler } from './page-handler.ts'
import { runInTerminal } from './terminal.ts'
import { ensureWebBuild, webDist } from './web-build.ts'

/** The product with the page as it is deployed. `--no-build` serves what is in web/dist, if anything. */
await runInTerminal(async (settings) => {
  if (!process.argv.includes('--no-build')) await ensureWebBuild()
  return startLocal(settings, { page: async () => pageHandler(webDist) })
})
