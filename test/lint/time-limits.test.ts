import { readFile } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import config from '../../vitest.config.ts'
import { findWaitLimitMs, testLimitMs } from '../support/time-limits.ts'

/**
 * Tests and their waits have one time limit each (`time-limits.ts`), long enough for a slow machine. A shorter one fails a test where
 * nothing is wrong, and so do a look at the page that does not wait, and a wait for a fixed time.
 */

const root = join(import.meta.dirname, '../..')
const files = globSync(
  [
    '{functions,infra,shared,web}/**/*.test.{ts,tsx}',
    'test/{api,e2e,emulators,fuzz,infra,lint,support}/**/*.{ts,tsx}',
  ],
  { cwd: root, exclude: ['**/node_modules/**', 'test/lint/time-limits.test.ts'] },
)

/** The findings in each file, with its path. */
async function findIn(paths: readonly string[], find: (source: string) => string[]) {
  const found = paths.map(async (path) =>
    find(await readFile(join(root, path), 'utf8')).map((text) => [path, text]),
  )
  return (await Promise.all(found)).flat()
}

/** A file's limits of waits and tests that are shorter than the common one. */
const findShortLimits = (source: string) =>
  [
    ...source.matchAll(
      /\btimeout: (?<ms>[\d_]+)|\bwait(?:For|Until)\(.+, (?<ms>[\d_]+)\)|^(?: {2})*\}, (?<ms>\d{2,}_000)\)$/gm,
    ),
  ]
    .filter(({ groups }) => Number(groups?.['ms']?.replaceAll('_', '')) < testLimitMs)
    .map(([text]) => text)

/** Waits for a fixed time; a loop that looks for a state may wait between its looks. */
const findFixedWaits = (source: string) =>
  [
    ...source.matchAll(
      /^.*(?:\bnew Promise\b.*\bsetTimeout\(\w+, |\.waitForTimeout\(|'networkidle'|\bawait (?:delay|sleep)\().*$/gm,
    ),
  ]
    .map(([line]) => line.trim())
    .filter((line) => !line.startsWith('while ('))

const reads =
  'allInnerTexts|allTextContents|boundingBox|count|evaluate|evaluateAll|getAttribute|inputValue|innerText|isChecked|isDisabled|isEnabled|isHidden|isVisible|textContent'

const earlyLook = new RegExp(
  `\\bexpect\\(\\s*(?:[^\\n]*activeElement|await [^\\n]*(?:hasFocus|\\.(?:${reads}))\\()[^\\n]*`,
  'g',
)
/** Checks for absence: waiting would accept something that appears and disappears. */
const absence = /\)\.(?:not\.|toBeNull\(\)|toBe\((?:0|''|false)\))/

/** Checks of the page without a wait, which fail if it changes a moment later. */
const findEarlyLooks = (source: string) =>
  [...source.matchAll(earlyLook)].map(([text]) => text).filter((text) => !absence.test(text))

it.each([
  ['expect(await hasFocus(button)).toBe(true)', 1],
  ['expect(\n    await hasFocus(button),\n  ).toBe(true)', 1],
  ["expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('A')", 1],
  ["expect(await row('beach.png').innerText()).toMatch(/Rome/)", 1],
  ['await waitForFocus(button)', 0],
  ["await expect.poll(() => row('beach.png').innerText()).toMatch(/Rome/)", 0],
  ["expect(await page.getByText('Connection Failed').count()).toBe(0)", 0],
  ['expect(await listFileIds(user)).toEqual([])', 0],
])('%s looks %i times too early', (source, count) => {
  expect(findEarlyLooks(source)).toHaveLength(count)
})

it('browser tests wait for their conditions', async () => {
  const tests = files.filter((file) => file.startsWith('test/e2e/'))
  expect(tests.length).toBeGreaterThan(40)
  expect(await findIn(tests, findEarlyLooks)).toEqual([])
})

it.each([
  ['await vi.waitFor(check, { timeout: 10_000 })', 1],
  ['await vi.waitUntil(() => isThere(), 10_000)', 1],
  ["it('is fast', { timeout: 60_000 }, () => undefined)", 1],
  ["it('is long', { tags: 'trial', timeout: 900_000 }, () => undefined)", 0],
  ["it('is slow', async () => {\n  await work()\n}, 180_000)", 1],
  ['setTimeout(() => {\n  answer()\n}, 9_500)', 0],
  ['await vi.waitFor(check, { interval: 200 })', 0],
])('%s has %i', (source, count) => {
  expect(findShortLimits(source)).toHaveLength(count)
})

it('no test has a time limit of its own that is shorter than the common one', async () => {
  expect(files.length).toBeGreaterThan(500)
  expect(await findIn(files, findShortLimits)).toEqual([])
})

it.each([
  ['await new Promise((resolve) => setTimeout(resolve, 1_000))', 1],
  ['await page.waitForTimeout(200)', 1],
  ["await page.waitForLoadState('networkidle')", 1],
  ['await sleep(1_000)', 1],
  ['while (product.countRunning() > 0) await sleep(10)', 0],
  ['while (!isMet()) await new Promise((done) => setTimeout(done, 20))', 0],
  ['const timer = setTimeout(close, 1_000)', 0],
])('%s waits %i times for a fixed time', (source, count) => {
  expect(findFixedWaits(source)).toHaveLength(count)
})

it('no test waits for a fixed time', async () => {
  const tests = files.filter((file) => /\.test\.tsx?$/.test(file))
  expect(await findIn(tests, findFixedWaits)).toEqual([])
})

it('whatever opens a page waits for what it shows, unless it measures or films', async () => {
  const measures = ['test/bench/{chat-ui,typing,units,web-vitals}.ts', 'test/screenshots.ts']
  const openers = globSync('test/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', ...measures] })
  const findWaits = (source: string) =>
    findFixedWaits(source).filter((line) => !/\b(?:delay|sleep)\(/.test(line))
  expect(await findIn(openers, findWaits)).toEqual([])
})

it('tests of every project have these limits', () => {
  const { hookTimeout, projects, setupFiles, testTimeout } = config.test ?? {}
  expect({ hookTimeout, setupFiles, testTimeout }).toEqual({
    hookTimeout: testLimitMs,
    setupFiles: ['./test/support/file-time.ts', './test/support/patient-waits.ts'],
    testTimeout: testLimitMs,
  })
  for (const project of projects ?? []) expect(project).toMatchObject({ extends: true })
})

it('a state may come as late as a busy machine makes it, within the limit of its test', () => {
  expect([0, 0.5, 3, 100].map((load) => findWaitLimitMs(load))).toEqual([
    60_000,
    60_000,
    180_000,
    testLimitMs,
  ])
})
