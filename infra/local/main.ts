import './load-env.ts'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findBundle } from './bundle.ts'

/** `npm start`: runs the product from its bundle, which starts in a third of the time of its sources. Errors name the sources. */
const folder = await findBundle().catch((error: unknown) => {
  process.stderr.write(
    `The product runs from its sources, because they could not be bundled: ${String(error)}\n`,
  )
})
if (folder === undefined) await import('./start.ts')
else {
  process.setSourceMapsEnabled(true)
  enableCompileCache(join(folder, 'compiled'))
  await import(pathToFileURL(join(folder, 'product.mjs')).href)
  // a product may be killed
  flushCompileCache()
}
