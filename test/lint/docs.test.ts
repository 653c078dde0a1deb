import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { files, findUnknownNames, read } from './doc-names.ts'

const root = join(import.meta.dirname, '../..')
const pages = files.filter((file) => file.endsWith('.md'))
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

it('names in the documentation exist', () => {
  const documents = pages.filter((page) =>
    /^(?:README|CONTRIBUTING|CHANGELOG|docs\/|test\/spec\/README)/.test(page),
  )
  const current = (page: string) =>
    page === 'CHANGELOG.md' ? (read(page).split(/^## \d/m)[0] ?? '') : read(page)
  expect(documents.length).toBeGreaterThan(70)
  expect(
    documents
      .map((page) => ({ page, names: findUnknownNames(current(page)) }))
      .filter(({ names }) => names.length > 0),
  ).toEqual([])
})

it.each([
  ['a script', 'npm run no-such', 'npm run doctor -- -c stage=live'],
  ['a flag of a command', 'npm run backup -- --into copy', 'npm run backup -- --out copy'],
  ['a subcommand', 'npm run admin -- promote --email a', 'npm run admin -- disable --email a'],
  ['a bench', 'npm run bench -- last-token', 'npm run bench -- first-token'],
  ['a context key', '-c keepDatas=', '-c keepData='],
  ['a flag of the tests', 'npm test -- --onlyx unit', 'npm test -- --only unit'],
  ['a variable', 'MODEL_SILENCE_MINUTES', 'MODEL_SILENCE_SECONDS'],
  ['a variable that is cut off', 'MODEL_SILENCE_SECOND', 'MODEL_SILENCE_SECONDS'],
  ['a setting', 'keepdata', 'keepData'],
  ['a route', '/api/conversations', '/api/sessions'],
  ['a method of a route', 'PUT /api/sessions/{id}', 'PATCH /api/sessions/{id}'],
  ['a folder', 'functions/runs/', 'functions/chat/'],
  ['a file', 'functions/chat/send-messages.ts', 'functions/chat/send-message.ts'],
  ['the end of a path', 'credentials/renew.ts', 'credentials/refresh.ts'],
  ['a row', 'U#sub / NOROW#id', 'U#sub / RUN#id'],
  ['a row without a sort key of its own', 'OUT#sub / NOSUCH', 'OUT#sub / OUT'],
  ['a function', 'sendTheMessage()', 'sendMessage()'],
  ['a field', 'message_amount', 'message_count'],
])('the name of %s that does not exist is found', (_, wrong, right) => {
  expect(findUnknownNames(`Use \`${wrong}\` here.`)).toEqual([wrong])
  expect(findUnknownNames(`Use \`${right}\` here.`)).toEqual([])
})

it.each([
  ['a command', 'npm run no-such', 'npm run doctor'],
  ['a setting', 'npm run deploy -- -c keepDatas=on', 'npm run deploy -- -c keepData=on'],
  ['a variable', 'MODEL_SILENCE_MINUTES=2 npm start', 'MODEL_SILENCE_SECONDS=2 npm start'],
  ['a route', '-> GET /api/conversations', '-> GET /api/sessions'],
  ['a path', 'node infra/operate/undo.ts', 'node infra/operate/restore.ts'],
  ['a row', 'NOROW#id', 'ASSIST#id'],
])('%s in a block of code that does not exist is found', (_, wrong, right) => {
  const found = findUnknownNames(`\`\`\`sh\n${wrong}\n\`\`\``)
  expect(found).toHaveLength(1)
  expect(wrong).toContain(found[0])
  expect(findUnknownNames(`\`\`\`sh\n${right}\n\`\`\``)).toEqual([])
})

it('a label in italics that the page does not have is found', () => {
  expect(findUnknownNames('Press _Eat everything_, then _Sign out everywhere_.')).toEqual(['Eat everything'])
})

it('docs/table.md has every kind of row that the code writes', () => {
  const product = files.filter((file) => /^functions\/.*\.ts$/.test(file) && !file.endsWith('.test.ts'))
  const kinds = new Set(
    product.flatMap((file) => [...read(file).matchAll(/['`]([A-Z]+)#/g)].map(([, kind = '']) => kind)),
  )
  const table = read('docs/table.md')
  expect(kinds.size).toBeGreaterThan(25)
  expect([...kinds].filter((kind) => !table.includes(`\`${kind}#`))).toEqual([])
})

it('no document is longer than 4,000 words, no guide longer than 4,500', () => {
  const guides = ['user-guide', 'admin-guide', 'deploy', 'operations'].map((name) => `docs/${name}.md`)
  const tooLong = pages
    .map((page) => ({ page, words: read(page).trim().split(/\s+/).length }))
    .filter(({ page, words }) => words > (guides.includes(page) ? 4_500 : 4_000))
  expect(tooLong).toEqual([])
})

const guide = /^(?:README|CONTRIBUTING|docs\/.*)\.md$/
const countWords = (text: string) => text.split(/\s+/).filter((word) => word !== '').length

/** Paragraphs, items of lists and cells of tables. */
const listParagraphs = (markdown: string): string[] =>
  markdown
    .replaceAll(/^ *```[^]*?^ *```/gm, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\||\n(?=#)|(?<=^#.*)\n/m)

it('all documents together have at most 45,000 words, and no paragraph more than 90', () => {
  const documents = pages.filter((page) => guide.test(page))
  expect(documents.length).toBeGreaterThan(60)
  expect(documents.reduce((sum, page) => sum + countWords(read(page)), 0)).toBeLessThanOrEqual(45_000)
  expect(
    documents.flatMap((page) =>
      listParagraphs(read(page))
        .filter((paragraph) => countWords(paragraph) > 90)
        .map((paragraph) => `${page}: ${paragraph.slice(0, 80)}`),
    ),
  ).toEqual([])
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
