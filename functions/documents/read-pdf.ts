import { getDocumentProxy } from 'unpdf'
import * as z from 'zod'
import { countPdfPictures } from './count-pdf-pictures.ts'
import {
  DocumentError,
  isTimeOver,
  OmissionCounter,
  TextCollector,
  TimeOver,
  type ExtractedText,
} from './extracted-text.ts'
import { PartReader } from './part-reader.ts'
import { formatAnnotations, listLinks, listStrikes } from './pdf-annotations.ts'
import { readDrawing, type Drawing, type GlyphRun } from './pdf-drawing.ts'
import { PdfDataFactory } from './pdf-data.ts'
import { divideAtClips } from './pdf-glyphs.ts'
import { findHiddenItems, findHiddenLayers, type Layers, dropSeen, findUnseenItems } from './pdf-unseen.ts'
import { FontDecoder, isGarbled, type FontCharacters } from './pdf-fonts.ts'
import { refineItems } from './pdf-gaps.ts'
import { haveSameLetters } from './letter-ledger.ts'
import { formatWholePage } from './pdf-lines.ts'
import type { TextItem } from './pdf-pieces.ts'
import { decodePrivate } from './symbol-fonts.ts'

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
type Page = Awaited<ReturnType<Document['getPage']>>
type PageItem = TextItem & { fontName?: string; isHidden?: boolean }

const pdfOptions = {
  useSystemFonts: false,
  BinaryDataFactory: PdfDataFactory,
  // without it, pdf.js would read files itself
  useWorkerFetch: false,
  cMapPacked: true,
  // pictures are not decoded, fonts are told
  maxImageSize: 1,
  fontExtraProperties: true,
}

const enableAnnotations = 1

async function tryDraw(page: Page): Promise<Drawing | undefined> {
  try {
    return readDrawing(await page.getOperatorList({ annotationMode: enableAnnotations }))
  } catch {
    return undefined
  }
}

function findFont(page: Page, name: string): unknown {
  try {
    return page.commonObjs.get(name) as unknown
  } catch {
    // not loaded
    return undefined
  }
}

/** Whether a text is drawn in a font that cannot be loaded: pdf.js then leaves its glyphs out, and has its error in place of the font. */
const losesText = (page: Page, runs: readonly GlyphRun[]) =>
  runs.some(({ codes, fontName }) => codes.length === 0 && typeof findFont(page, fontName) === 'string')

/** Writers keep the code of the blank, whose glyph may have no entry. */
const decodeCode = ({ characters }: FontCharacters, code: number) =>
  code < 0 ? ' ' : (characters.get(code) ?? (code === 32 ? ' ' : '\ufffd'))
const decode = (font: FontCharacters, codes: readonly number[]) =>
  codes.map((code) => decodeCode(font, code)).join('')

/** Puts characters where pdf.js has numbers of glyphs. @returns whether a text remains that cannot be known */
function decodeItems(
  page: Page,
  items: readonly PageItem[],
  fonts: FontDecoder,
  runs: readonly GlyphRun[],
): { items: PageItem[]; isUnknown: boolean } {
  const tables = new Map<string, FontCharacters | undefined>()
  const drawn = new Set(runs.map(({ fontName }) => fontName))
  let isUnknown = false
  const decoded = items.flatMap((item): PageItem | [] => {
    const { fontName = '', str } = item
    if (!tables.has(fontName)) tables.set(fontName, fonts.findCharacters(findFont(page, fontName)))
    const table = tables.get(fontName)
    if (!table || (str.trim() === '' && !table.isLossy)) return item
    if (table.characters.size === 0) {
      isUnknown = true
      return item
    }
    if (table.isLossy && drawn.has(fontName)) return []
    if (table.isLossy) {
      // its glyphs are not known without the drawing
      isUnknown = true
      return item
    }
    const text = decode(
      table,
      Array.from(str, (glyph) => glyph.codePointAt(0) ?? 0),
    )
    if (text.includes('\ufffd')) isUnknown = true
    // each glyph was a character of its own
    const { joints: _, ...rest } = item
    return toLogicalOrder({ ...rest, str: text })
  })
  // what is drawn has all of their glyphs
  for (const { codes, ...run } of runs) {
    const table = tables.get(run.fontName)
    if (!table?.isLossy) continue
    const text = decode(table, codes)
    if (text.includes('\ufffd')) isUnknown = true
    decoded.push(toLogicalOrder({ ...run, str: text }))
  }
  return { items: decoded, isUnknown }
}

const namedFont = z.object({ name: z.string() }).catch({ name: '' })

function decodeSigns(page: Page, item: PageItem): PageItem {
  if (!/[\uf020-\uf0ff]/.test(item.str)) return item
  const { name } = namedFont.parse(findFont(page, item.fontName ?? ''))
  return { ...item, str: decodePrivate(item.str, name) }
}

/** Codes of glyphs that no table has. */
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/g

/** A hyphen at the end of a line which the word does not have. */
const softBreaks = /\u00ad[ \t]{0,10}\n/g

const presentationForms = /[\ufb50-\ufdff\ufe70-\ufefc]/
const shapes = /[\ufb50-\ufdff\ufe10-\ufe19\ufe30-\ufe48\ufe70-\ufefc]{1,1000}/g

/** Some programs write the shapes of letters, which nobody searches for: those of Arabic within words, and signs of vertical writing. */
function toLetters(item: PageItem): PageItem {
  const { joints: _, ...rest } = item
  const str = item.str.replaceAll(shapes, (run) => run.normalize('NFKC'))
  return str === item.str ? item : { ...rest, str }
}

const reverse = (text: string) => Array.from(text).toReversed().join('')
const reversedWords = /[\ufb50-\ufdff\ufe70-\ufefc]{1,1000}(?: [\ufb50-\ufdff\ufe70-\ufefc]{1,1000}){0,1000}/g

/** Orders Arabic shapes as they are read: they are in the order in which they are drawn, from left to right. */
function toLogicalOrder(item: PageItem): PageItem {
  if (!presentationForms.test(item.str)) return item
  // a Latin text with Arabic words keeps its direction
  if (/\p{Script=Latin}/u.test(item.str)) return { ...item, str: item.str.replaceAll(reversedWords, reverse) }
  return { ...item, str: reverse(item.str).replaceAll(/[\d.,:/%+-]{2,1000}/g, reverse), dir: 'rtl' }
}

const words = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]{2,200}/g
const repairWords = (text: string, repairs: ReadonlyMap<string, string>) =>
  repairs.size === 0 ? text : text.replaceAll(words, (word) => repairs.get(word) ?? word)

interface ReadPage {
  text: string
  isGarbled: boolean
  isBlank: boolean
  hasHidden: boolean
  /** its layout could not be kept without losing letters */
  isPlain?: boolean
}

/** The text of a page, the values of its form, its comments and its stamps. */
async function readPage(
  pdf: Document,
  number: number,
  fonts: FontDecoder,
  layers: Layers | undefined,
): Promise<ReadPage> {
  const page = await pdf.getPage(number)
  // marks divide texts where they need not be divided
  const content = await page.getTextContent({ includeMarkedContent: layers !== undefined })
  // a damaged annotation does not cost the page its text
  const annotations = await page.getAnnotations().catch(() => [])
  const drawing = isTimeOver() ? undefined : await tryDraw(page)
  const off = layers && findHiddenItems(content.items, drawing?.groups ?? [], layers)
  const texts = content.items.filter((item) => 'str' in item)
  const unseen = drawing ? findUnseenItems(texts, drawing, page.userUnit) : undefined
  const isUnseen = (item: (typeof texts)[number]) => off?.has(item) === true || unseen?.has(item) === true
  // a layer may repeat what another one shows
  const divided = divideAtClips(
    texts.map((item) => ({ ...item, isHidden: isUnseen(item) })),
    layers ? [] : (drawing?.runs ?? []),
  )
  // a page whose text is all hidden is read as it is
  const hasShown = divided.some(
    ({ str, isHidden, isClipped }) => str.trim() !== '' && !isHidden && !isClipped,
  )
  const parts = divided.map((item) => ({
    ...item,
    isHidden: item.isHidden || (hasShown && item.isClipped === true),
  }))
  const spaced = refineItems(parts, drawing?.runs ?? [])
  const toLetterList = (list: readonly TextItem[]) => list.map(({ str }) => str.normalize('NFKC'))
  // letters of a spaced heading come from the drawing
  const found: readonly PageItem[] = haveSameLetters(toLetterList(parts), toLetterList(spaced))
    ? spaced
    : parts
  const decoded = decodeItems(page, found, fonts, drawing?.runs ?? [])
  const items = decoded.items.map((item) => decodeSigns(page, item))
  const isIncomplete = losesText(page, drawing?.runs ?? [])
  page.cleanup()
  const marks = {
    lines: [...(drawing?.lines ?? []), ...listStrikes(annotations)],
    walls: drawing?.walls ?? [],
    links: listLinks(annotations),
  }
  const shown = items.filter(({ isHidden }) => !isHidden)
  const rest = items.filter(({ isHidden }) => isHidden)
  const laidOut = [shown, dropSeen(rest, shown)].map((list) =>
    formatWholePage(
      list
        .map(toLetters)
        .map((item) => ({ ...item, str: repairWords(item.str, drawing?.words ?? new Map()) })),
      marks,
    ),
  )
  const [text = '', hidden = ''] = laidOut.map((one) => one.text)
  const layer = hidden === '' ? '' : `[hidden: ${hidden}]`
  return {
    text: [text, layer, formatAnnotations(annotations, drawing?.stamps)]
      .filter((part) => part !== '')
      .join('\n\n')
      .replaceAll(controls, '\ufffd')
      // where pdf.js has none, no word went on
      .replaceAll(softBreaks, '')
      .replaceAll('\u00ad', '-'),
    hasHidden: layer !== '',
    isGarbled: decoded.isUnknown || isIncomplete || isGarbled(text),
    isBlank: drawing?.isBlank === true,
    isPlain: laidOut.some(({ plain }) => plain !== undefined),
  }
}

interface AttachedFile {
  filename?: string
  content?: Uint8Array
}

async function listAttachments(pdf: Document): Promise<[id: string, file: AttachedFile][]> {
  const attached = (await pdf.getAttachments().catch(() => null)) as
    | Map<string, AttachedFile>
    | Record<string, AttachedFile>
    | null
  return attached instanceof Map ? [...attached] : Object.entries(attached ?? {})
}

/** Files in the PDF: invoices of shops carry their numbers as XML (Factur-X). */
async function readAttachments(
  pdf: Document,
  parts: PartReader,
  omissions: OmissionCounter,
): Promise<string> {
  const texts: string[] = []
  for (const [id, file] of await listAttachments(pdf)) {
    const name = file.filename ?? id
    const bytes = file.content ?? (await loadAttachment(pdf, id))
    const text = bytes && (await parts.read({ name, type: '', bytes }, omissions))
    if (!bytes) omissions.add('attachments')
    texts.push(`[Attached file: ${name}]${text === undefined ? '' : `\n${text}`}`)
  }
  return texts.join('\n\n')
}

async function loadAttachment(pdf: Document, id: string): Promise<Uint8Array | undefined> {
  const source = pdf as unknown as { getAttachmentContent?: (id: string) => Promise<Uint8Array | null> }
  return (await source.getAttachmentContent?.(id).catch(() => undefined)) ?? undefined
}

export async function readPdf(bytes: Uint8Array, parts: PartReader): Promise<ExtractedText> {
  const omissions = new OmissionCounter()
  omissions.add('pictures', countPdfPictures(bytes))
  // pdf.js takes the bytes
  const whole = bytes.slice()
  const text = new TextCollector()
  const ends: number[] = []
  const empty: number[] = []
  const garbled: number[] = []
  const plain: number[] = []
  /** pages that are not shown by their text */
  const unseen: number[] = []
  let total = 0
  let damaged = 0
  const finish = async (): Promise<ExtractedText> => ({
    ...text.end(),
    ...(unseen.length > 0 && (await showPages(whole, unseen))),
    pages: {
      ends,
      total,
      ...(empty.length > 0 && { empty }),
      ...(garbled.length > 0 && { garbled }),
      ...(plain.length > 0 && { plain }),
    },
    ...omissions.list(),
  })
  try {
    const pdf = await getDocumentProxy(bytes, pdfOptions)
    total = pdf.numPages
    const fonts = new FontDecoder(whole)
    const layers = await findHiddenLayers(pdf)
    omissions.add('forms', await countDynamicForms(pdf))
    for (let number = 1; number <= total; number += 1) {
      if (text.isFull || (number > 1 && isTimeOver())) break
      const page = await tryReadPage(() => readPage(pdf, number, fonts, layers), omissions)
      // pages of such codes are named
      if (!page.isGarbled) omissions.add('damagedCharacters', page.text.split('\ufffd').length - 1)
      if (page.hasHidden) omissions.note('hidden')
      const more = number === total ? await readAttachments(pdf, parts, omissions) : ''
      const content = [page.text, more].filter((part) => part !== '').join('\n\n')
      if (page.text === '' && !page.isDamaged && !page.isGarbled) empty.push(number)
      if (page.isGarbled) garbled.push(number)
      if (page.isPlain) plain.push(number)
      if (page.isGarbled || (page.text === '' && !page.isBlank)) unseen.push(number)
      text.addLast(content === '' ? '' : text.length > 0 ? `\n\n${content}` : content)
      ends.push(text.length)
      damaged += page.isDamaged ? 1 : 0
    }
    if (damaged === total) throw new Error('no page can be read')
    // files behind pages that were not read
    if (ends.length < total) omissions.add('attachments', (await listAttachments(pdf)).length)
    return await finish()
  } catch (error) {
    if (error instanceof TimeOver && ends.length > 0) return finish()
    if (error instanceof TimeOver) throw error
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    throw new DocumentError(isLocked ? 'encrypted' : 'unreadable', 'not a readable PDF', { cause: error })
  }
}

/** A damaged page does not cost the others their text. It is counted, and empty. */
async function tryReadPage(
  read: () => Promise<ReadPage>,
  omissions: OmissionCounter,
): Promise<ReadPage & { isDamaged?: boolean }> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof DocumentError) throw error
    omissions.add('parts')
    return { text: '', isGarbled: false, isBlank: true, hasHidden: false, isDamaged: true }
  }
}

async function showPages(
  whole: Uint8Array,
  pages: readonly number[],
): Promise<Pick<ExtractedText, 'pictures' | 'scans'>> {
  const { readPagePictures } = await import('./page-pictures.ts')
  const { splitScans } = await import('./split-scans.ts')
  const pictures = await readPagePictures(whole.slice(), pages)
  const parts = await splitScans(whole.slice(), pages)
  return { ...(pictures.length > 0 && { pictures }), scans: { of: pages.length, parts } }
}

/** A dynamic form (XFA) has no fields but its own: its pages only say that another program is needed. */
async function countDynamicForms(pdf: Document): Promise<number> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }))
  const { IsXFAPresent, IsAcroFormPresent } = info as { IsXFAPresent?: boolean; IsAcroFormPresent?: boolean }
  return IsXFAPresent && !IsAcroFormPresent ? 1 : 0
}
