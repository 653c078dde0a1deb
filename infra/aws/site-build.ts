import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '../..')

export const siteFolder = join(repository, 'web/dist')

const sources = [
  'web/src',
  'web/public',
  'web/diagram',
  'web/diagram-frame.ts',
  'web/third-party-licences.ts',
  'web/translation',
  'web/index.html',
  'web/vite.config.ts',
  'web/built-in-catalogue.ts',
  'functions/providers',
  'functions/registry/entry-view.ts',
  'shared',
  'package-lock.json',
]

/** Whether the site was built, and after the last change of its sources. */
export async function checkSiteBuild(): Promise<'missing' | 'old' | 'current'> {
  const builtAtMs = (await stat(join(siteFolder, 'index.html')).catch(() => undefined))?.mtimeMs
  if (builtAtMs === undefined) return 'missing'
  const changedAtMs = await Promise.all(sources.map((source) => newest(join(repository, source))))
  return builtAtMs > Math.max(...changedAtMs) ? 'current' : 'old'
}

async function newest(path: string): Promise<number> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats) return 0
  if (!stats.isDirectory()) return path.endsWith('.test.ts') || path.endsWith('.test.tsx') ? 0 : stats.mtimeMs
  const names = await readdir(path)
  return Math.max(0, ...(await Promise.all(names.map((name) => newest(join(path, name))))))
}
