import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { checkSiteBuild, siteFolder as webDist } from '../aws/site-build.ts'
import { projectRoot } from './settings.ts'

export { webDist }

/**
 * Builds the page when it is missing or older than its sources. Builds into a temporary folder first, so that a running product never
 * serves half a build.
 * @throws Error when the build fails; the terminal shows its output
 */
export async function ensureWebBuild(): Promise<void> {
  if ((await checkSiteBuild()) === 'current') return
  const cache = join(projectRoot, 'node_modules/.cache')
  const fresh = join(cache, `web-${process.pid}`)
  const old = join(cache, `web-${process.pid}-old`)
  await mkdir(cache, { recursive: true })
  process.stderr.write('Building the page…\n')
  await vite(['build', 'web', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'error'])
  await rename(webDist, old).catch(ignore('ENOENT'))
  // another process may have finished the same build
  await rename(fresh, webDist).catch(ignore('ENOTEMPTY'))
  await rm(old, { recursive: true, force: true })
  await rm(fresh, { recursive: true, force: true })
}

async function vite(options: string[]): Promise<void> {
  const program = join(projectRoot, 'node_modules/vite/bin/vite.js')
  const child = spawn(process.execPath, [program, ...options], {
    cwd: projectRoot,
    // in the environment of a test, Vite would build React's development version
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('The page could not be built.')
}

const ignore = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error
}
