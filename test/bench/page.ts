import type { Page } from 'playwright-core'
import { ensureWebBuild } from '../../infra/local/web-build.ts'
import { gzipBytes, readWebManifest } from '../support/web-manifest.ts'
import { composer, launch, recordFirstMatch, signIn, usableWithinMs } from './browser.ts'
import { kb, type Bench, type Figure } from './figures.ts'
import { startProduct, type Product } from './product.ts'
import { noteRequests, settled } from '../support/settled.ts'

const budgetBytes = 140_000
const aimBytes = 120 * 1024

/** Runs in the page: scripts requested by then, and all others, in the order of the requests. */
export function scriptsByTime(): { before: string[]; after: string[] } {
  const matchedAt = Number(document.documentElement.dataset['matchedAt'])
  const scripts = performance
    .getEntriesByType('resource')
    .map(({ name, startTime }) => ({ path: new URL(name).pathname, startTime }))
    .filter(({ path }) => path.endsWith('.js'))
  const paths = (chosen: typeof scripts) => [...new Set(chosen.map(({ path }) => path))]
  return {
    before: paths(scripts.filter(({ startTime }) => startTime <= matchedAt)),
    after: paths(scripts.filter(({ startTime }) => startTime > matchedAt)),
  }
}

async function measureSizes(paths: Iterable<string>): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for (const path of paths) sizes.set(path, await gzipBytes(path))
  return sizes
}

const sum = (sizes: ReadonlyMap<string, number>) =>
  [...sizes.values()].reduce((total, size) => total + size, 0)

const formatSizes = (sizes: ReadonlyMap<string, number>) =>
  [...sizes]
    .toSorted(([, a], [, b]) => b - a)
    .map(([path, size]) => `${path.replace(/^\/(assets\/)?/, '').replace(/-[\w-]{8}\.js$/, '')} ${kb(size)}`)
    .join(', ')

async function buildFigures(
  path: string,
  until: string,
  { before, after }: { before: string[]; after: string[] },
): Promise<Figure[]> {
  const needed = await measureSizes(before)
  const later = await measureSizes(after.filter((script) => !before.includes(script)))
  const total = sum(needed)
  return [
    {
      what: `Scripts of ${path} until ${until}, gzip: ${formatSizes(needed)}`,
      measured: kb(total),
      budget: `≤ ${kb(budgetBytes)}, aim ${kb(aimBytes)}`,
      met: total <= budgetBytes,
    },
    { what: `Loaded on ${path} after that: ${formatSizes(later) || 'nothing'}`, measured: kb(sum(later)) },
  ]
}

/** Loads an address with an empty browser cache. */
async function visit(page: Page, path: string, field: string) {
  await page.addInitScript(recordFirstMatch, field)
  noteRequests(page)
  await page.goto(path)
  await page.locator(field).first().fill('Hello', { timeout: usableWithinMs })
  await settled(page)
  return page.evaluate(scriptsByTime)
}

const fields = { '/auth': 'input[type=password]:enabled', '/': composer }

async function browserFigures(product: Product): Promise<Figure[]> {
  const browser = await launch()
  try {
    const context = await browser.newContext({ baseURL: product.origin })
    const auth = await context.newPage()
    const onAuth = await visit(auth, '/auth', fields['/auth'])
    await signIn(auth, product.user)
    // signed in, but with an empty cache
    const state = await context.storageState()
    const fresh = await browser.newContext({ baseURL: product.origin, storageState: state })
    const onMain = await visit(await fresh.newPage(), '/', fields['/'])
    return [
      ...(await buildFigures('/auth', 'the form takes input', onAuth)),
      ...(await buildFigures('/', 'the composer takes input', onMain)),
    ]
  } finally {
    await browser.close()
  }
}

/** Modules that are loaded only when used, and the page on which they are used. */
const whenUsed = [
  ['Renderer of replies, loaded when the browser is idle', 'markdown.tsx', '/'],
  ['KaTeX, loaded with the first formula', 'katex-formula.tsx', '/'],
  ['Image viewer, loaded when one is opened', 'image-viewer.tsx', '/'],
  ['The search, loaded when it is opened', 'search-dialog.tsx', '/'],
  ['Two-factor’s wizard, QR code included, loaded when it is opened', 'setup-wizard.tsx', '/settings'],
] as const

/** Scripts of a page's static imports, and scripts that lazy modules add. */
async function manifestFigures(): Promise<Figure[]> {
  const { paths, listScripts, listPageScripts } = await readWebManifest()
  const bytes = async (files: Iterable<string>) => sum(await measureSizes(files))
  const figures: Figure[] = []
  for (const path of paths) {
    const scripts = listPageScripts(path)
    figures.push({
      what: `Scripts of ${path} by the bundler's manifest, ${scripts.size} files, gzip`,
      measured: kb(await bytes(scripts)),
    })
  }
  for (const [what, module, path] of whenUsed) {
    const page = listPageScripts(path)
    const added = [...listScripts(module)].filter((file) => !page.has(file))
    figures.push({ what: `${what}, in addition to its page, gzip`, measured: kb(await bytes(added)) })
  }
  return figures
}

export const pageBench: Bench = {
  name: 'page',
  title: 'JavaScript of a page',
  async run() {
    await ensureWebBuild()
    const product = await startProduct()
    try {
      return [...(await browserFigures(product)), ...(await manifestFigures())]
    } finally {
      await product.end()
    }
  },
}
