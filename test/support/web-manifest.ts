import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { webDist } from '../../infra/local/web-build.ts'

interface Chunk {
  file: string
  imports?: string[]
}

/** What the bundler says of the built page: which scripts a module needs at once, without anything that is loaded lazily. */
export async function readWebManifest() {
  const manifest = JSON.parse(await readFile(join(webDist, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  function reach(key: string, found = new Set<string>()): Set<string> {
    if (!found.has(key)) {
      found.add(key)
      for (const next of manifest[key]?.imports ?? []) reach(next, found)
    }
    return found
  }
  return {
    /**
     * The page's entry, and what each of these modules needs.
     * @param modules the ends of their paths
     * @throws Error when one has no chunk of its own
     */
    scriptsOf: (...modules: string[]): Set<string> => {
      const found = reach('index.html')
      for (const module of modules) {
        const key = Object.keys(manifest).find((name) => name.endsWith(`/${module}`))
        if (key === undefined) throw new Error(`no chunk for ${module}`)
        reach(key, found)
      }
      const files = [...found].map((name) => manifest[name]?.file ?? '')
      return new Set(files.filter((file) => file.endsWith('.js')))
    },
  }
}
