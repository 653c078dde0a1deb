import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { webDist } from '../../infra/local/web-build.ts'
import { newPage, waitForFrames } from '../support/browser.ts'
import { waitForReplyEnd, signedInPage } from '../support/page-steps.ts'
import { gzipBytes, readWebManifest } from '../support/web-manifest.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

/** gzip; DESIGN §13 allows 150 KB */
const budgetBytes = 140_000
/** on a phone a small file costs as much time as a large one */
const maxScripts = 7
/** with what the chat loads by itself until a first reply */
const maxScriptsOfChat = 34

describe.each([
  ['/auth', 'input[type=password]:enabled'],
  ['/', 'textarea'],
])('%s', (path, field) => {
  it('loads a few scripts, of 140 KB together', async () => {
    const { listPageScripts: scriptsOfPage } = await readWebManifest()
    const scripts = [...scriptsOfPage(path)]
    const sizes = await Promise.all(scripts.map(gzipBytes))
    expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThanOrEqual(budgetBytes)
    expect(scripts.length).toBeLessThanOrEqual(maxScripts)
  })

  it('works with these scripts alone, even if the others cannot be loaded', { tags: 'long' }, async () => {
    const { listPageScripts: scriptsOfPage } = await readWebManifest()
    const needed = scriptsOfPage(path)
    const page = path === '/' ? (await signedInPage(stack)).page : await newPage({ baseURL: stack.origin })
    await page.route('**/*.js', (route) =>
      // a request without a response is pending
      needed.has(new URL(route.request().url()).pathname.slice(1)) ? route.continue() : undefined,
    )
    await page.goto(path, { waitUntil: 'commit' })
    await page.locator(field).fill('Hello')
  })

  it('requests no other script before the browser is idle', { tags: 'long' }, async () => {
    const { listPageScripts: scriptsOfPage } = await readWebManifest()
    const needed = scriptsOfPage(path)
    const page = path === '/' ? (await signedInPage(stack)).page : await newPage({ baseURL: stack.origin })
    // what the page before has begun ends
    await page.goto('about:blank')
    await page.addInitScript(() => {
      globalThis.requestIdleCallback = () => 0
    })
    const others: string[] = []
    page.on('request', (request) => {
      const name = new URL(request.url()).pathname.slice(1)
      if (name.endsWith('.js') && !needed.has(name)) others.push(name)
    })
    await page.goto(path)
    await page.locator(field).fill('Hello')
    await page.waitForLoadState()
    await waitForFrames(page)
    expect(others).toEqual([])
  })
})

it('a connection that carries six requests at once is given the scripts before the settings', async () => {
  const html = await readFile(join(webDist, 'index.html'), 'utf8')
  const settings = html.indexOf('href="/config.json"')
  expect(settings).toBeGreaterThan(html.lastIndexOf('rel="modulepreload"'))
  expect(settings).toBeLessThan(html.indexOf('</head>'))
})

// constants are built into the parts that show them; functions need a texts module that one part imports
it('texts are in the scripts of the parts that show them', async () => {
  const files = await readdir(join(webDist, 'assets'))
  expect(files.filter((name) => /\btexts-/.test(name))).toEqual([])
})

it('licences.txt has the licence of each package in the page', async () => {
  const web = join(webDist, '..')
  const names = await readdir(web, { recursive: true })
  const sources = names.filter(
    (name) => /^(src|diagram)\/.*\.(tsx?|css)$/.test(name) && !/\.(test|d)\.tsx?$/.test(name),
  )
  const imports = await Promise.all(
    sources.map(async (name) => {
      // types are not in the page
      const source = (await readFile(join(web, name), 'utf8')).replace(/^import type [^;']*'[^']*'$/gm, '')
      return [...source.matchAll(/^.*(?:from |import |import\(|url\()'(?!https:)([^.#'\s][^'\s]*)'/gm)]
    }),
  )
  const used = new Set(imports.flat().map(([, path = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]))
  const response = await fetch(`${stack.origin}/licences.txt`)
  const text = await response.text()
  const listed = new Set([...text.matchAll(/^-{80}\n\n(\S+) \d/gm)].map(([, name]) => name))
  expect(used.size).toBeGreaterThan(20)
  // modules of our own, packages that only export others or only have types, and one whose notice is in the style sheet
  const others = [
    '@lingui/react',
    'aws-amplify',
    'radix-ui',
    'tailwindcss',
    'virtual:built-in-catalogue',
    'virtual:catalogues',
  ]
  expect(new Set([...used].filter((name) => !listed.has(name)))).toEqual(new Set(others))
  // a dependency of mermaid’s, and a font that only a style sheet names
  expect(text).toMatch(/^elkjs \S+ \(EPL-2\.0.*\)\n\n.*kieler\/elkjs.*\n\n[\s\S]*Eclipse Public License/m)
  expect(text).toContain('SIL OPEN FONT LICENSE')
})

it('MENU-08 NAV-02 NAV-09 the main screen is the chat, whose prompts are sent on click; without a session it leads to the sign-in page', async () => {
  const { page } = await signedInPage(stack)
  expect(new URL(page.url()).pathname).toBe('/')
  await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
  await page.getByRole('button', { name: 'What can you help me with?' }).click()
  await page.getByRole('heading', { name: 'You', exact: true }).waitFor()
  await waitForReplyEnd(page)
  const scripts = await page.evaluate(() =>
    performance.getEntriesByType('resource').flatMap(({ name }) => (name.endsWith('.js') ? [name] : [])),
  )
  expect(
    scripts.length,
    'the bundler makes a file of each shared module unless it is told otherwise',
  ).toBeLessThanOrEqual(maxScriptsOfChat)

  await page.getByRole('button', { name: /account menu/i }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('/auth')
  await page.goto('/')
  await page.waitForURL('/auth')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByRole('button', { name: 'Create account' }).waitFor()
})

it(
  'AUTH-06 the sign-in form is as high as its content, and does not move when an error appears',
  { tags: 'long' },
  async () => {
    const page = await newPage({ baseURL: stack.origin })
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(viewport)
      await page.goto('/auth')
      const email = page.getByLabel('E-mail')
      const measureMiddle = async (target: Locator) => {
        const box = await target.boundingBox()
        return box ? box.y + box.height / 2 : Number.NaN
      }
      await email.waitFor()
      await page.evaluate(() => document.fonts.ready)
      const before = await measureMiddle(email)
      const google = await measureMiddle(page.getByRole('button', { name: 'Continue with Google' }))
      expect(before - google).toBeLessThan(160)
      const eye = await measureMiddle(page.getByRole('button', { name: 'Show password' }))
      expect(
        Math.abs(eye - (await measureMiddle(page.getByLabel('Password', { exact: true })))),
      ).toBeLessThan(4)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.locator('[aria-invalid=true]').first().waitFor()
      expect(await measureMiddle(email)).toBe(before)
    }
  },
)
