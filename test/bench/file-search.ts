import { globSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { indexKey, textKey, vectorsKey } from '../../functions/files/file-links.ts'
import { buildIndex } from '../../functions/files/search-index/build-index.ts'
import {
  embeddingsPerRequest,
  openEmbeddingModel,
  type EmbeddingModel,
} from '../../functions/models/embedding-model.ts'
import { searchFiles } from '../../functions/files/search-index/search-files.ts'
import { encodeVectors, listWindows, quantise } from '../../functions/files/search-index/vectors-format.ts'
import type { ObjectStore } from '../../functions/platform/s3/object-store.ts'
import { kb, median, ms, p95, type Figure } from './figures.ts'
import { searchQuestions } from './search-questions.ts'

const sub = 'bench'
const fileCount = searchQuestions.length
/** 75 pages a file, 3,000 pages together. */
const fileCharacters = 150_000
/** A request to S3 in the same region. */
const requestMs = 20
const passagesPerAnswer = 8
const goal = 36

function seededRandom(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

/** Files of shuffled paragraphs of the installed packages' Markdown, each with one fact. */
function makeFiles(): { id: string; name: string; text: string }[] {
  const random = seededRandom(7)
  const paragraphs = globSync('node_modules/**/*.md')
    .toSorted()
    .flatMap((path) => readFileSync(path, 'utf8').split(/\n{2,}/))
    .filter(({ length }) => length > 40 && length < 4_000)
  for (let at = paragraphs.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    ;[paragraphs[at], paragraphs[other]] = [paragraphs[other]!, paragraphs[at]!]
  }
  let next = 0
  return searchQuestions.map(({ fact }, file) => {
    const parts: string[] = []
    for (let length = 0; length < fileCharacters; next += 1) {
      const part = paragraphs[next % paragraphs.length]!
      parts.push(part)
      length += part.length + 2
    }
    parts.splice(Math.floor(random() * parts.length), 0, fact)
    return { id: `file-${file}`, name: `Notes ${file + 1}.md`, text: parts.join('\n\n') }
  })
}

/** Objects in memory, behind the delay of requests, which are counted. */
function countingStore() {
  const objects = new Map<string, Uint8Array>()
  const counts = { requests: 0, bytes: 0 }
  const store = {
    readRange: async (key: string, from: number, to: number) => {
      await setTimeout(requestMs)
      const bytes = objects.get(key)?.slice(from, to)
      counts.requests += 1
      counts.bytes += bytes?.length ?? 0
      return bytes && { bytes, etag: 'bench' }
    },
  } as ObjectStore
  const takeCounts = () => {
    const taken = { ...counts }
    Object.assign(counts, { requests: 0, bytes: 0 })
    return taken
  }
  return { store, objects, takeCounts }
}

/** A model of a real server: EMBEDDING_MODEL, OPENAI_BASE_URL, OPENAI_API_KEY. The demo model knows the synonyms that it was told, so its hits are no figure. */
function openConfiguredModel(): EmbeddingModel | undefined {
  const { EMBEDDING_MODEL: model, OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: key = '' } = process.env
  return model ? openEmbeddingModel({ model, baseUrl, readKey: async () => key }) : undefined
}

const noLimit = () => AbortSignal.timeout(600_000)

async function embedAll(model: EmbeddingModel, texts: readonly string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let from = 0; from < texts.length; from += embeddingsPerRequest)
    vectors.push(
      ...(await model.embed(texts.slice(from, from + embeddingsPerRequest), 'passage', noLimit())).vectors,
    )
  return vectors
}

async function makeVectors(model: EmbeddingModel, text: string): Promise<Uint8Array> {
  const windows = listWindows(text, 8_000)
  const vectors = await embedAll(model, windows.flat())
  const dimensions = vectors[0]?.length ?? 1
  const values = new Int8Array(vectors.length * dimensions)
  for (const [index, vector] of vectors.entries())
    quantise(vector, values.subarray(index * dimensions, (index + 1) * dimensions))
  const lengths = windows.map(({ length }) => length)
  return encodeVectors({ model: model.name, dimensions, characters: text.length, windows: lengths, values })
}

/** Runs some work, and measures its time, the processor’s time and the longest stop of the event loop meanwhile. */
async function watch<Result>(work: () => Promise<Result>) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await setTimeout(20)
  delay.reset()
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const result = await work()
  const took = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpuBefore)
  await setTimeout(20)
  delay.disable()
  return { result, took, cpu: (user + system) / 1e3, stop: delay.max / 1e6 }
}

type Hits = Map<string, number>
const formatHits = (hits: Hits) => {
  const found = [...hits.values()].reduce((sum, count) => sum + count, 0)
  return `${found} of ${fileCount} (${[...hits].map(([kind, count]) => `${kind} ${count}`).join(', ')})`
}

/** The search in files: what it finds, and what it costs. */
export async function measureFileSearch(): Promise<Figure[]> {
  const { store, objects, takeCounts } = countingStore()
  const model = openConfiguredModel()
  const files = makeFiles().map((file) => ({ ...file, vectorsModel: model?.name }))
  const buildTimes: number[] = []
  let indexBytes = 0
  for (const { id, text } of files) {
    const startedAt = performance.now()
    const { bytes } = await buildIndex(text)
    buildTimes.push(performance.now() - startedAt)
    indexBytes += bytes.length
    objects.set(indexKey(sub, id), bytes)
    objects.set(textKey(sub, id), new TextEncoder().encode(text))
    if (model) objects.set(vectorsKey(sub, id), await makeVectors(model, text))
  }
  const characters = files.reduce((sum, { text }) => sum + text.length, 0)
  const rssBefore = process.memoryUsage().rss
  const ask = async (wordings: readonly string[], byMeaning = false) => {
    const query =
      model && byMeaning ? { model: model.name, vectors: await embedAll(model, wordings) } : undefined
    return watch(() => searchFiles(store, sub, files, { wordings, limit: passagesPerAnswer, query }))
  }
  takeCounts()
  const cold = await ask(searchQuestions[0]!.wordings)
  const coldCounts = takeCounts()

  const measureHits = async (pick: (wordings: readonly string[]) => readonly string[], byMeaning = false) => {
    const hits: Hits = new Map()
    const times: number[] = []
    const cpuTimes: number[] = []
    const stops: number[] = []
    for (const { kind, fact, wordings } of searchQuestions) {
      const { result, took, cpu, stop } = await ask(pick(wordings), byMeaning)
      const isFound = result.passages.some(({ text }) => text.includes(fact))
      hits.set(kind, (hits.get(kind) ?? 0) + (isFound ? 1 : 0))
      times.push(took)
      cpuTimes.push(cpu)
      stops.push(stop)
    }
    return { hits, times, cpuTimes, stops }
  }
  const plain = await measureHits((wordings) => wordings.slice(0, 1))
  takeCounts()
  const worded = await measureHits((wordings) => wordings)
  const warmCounts = takeCounts()
  const plainByMeaning = model && (await measureHits((wordings) => wordings.slice(0, 1), true))
  const wordedByMeaning = model && (await measureHits((wordings) => wordings, true))
  const found = [...worded.hits.values()].reduce((sum, count) => sum + count, 0)
  const slowest = Math.max(...worded.times)
  const longest = Math.max(...worded.stops, ...plain.stops)
  const idle = await watch(() => setTimeout(2_000))
  return [
    {
      what: `Index of ${files.length} files with ${(characters / 1e6).toFixed(1)} million characters: all, per file p50 / most, stored`,
      measured: `${(buildTimes.reduce((sum, one) => sum + one, 0) / 1_000).toFixed(1)} s, ${ms(median(buildTimes))} / ${ms(Math.max(...buildTimes))}, ${kb(indexBytes)}`,
    },
    {
      what: `Found in ${passagesPerAnswer} passages by the question alone`,
      measured: formatHits(plain.hits),
    },
    {
      what: `Found in ${passagesPerAnswer} passages by ${searchQuestions[0]!.wordings.length} wordings`,
      measured: formatHits(worded.hits),
      budget: `${goal} or more`,
      met: found >= goal,
    },
    {
      what: `The same with vectors of EMBEDDING_MODEL: the question alone; all wordings, time p50`,
      measured:
        plainByMeaning && wordedByMeaning
          ? `${formatHits(plainByMeaning.hits)}; ${formatHits(wordedByMeaning.hits)}, ${ms(median(wordedByMeaning.times))}`
          : 'no model is named',
    },
    {
      what: `The first search, every request ${requestMs} ms: time, the processor’s, requests, read`,
      measured: `${ms(cold.took)}, ${ms(cold.cpu)}, ${coldCounts.requests}, ${kb(coldCounts.bytes)}`,
    },
    {
      what: 'Searches after it, with all wordings: p50 / p95 / most, the processor’s p50 / most, requests and bytes of each',
      measured: `${ms(median(worded.times))} / ${ms(p95(worded.times))} / ${ms(slowest)}, ${ms(median(worded.cpuTimes))} / ${ms(Math.max(...worded.cpuTimes))}, ${(warmCounts.requests / fileCount).toFixed(0)}, ${kb(warmCounts.bytes / fileCount)}`,
      budget: 'below 500 ms',
      met: slowest < 500,
    },
    {
      what: 'Searches after it, the question alone: p50 / p95 / most',
      measured: `${ms(median(plain.times))} / ${ms(p95(plain.times))} / ${ms(Math.max(...plain.times))}`,
    },
    {
      what: `The longest stop of the event loop in a search: first / later (idle: ${ms(idle.stop)})`,
      measured: `${ms(cold.stop)} / ${ms(longest)}`,
      budget: '50 ms',
      met: Math.max(longest, cold.stop) <= 50,
    },
    {
      what: 'Memory of all searches together',
      measured: `${kb(Math.max(0, process.memoryUsage().rss - rssBefore))}`,
    },
    ...(await measureStress()),
  ]
}

const stressCharacters = 1_300_000
const pick = (random: () => number, from: number, count: number) =>
  String.fromCodePoint(from + Math.floor(random() * count))
/** Like the words of a language: few are frequent. */
const pickZipf = (random: () => number, from: number, count: number) =>
  String.fromCodePoint(from + Math.floor(count ** random()) - 1)
const stressTexts: Readonly<Record<string, (random: () => number) => string>> = {
  'Han, by Zipf': (random) => pickZipf(random, 0x4e_00, 6_000),
  'Han, random': (random) => pick(random, 0x4e_00, 20_000),
  Hangul: (random) => (random() < 0.25 ? ' ' : pickZipf(random, 0xac_00, 2_000)),
  Thai: (random) => pick(random, 0x0e_01, 46),
  'Unique words': (random) => `${Math.floor(random() * 1e9).toString(36)}x `,
}

async function measureStress(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, make] of Object.entries(stressTexts)) {
    const random = seededRandom(11)
    const parts: string[] = []
    for (let length = 0; length < stressCharacters;) {
      const part = make(random)
      parts.push(part)
      length += part.length
    }
    const text = parts.join('')
    const { store, objects } = countingStore()
    const built = await watch(() => buildIndex(text))
    objects.set(indexKey(sub, name), built.result.bytes)
    objects.set(textKey(sub, name), new TextEncoder().encode(text))
    const wordings = [text.slice(5_000, 5_040), text.slice(900_000, 900_200)]
    const search = () => searchFiles(store, sub, [{ id: name, name }], { wordings, limit: passagesPerAnswer })
    const cold = await watch(search)
    const warm = await watch(search)
    figures.push({
      what: `${name}, ${(text.length / 1e6).toFixed(1)} million characters: index built, the processor’s time, stored; a search cold / warm, its longest stop`,
      measured: `${(built.took / 1_000).toFixed(1)} s, ${(built.cpu / 1_000).toFixed(1)} s, ${kb(built.result.bytes.length)}; ${ms(cold.took)} / ${ms(warm.took)}, ${ms(Math.max(cold.stop, warm.stop))}`,
    })
  }
  return figures
}
