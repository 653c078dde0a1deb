import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { webDist } from '../../infra/local/web-build.ts'

interface Chunk {
  file: string
  imports?: string[]
}

/** The bundler's manifest of the page. Scripts are named by their path in the build. */
export async function readWebManifest() {
  const manifest = JSON.parse(await readFile(join(webDist, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  const html = await readFile(join(webDist, 'index.html'), 'utf8')
  const [, parts = '{}'] = /name="page-parts" content='(.*?)'/.exec(html) ?? []
  const partsByPath = JSON.parse(parts) as Record<string, readonly string[]>
  function collectImports(key: string, found = new Set<string>()): Set<string> {
    if (!found.has(key)) {
      found.add(key)
      for (const next of manifest[key]?.imports ?? []) collectImports(next, found)
    }
    return found
  }
  const scripts = (keys: Iterable<string>) =>
    [...keys].map((key) => manifest[key]?.file ?? '').filter((file) => file.endsWith('.js'))
  return {
    /**
     * Which scripts a module needs at once, without anything that is loaded lazily.
     * @param module the end of its path
     * @throws Error when it has no file of its own
     */
    listScripts: (module: string): Set<string> => {
      const keys = Object.keys(manifest)
      // a chunk that several modules share is named after one of them
      const shared = `_${module.replace(/\.tsx?$/, '')}-`
      const key =
        keys.find((name) => name.endsWith(`/${module}`)) ??
        keys.find((name) => name.startsWith(shared) && name.endsWith('.js'))
      if (key === undefined) throw new Error(`no chunk for ${module}`)
      return new Set(scripts(collectImports(key)))
    },
    /** The pages whose modules are known in advance. */
    paths: Object.keys(partsByPath).filter((key) => key.startsWith('/')),
    /** The scripts that a page needs before it can be used. */
    listPageScripts: (path: string): Set<string> =>
      new Set([
        'theme.js',
        ...[
          ...html.matchAll(
            /(?:<script type="module"|<link rel="modulepreload") crossorigin (?:src|href)="\/(.*?)">/g,
          ),
        ].map(([, file = '']) => file),
        ...(partsByPath[path] ?? []).map((file) => file.slice(1)),
      ]),
  }
}

/** @returns the compressed size of a file of the build, in bytes */
export async function gzipBytes(file: string): Promise<number> {
  return gzipSync(await readFile(join(webDist, file)), { level: 9 }).length
}
