import { getExtension } from '#shared/file-kinds.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import { identifyFile } from '../../files/detect-type.ts'
import { isRead, type StoredFile } from '../../files/file-row.ts'
import { readTextRange } from '../../files/read-text-range.ts'
import { ToolError } from '../../platform/tool-error.ts'
import { explainNoText } from '../prompt/document-text.ts'
import { findReadFiles } from '../prompt/find-read-files.ts'
import { fetchPage, type FetchedPage } from './fetch-page.ts'
import { toPageAddress } from '#shared/page-address.ts'
import type { PageDeps, PageText } from './read-page-tool.ts'
import { storeFile } from './result-files.ts'

/** Of a page that a call answers with: less than is cut from results. The file has all of it. */
const maxTextCharacters = 16_000

/** @throws AddressForbidden, OutboundFailed, StorageFull, ToolError */
export async function readPage(deps: PageDeps, given: string, signal: AbortSignal): Promise<PageText> {
  const { fileDeps, sub, sessionId, outboundAllow, onSource, onFile } = deps
  const page = await fetchPage(toPageAddress(given) ?? given, outboundAllow, signal)
  const { url, bytes, isCut } = page
  const { host } = new URL(url)
  if (bytes.length === 0) throw new ToolError(sayOwnTool('own_tool.page_empty', { host }))
  const type = findType(page)
  const identified = identifyFile({ name: buildName(url, type), declaredType: type, bytes })
  if (!identified) throw new ToolError(sayOwnTool('own_tool.page_program', { host }))
  const file: StoredFile = {
    ...identified,
    id: crypto.randomUUID(),
    size: bytes.length,
    state: 'ready',
    created_at: new Date().toISOString(),
    page_url: url,
  }
  const attachment = await storeFile(fileDeps, { sub, sessionId }, file, bytes)
  onFile(attachment)
  const { text, isWhole, why } = await readText(deps, file)
  const title = (type === 'text/html' ? /^# ([^\n]{1,300})/.exec(text)?.[1] : undefined) ?? file.name
  onSource({ url, title })
  const notes = [...(why === undefined ? [] : [why]), ...findNotes(page, type, text)]
  return {
    url,
    title,
    type,
    file_id: file.id,
    ...(notes.length > 0 && {
      note: notes.length === 1 ? notes[0] : notes.map(({ text: said }) => said).join(' '),
    }),
    ...((isCut || !isWhole) && { truncated: true }),
    // last: a model with a short window gets the beginning of the answer
    text,
  }
}

async function readText({ fileDeps, sub }: PageDeps, { id, name }: StoredFile) {
  const read = (await findReadFiles(fileDeps, sub, [id])).get(id)
  if (!read) throw new ToolError(sayOwnTool('own_tool.no_attachment'))
  const { text: stored, text_length: length = 0 } = read
  if (!isRead(read) || !stored) {
    // a page without words was read
    const isEmpty = isRead(read) && read.reading?.status !== 'failed'
    return {
      text: '',
      isWhole: isEmpty,
      why: isEmpty ? undefined : sayOwnTool('own_tool.no_text', { name, why: explainNoText(read) }),
    }
  }
  const text = await readTextRange(
    fileDeps.store,
    sub,
    { id, text: stored },
    { from: 0, to: maxTextCharacters },
  )
  if (text === undefined)
    throw new ToolError(sayOwnTool('own_tool.no_text', { name, why: sayOwnTool('no_text.gone') }))
  return { text, isWhole: text.length >= Math.max(length, stored.characters), why: undefined }
}

/** A page with less asks for a sign-in, or shows its text by scripts, if it has their marks. */
const fewCharacters = 600

function findNotes({ bytes }: FetchedPage, type: string, text: string): Sentence[] {
  if (type !== 'text/html' || text.length >= fewCharacters) return []
  const html = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (/<input\s[^>]{0,500}type\s{0,5}=\s{0,5}["']?password/i.test(html))
    return [sayOwnTool('own_tool.page_login')]
  // a title is no text
  if (text.replace(/^# [^\n]*/, '').trim() !== '') return []
  return [sayOwnTool(/<script[\s>]/i.test(html) ? 'own_tool.page_scripts' : 'own_tool.page_no_text')]
}

/** What the content is, whatever the server says; for a text that could be anything, what the server says. */
function findType({ bytes, declaredType }: FetchedPage): string {
  const identified = identifyFile({ name: '', declaredType, bytes })
  if (identified && !/^(?:text\/|application\/(?:json|octet-stream)$)/.test(identified.type))
    return identified.type
  const start = Buffer.from(bytes.subarray(0, 2_000))
    .toString('latin1')
    .replace(/^(?:ï»¿|[\s\0])+/, '')
  const isXhtml = /<html[\s>]/i.test(start)
  if (
    /^<(?:!doctype html|html|head|body|title|meta|script|div|p|table|h1|main|article)[\s>]/i.test(start) ||
    isXhtml
  )
    return 'text/html'
  if (/<rss[\s>]|<rdf:RDF[\s>]/.test(start)) return 'application/rss+xml'
  if (/<feed[\s>]/.test(start)) return 'application/atom+xml'
  if (start.startsWith('<?xml')) return 'application/xml'
  if (start.startsWith('<') && declaredType === 'text/html') return 'text/html'
  if (/^[[{]/.test(start) && isJson(bytes)) return 'application/json'
  if (identified?.type !== 'text/plain') return identified?.type ?? declaredType
  return /^text\/(?:csv|markdown|calendar|vcard)$/.test(declaredType) ? declaredType : 'text/plain'
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes))
    return true
  } catch {
    return false
  }
}

const extensions: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'application/rss+xml': 'xml',
  'application/atom+xml': 'xml',
  'application/xml': 'xml',
  'application/json': 'json',
  'text/csv': 'csv',
  'text/calendar': 'ics',
  'text/vcard': 'vcf',
}

/** The last part of the path, or the host, with the extension of the content. */
function buildName(url: string, type: string): string {
  const { hostname, pathname } = new URL(url)
  const last = decode(pathname.split('/').findLast((part) => part !== '') ?? '') || hostname
  const extension = extensions[type]
  return extension === undefined || getExtension(last) === extension ? last : `${last}.${extension}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
