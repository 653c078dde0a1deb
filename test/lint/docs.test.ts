import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n')
const pages = files.filter((file) => file.endsWith('.md') && existsSync(join(root, file)))
const read = (page: string) => readFileSync(join(root, page), 'utf8')
const withoutCode = (text: string) => text.replaceAll(/^```[^]*?^```/gm, '')

/** The anchors that GitHub gives the headings of a page. */
function listAnchors(page: string): Set<string> {
  const headings = withoutCode(read(page)).matchAll(/^#+ (.*)$/gm)
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )
}

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(root, target))) return true
  return anchor !== undefined && target.endsWith('.md') && !listAnchors(target).has(anchor)
}

it('relative links of the documentation lead to an existing file and heading', () => {
  const links = pages.flatMap((page) =>
    [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)]
      .map(([, link, source]) => link ?? source ?? '')
      .filter((link) => !/^[a-z]+:/.test(link))
      .map((link) => ({ page, link })),
  )
  expect(links.length).toBeGreaterThan(200)
  expect(links.filter(({ page, link }) => isBroken(page, link))).toEqual([])
})

it('npm scripts in the documentation exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const mentions = new Set(
    pages.flatMap((page) => [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)),
  )
  expect(mentions.size).toBeGreaterThan(20)
  expect([...mentions].filter((name) => !(name in scripts))).toEqual([])
})

it('source files in the documentation exist at their path', () => {
  const mentions = pages.flatMap((page) =>
    [...read(page).matchAll(/`((?:shared|functions|web|infra|test)\/[\w./-]+\.tsx?)`/g)].map(
      ([, file = '']) => ({ page, file }),
    ),
  )
  expect(mentions.length).toBeGreaterThan(100)
  expect(mentions.filter(({ file }) => !existsSync(join(root, file)))).toEqual([])
})

it('the changelog begins with the version in package.json, or with what comes after it', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const released = read('CHANGELOG.md').replace(/^## Unreleased$/m, '')
  expect(/^## (.*)$/m.exec(released)?.[1]).toMatch(
    new RegExp(`^${version.replaceAll('.', '\\.')} — \\d{4}-\\d\\d-\\d\\d$`),
  )
})

it('docs/local.md lists exactly the variables that npm start reads, and the README some of them', () => {
  const settingNames = [...read('infra/local/settings.ts').matchAll(/^ {4}([A-Z][A-Z_]+):/gm)].map(
    ([, name = '']) => name,
  )
  const list = (page: string) =>
    [...read(page).matchAll(/^\| (`[A-Z].*?) +\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name),
    )
  expect(settingNames.length).toBeGreaterThan(30)
  expect(list('docs/local.md').toSorted()).toEqual(settingNames.toSorted())
  expect(settingNames).toEqual(expect.arrayContaining(list('README.md')))
})

it('code that decisions and the architecture name exists', () => {
  const code = files
    .filter(
      (file) => /\.(tsx?|js|json|md)$/.test(file) && !/^(docs|test)\/|\.test\.tsx?$|CHANGELOG/.test(file),
    )
    .map((file) => `${file}\n${existsSync(join(root, file)) ? read(file) : ''}`)
    .join('\n')
  const names = pages
    .filter((page) => page.startsWith('docs/adr/') || page === 'docs/architecture.md')
    .flatMap((page) =>
      [...withoutCode(read(page)).matchAll(/`([a-z]\w*[A-Z]\w*|[\w/-]+\.(?:ts|tsx|json))`/g)].map(
        ([, name = '']) => ({ page, name }),
      ),
    )
  expect(names.length).toBeGreaterThan(60)
  expect(names.filter(({ name }) => !code.includes(name))).toEqual([])
})
