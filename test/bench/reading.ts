import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { docx, pdf, pptx, xlsx } from '../support/documents.ts'
import { startStack } from '../support/local-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { uploadFile } from '../support/upload.ts'
import { median, ms, percentile, type Bench } from './figures.ts'

/** Added to the requests of another user, p95, while a document is stored, read and indexed. */
const budgetMs = 100
const idleMs = 5_000

const words = (characters: number) =>
  randomBytes(characters).toString('base64').slice(0, characters).replaceAll(/[+/]/g, ' ')
const paragraphs = (count: number, characters: number) =>
  Array.from({ length: count }, () => words(characters))
const han = (characters: number) =>
  String.fromCharCode(...Array.from(randomBytes(characters), (byte) => 0x4e00 + byte * 31))

const documents: readonly { name: string; make: () => Uint8Array }[] = [
  { name: 'text.docx', make: () => docx(paragraphs(12_000, 2_000)) },
  { name: 'pages.pdf', make: () => pdf(Array.from({ length: 500 }, () => paragraphs(40, 70).join('\n'))) },
  { name: 'slides.pptx', make: () => pptx(Array.from({ length: 500 }, () => paragraphs(10, 100))) },
  {
    name: 'rows.xlsx',
    make: () =>
      xlsx({
        Sales: Array.from({ length: 100_000 }, (_, row) => [`Customer ${row}`, words(12), row, row * 1.5]),
      }),
  },
  {
    name: 'rows.csv',
    make: () =>
      Buffer.from(
        Array.from({ length: 300_000 }, (_, row) => `Region ${row % 7};${row};${words(20)}`).join('\n'),
      ),
  },
  { name: 'han.txt', make: () => Buffer.from(Array.from({ length: 1_300 }, () => han(1_000)).join('\n')) },
]

/** Asks again and again as another user. @returns the times of the requests, in ms, once `work` has ended */
async function timeOthers(other: StackUser, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let isDone = false
  const ended = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    const startedAt = performance.now()
    await other.call('sessions.list', {})
    times.push(performance.now() - startedAt)
    await sleep(10)
  }
  await ended
  return times
}

async function readDocument(user: StackUser, name: string, content: Uint8Array): Promise<void> {
  const { id } = await uploadFile(user, { name, type: '', content })
  for (;;) {
    const { attachments } = await user.call('files.list', {})
    if (attachments.find((one) => one.id === id)?.reading?.state === 'read') return
    await sleep(250)
  }
}

export const readingBench: Bench = {
  name: 'reading',
  title: 'Other users while a document is read, on one machine',
  async run() {
    const stack = await startStack({ env: { RATE_LIMIT_FACTOR: '100000' } })
    try {
      const [user, other] = [await stack.newUser(), await stack.newUser()]
      const idle = await timeOthers(other, sleep(idleMs))
      const figures = []
      for (const { name, make } of documents) {
        const content = make()
        const startedAt = performance.now()
        const times = await timeOthers(other, readDocument(user, name, content))
        const added = percentile(times, 0.95) - percentile(idle, 0.95)
        figures.push({
          what: `${name}, ${(content.length / 1_048_576).toFixed(1)} MB, read in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s: a request of another user, p50 / p95 / most of ${times.length}; added at p95`,
          measured: `${ms(median(times))} / ${ms(percentile(times, 0.95))} / ${ms(Math.max(...times))}; ${ms(Math.max(0, added))}`,
          budget: `< ${budgetMs} ms added`,
          met: added < budgetMs,
        })
      }
      return [
        {
          what: 'The same without a reading, p50 / p95 / most',
          measured: `${ms(median(idle))} / ${ms(percentile(idle, 0.95))} / ${ms(Math.max(...idle))}`,
        },
        ...figures,
      ]
    } finally {
      await stack.stop()
    }
  },
}
