import { expect, it } from 'vitest'
import type { ObjectStore } from '../../platform/s3/object-store.ts'
import { indexKey, textKey } from '../file-links.ts'
import { buildIndex } from './build-index.ts'
import { searchFiles } from './search-files.ts'

/** A bucket with texts and their indexes, which counts the bytes that are read. */
async function openStore(texts: Readonly<Record<string, string>>) {
  const objects = new Map<string, { bytes: Uint8Array; etag: string }>()
  let read = 0
  const put = async (id: string, text: string, etag = 'first') => {
    objects.set(textKey('ann', id), { bytes: new TextEncoder().encode(text), etag })
    objects.set(indexKey('ann', id), { bytes: (await buildIndex(text)).bytes, etag })
  }
  for (const [id, text] of Object.entries(texts)) await put(id, text)
  const store = {
    readRange: async (key: string, from: number, to: number, etag?: string) => {
      const object = objects.get(key)
      if (!object || (etag !== undefined && etag !== object.etag)) return undefined
      const bytes = object.bytes.slice(from, to)
      read += bytes.length
      return { bytes, etag: object.etag }
    },
  } as ObjectStore
  const files = Object.keys(texts).map((id) => ({ id, name: `${id}.txt` }))
  return {
    put,
    remove: (id: string) => objects.delete(indexKey('ann', id)),
    takeRead: () => {
      const taken = read
      read = 0
      return taken
    },
    search: (...wordings: string[]) => searchFiles(store, 'ann', files, { wordings, limit: 8 }),
  }
}

const filler = Array.from(
  { length: 1_500 },
  (_, line) => `Line ${line} of the report is for who asks what the work ${line * 7} is.\n`,
)
const english = `${filler.join('')}The deposit is 340 euros.`

it('a passage is of one place, and says which', async () => {
  const page = (number: number, text: string) =>
    `[page ${number}]\n${filler.join('').slice(0, 1_200)}${text}\n\n`
  const { search } = await openStore({
    lease: `Lease\n\n${page(1, 'The tenant pays.')}${page(2, 'The deposit is 340 euros.')}${page(3, 'Cats are allowed.')}`,
    note: 'A deposit is money. See [page 3] of it.',
  })
  const { passages } = await search('deposit')
  expect(passages.map(({ name, place, text }) => [name, place, text.includes('Cats')])).toEqual(
    expect.arrayContaining([
      ['note.txt', undefined, false],
      ['lease.txt', 'page 2', false],
    ]),
  )
})

it('reads an index once, and again when it was replaced or is gone', async () => {
  const { search, put, remove, takeRead } = await openStore({ report: english })
  expect((await search('deposit')).passages[0]?.text).toContain('340')
  const first = takeRead()
  expect((await search('deposit')).passages[0]?.text).toContain('340')
  // the passages that are given, and little else
  expect(takeRead()).toBeLessThan(first / 5)
  await put('report', 'The deposit is 410 euros now.', 'second')
  expect((await search('deposit')).passages.map(({ text }) => text)).toEqual([
    'The deposit is 410 euros now.',
  ])
  remove('report')
  expect(await search('deposit')).toMatchObject({ passages: [], not_searched: [{ name: 'report.txt' }] })
})

it('takes the language of a few passages for noise, and that of a short file for its language', async () => {
  const german = 'Die Anträge werden von der Leiterin der Abteilung geprüft und danach genehmigt. '.repeat(18)
  const noise = await openStore({ report: `${english}\n\n${german}` })
  expect((await noise.search('deposit')).languages).toEqual(['en'])
  const letter = await openStore({ report: english, letter: german })
  expect((await letter.search('deposit')).languages).toEqual(['en', 'de'])
})

it.each([
  ['a passage with all the words before one that repeats some', 'deposit of the garage key', 'all'],
  ['a rare word before many common ones', 'what is the work of the Zamboni', 'rare'],
  ['a typing error as the word that it stands for', 'who is the jantior', 'janitor'],
  ['a typing error in another form of the word', 'who does reherse', 'rehearses'],
  ['a code before passages that repeat its other words', 'what is the line of the report KX77', 'code'],
  ['the beginning of a compound', 'garage', 'compound'],
])('finds %s', async (_, question, id) => {
  const { search } = await openStore({
    report: english,
    all: 'The deposit for a key of the garage is 20 euros.',
    rare: 'Zamboni clears ice.',
    janitor: 'Ask the janitor.',
    rehearses: 'The choir is rehearsing.',
    code: 'KX77 fits the pumps of 2019 and later.',
    lines: 'The line of the report, the line of the report, the line of a report. '.repeat(4),
    ...(id === 'compound' && {
      all: 'Nothing of it here.',
      compound: 'Garagenschlüssel liegen beim Pförtner.',
    }),
    repeats: 'Key, key, key: the deposit of the key. '.repeat(3),
  })
  expect((await search(question)).passages[0]?.id).toBe(id)
})

it('ranks each wording by itself, whatever the others share with it', async () => {
  const { search } = await openStore({ report: english, letter: 'Die Kaution beträgt 340 Euro.' })
  const one = await search('Kaution')
  const joined = await search('Kaution', 'Kaution deposit', 'deposit')
  expect(one.passages[0]?.id).toBe('letter')
  expect(
    joined.passages
      .map(({ id }) => id)
      .slice(0, 2)
      .toSorted(),
  ).toEqual(['letter', 'report'])
})
