import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from './settings.ts'

export const webDist = join(projectRoot, 'web/dist')

/** What the page is made of. */
const sources = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'shared',
  'package-lock.json',
]

/**
 * Builds the page when it is missing or older than its sources. The build lies in a folder of its own until it is complete, so that
 * a copy of the product that runs meanwhile never serves half of one.
 * @throws Error when the build fails; its output is on the terminal
 */
export async function ensureWebBuild(): Promise<void> {
  const builtAtMs = (await stat(join(webDist, 'index.html')).catch(() => undefined))?.mtimeMs ?? 0
  const changedAtMs = Math.max(
    ...(await Promise.all(sources.map((source) => newest(join(projectRoot, source))))),
  )
  if (builtAtMs > changedAtMs) return
  const cache = join(projectRoot, 'node_modules/.cache')
  const fresh = join(cache, `web-${process.pid}`)
  const old = join(cache, `web-${process.pid}-old`)
  await mkdir(cache, { recursive: true })
  process.stderr.write('Building the page…\n')
  await vite(['build', 'web', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'])
  await rename(webDist, old).catch(ignore('ENOENT'))
  // another copy may have put its own build there in between, which is as good
  await rename(fresh, webDist).catch(ignore('ENOTEMPTY'))
  await rm(old, { recursive: true, force: true })
  await rm(fresh, { recursive: true, force: true })
}

async function newest(path: string): Promise<number> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats) return 0
  if (!stats.isDirectory()) return path.endsWith('.test.ts') || path.endsWith('.test.tsx') ? 0 : stats.mtimeMs
  const names = await readdir(path)
  return Math.max(0, ...(await Promise.all(names.map((name) => newest(join(path, name))))))
}

async function vite(options: string[]): Promise<void> {
  const program = join(projectRoot, 'node_modules/vite/bin/vite.js')
  const child = spawn(process.execPath, [program, ...options], { cwd: projectRoot, stdio: ['ignore', 2, 2] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('The page could not be built.')
}

const ignore = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error
}
