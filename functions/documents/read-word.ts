import { zipSync } from 'fflate'
import mammoth from 'mammoth'
import { DocumentError, OmissionCounter, TextCollector, type ExtractedText } from './extracted-text.ts'
import type { PartReader } from './part-reader.ts'
import { DocumentPackage, readAttribute, type Relationship } from './read-package.ts'
import { author, blockWriter, WordBody, type WordContext, type WordNote } from './word-body.ts'
import { parseWord, type WordHandlers } from './word-events.ts'
import { readWordNumbering } from './word-numbering.ts'
import { readWordStyles } from './word-styles.ts'

const maxBytes = 24 * 1024 * 1024

/** Keeps what notes, or comments, consist of until a text refers to them. */
function readNotes(
  part: Uint8Array,
  kind: string,
  related: readonly Relationship[],
  notes: Map<string, WordNote>,
): void {
  let events: ((handlers: WordHandlers) => void)[] | undefined
  parseWord(part, {
    open(name, attributes) {
      events?.push((handlers) => handlers.open(name, attributes))
      if (name !== `w:${kind}`) return
      const own: typeof events = []
      events = own
      notes.set(`${kind} ${readAttribute(attributes, 'id')}`, {
        author: author(attributes),
        related,
        replay(handlers) {
          for (const replay of own) replay(handlers)
        },
      })
    },
    text: (text) => events?.push((handlers) => handlers.text(text)),
    close(name) {
      if (name === `w:${kind}`) events = undefined
      events?.push((handlers) => handlers.close(name))
    },
  })
}

/** What is no well-formed XML is read by mammoth, whose parser goes on. @throws DocumentError */
export async function readWord(bytes: Uint8Array, parts?: PartReader): Promise<ExtractedText> {
  const omissions = new OmissionCounter()
  const documentPackage = new DocumentPackage(bytes, maxBytes, omissions)
  try {
    return await readPackage(documentPackage, omissions, parts)
  } catch (error) {
    if (!(error instanceof DocumentError) || error.problem !== 'unreadable') throw error
    const text = new TextCollector()
    text.add(await readLeniently(documentPackage, error))
    const left = new OmissionCounter()
    left.add('parts')
    left.note('unproven', omissions.list().unproven ?? 0)
    return { ...text.end(), ...left.list() }
  }
}

async function readLeniently(documentPackage: DocumentPackage, failure: DocumentError): Promise<string> {
  const entries = documentPackage.paths.flatMap((path) => {
    const part = /^(?:_rels|word)\/|^\[content_types\]/.test(path) ? documentPackage.read(path) : undefined
    return part ? [[path, part] as const] : []
  })
  try {
    // mammoth unpacks without limits, so it gets an uncompressed package of the parts that were read
    const buffer = Buffer.from(zipSync(Object.fromEntries(entries), { level: 0 }))
    const { value } = await mammoth.extractRawText({ buffer })
    if (value.trim() !== '') return value.trim()
  } catch {
    // the first failure says more
  }
  throw failure
}

async function readPackage(
  documentPackage: DocumentPackage,
  omissions: OmissionCounter,
  parts: PartReader | undefined,
): Promise<ExtractedText> {
  let text = new TextCollector()
  const given: string[] = []
  const write = blockWriter((block) => {
    given.push(block)
    text.add(block)
  })
  const path = documentPackage.findMain()
  const related = documentPackage.relationships(path)
  const find = (type: string) => related.find((one) => one.type === type)?.path ?? ''
  const tryRead: WordContext['tryRead'] = (part, read) => documentPackage.tryRead(part, omissions, read)
  const imported = new Map<string, string>()
  for (const { path: from } of related.filter(({ type }) => type === 'aFChunk')) {
    const part = tryRead(from, (chunk) => chunk)
    const read = part && (await parts?.read({ name: from, type: '', bytes: part }, omissions))
    if (read !== undefined) imported.set(from, read)
  }
  const notes = new Map<string, WordNote>()
  const context: WordContext = {
    omissions,
    styles: tryRead(find('styles'), readWordStyles) ?? (() => ({ look: {} })),
    numbering: tryRead(find('numbering'), readWordNumbering),
    notes,
    imported,
    tryRead,
    noteNumber: 0,
  }
  omissions.add('macros', related.filter(({ type }) => type === 'vbaProject').length)
  for (const kind of ['footnote', 'endnote', 'comment']) {
    const from = find(`${kind}s`)
    tryRead(from, (part) => readNotes(part, kind, documentPackage.relationships(from), notes))
  }

  // the first page, and pages on the left, often have the same
  const pageParts = new Set<string>()
  const addPageParts = (kind: string, title: string) => {
    for (const part of related.filter(({ type }) => type === kind)) {
      const written: string[] = []
      const add = blockWriter((block) => written.push(block))
      const read = new WordBody(context, documentPackage.relationships(part.path), add, true)
      tryRead(part.path, (content) => parseWord(content, read))
      const shown = `${title}: ${read.ledger.settle(written, omissions).join('')}`
      if (written.length > 0 && !pageParts.has(shown)) write({ text: shown, isItem: false })
      pageParts.add(shown)
    }
  }
  addPageParts('header', 'Page header')
  const before = given.length
  const body = new WordBody(context, related, write)
  readMain(documentPackage.require(path), body)
  const written = given.slice(before)
  const settled = body.ledger.settle(written, omissions)
  if (settled !== written) {
    text = new TextCollector()
    for (const block of [...given.slice(0, before), before > 0 ? '\n\n' : '', ...settled]) text.add(block)
  }
  addPageParts('footer', 'Page footer')
  return { ...text.end(), ...omissions.list() }
}

function readMain(part: Uint8Array, body: WordBody): void {
  let isDocument = false
  parseWord(part, {
    open(name, attributes) {
      isDocument ||= name === 'w:body'
      body.open(name, attributes)
    },
    text: (text) => body.text(text),
    close: () => body.close(),
  })
  if (!isDocument) throw new DocumentError('unreadable', 'not a Word document')
  body.end()
}
