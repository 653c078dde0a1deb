import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listImports } from './import-graph.ts'

/**
 * Test files that were green on this computer with the same inputs, which a run leaves out. The inputs of a file are what it imports,
 * directly or over others, what stands beside it in `new URL('…')`, and what all tests share. A file that reads or starts other things
 * (the whole product, the repository's sources) has the whole repository as its input.
 */

const root = join(import.meta.dirname, '../..')
const store = join(root, 'node_modules/.cache/tests/green.json')

/** What decides about all tests: versions, configurations, what each worker loads first … */
const common =
  /^(?:package(?:-lock)?\.json|vitest\.config\.ts|tsconfig\.json|test\/support\/(?:node-setup|direct-calls|patient-\w+|late-waits|time-limits|file-time|processor-time)\.ts)$/
/** … and about those of the page: what its build adds. */
const commonOfPage =
  /^web\/(?:[\w-]+\.(?:ts|json)|translation\/.*|src\/languages\/.*)$|^test\/support\/(?:web-setup|own-modules)\.ts$/
/** Their tests start the whole product … */
const ofProduct = /^test\/(?:api|e2e|infra|emulators|support)\//
/** … of which this is no part. */
const outside =
  /\.md$|^docs\/|\.test\.tsx?$|^test\/(?:bench|conformance|judge|lint|mutation|soak|spec|[^/]+$)/
/** Their tests read all sources and documents. */
const ofRepository = /^test\/lint\/|^test\/[^/]+$/
const reads =
  /\b(?:readFile|readdir|glob|spawn|fork|execFile|createReadStream|Worker)(?:Sync)?\(|\bimport\.meta\.glob\b/

const hash = (...parts: readonly string[]) => {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part).update('\0')
  return sum.digest('base64url').slice(0, 22)
}

/** @returns the repository's files that git knows or would add, with a hash of what each has */
export function hashRepository(): Map<string, string> {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
  const staged = git('ls-files', '-s', '-z').split('\0').filter(Boolean)
  const hashes = new Map(
    staged.map((line) => {
      const [about = '', path = ''] = line.split('\t')
      return [path, about.split(' ')[1] ?? ''] as const
    }),
  )
  const others = ['--others', '--exclude-standard']
  for (const path of [
    ...git('ls-files', '-m', '-z').split('\0'),
    ...git('ls-files', ...others, '-z').split('\0'),
  ])
    if (path && statSync(join(root, path), { throwIfNoEntry: false })?.isFile())
      hashes.set(path, hash(readFileSync(join(root, path), 'base64')))
    else hashes.delete(path)
  return hashes
}

/** @returns by test file, a hash of its inputs */
export function hashTestFiles(
  files: readonly string[],
  hashes: ReadonlyMap<string, string> = hashRepository(),
): Map<string, string> {
  const sources = new Map<string, { imports: string[]; reads: boolean }>()
  const readSource = (path: string) => {
    const known = sources.get(path)
    if (known) return known
    const source = /\.tsx?$/.test(path) ? readFileSync(join(root, path), 'utf8') : ''
    const found = {
      imports: listImports(path, source).filter((imported) => existsSync(join(root, imported))),
      // what the product reads is its own affair: its tests give it the files
      reads: /^test\/|\.test\.tsx?$/.test(path) && reads.test(source),
    }
    sources.set(path, found)
    return found
  }
  const shared = [...hashes].filter(([path]) => common.test(path)).flat()
  const ofPage = [...hashes].filter(([path]) => commonOfPage.test(path)).flat()
  const everything = hash(process.version, ...[...hashes].flat())
  const product = hash(process.version, ...[...hashes].filter(([path]) => !outside.test(path)).flat())
  return new Map(
    files.map((file) => {
      const inputs = new Set([file])
      for (const path of inputs) for (const imported of readSource(path).imports) inputs.add(imported)
      if (ofProduct.test(file)) return [file, hash(file, hashes.get(file) ?? '', product)]
      const isWide = ofRepository.test(file) || [...inputs].some((path) => readSource(path).reads)
      const known = [...inputs].toSorted().flatMap((path) => {
        const own = hashes.get(path)
        if (own !== undefined) return [path, own]
        // a folder
        return [...hashes].filter(([each]) => each.startsWith(`${path}/`)).flat()
      })
      const page = /\.tsx$|^web\//.test(file) ? ofPage : []
      return [file, isWide ? hash(file, everything) : hash(process.version, ...shared, ...page, ...known)]
    }),
  )
}

interface GreenStore {
  /** by tier and file, the hash of its inputs when it was green last, and its number of tests */
  [key: string]: { readonly hash: string; readonly tests: number }
}

export function readGreen(): GreenStore {
  try {
    return JSON.parse(readFileSync(store, 'utf8')) as GreenStore
  } catch {
    return {}
  }
}

/** Adds what was green, and forgets what was not. */
export function writeGreen(changes: ReadonlyMap<string, GreenStore[string] | undefined>): void {
  const green = readGreen()
  for (const [key, value] of changes)
    if (value) green[key] = value
    else delete green[key]
  mkdirSync(dirname(store), { recursive: true })
  writeFileSync(`${store}.new`, JSON.stringify(green))
  renameSync(`${store}.new`, store)
}
