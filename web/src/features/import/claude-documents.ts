import { getOwn } from '#shared/get-own.ts'
import type { LeftOutCounter } from './left-out.ts'
import { findLanguage, toLanguage } from './code-languages.ts'
import { findDocument, type Documents, type ExportedDocument, type MessagePart } from './message-parts.ts'
import { toBaseName, toText, type Fields } from './read-values.ts'

const languagesByType: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'text/markdown': 'markdown',
  'image/svg+xml': 'svg',
  'application/vnd.ant.mermaid': 'mermaid',
  'application/vnd.ant.react': 'jsx',
}

const findDocumentLanguage = (type: string, language: string) =>
  getOwn(languagesByType, type) ?? toLanguage(language)

/**
 * The document that a call creates or changes: an artifact, or a file.
 * @returns `unchanged` for a call that changes an artifact or a file in no way that can be repeated; undefined if the call is another one
 */
export function readDocumentCall(
  name: string,
  input: Fields,
  documents: Documents | undefined,
  leftOut: LeftOutCounter,
): ExportedDocument | 'unchanged' | undefined {
  const path = toText(input['path'])
  const isArtifact = name === 'artifacts'
  const id = isArtifact ? toText(input['id']) : path
  const key = toKey(isArtifact ? 'artifact' : 'file', id)
  const content = input['content'] ?? input['file_text']
  const before = findDocument(documents, (one) => one.key === key)
  const title = toText(input['title']) || toBaseName(path)
  if (typeof content === 'string' && (title !== '' || isArtifact)) {
    const language = isArtifact
      ? findDocumentLanguage(toText(input['type']), toText(input['language']))
      : findLanguage(path)
    return {
      key: toKey(isArtifact ? 'artifact' : 'file', id || content),
      name: title || (before?.name ?? ''),
      language: language || (before?.language ?? ''),
      content,
    }
  }
  const oldText = input['old_str']
  if (typeof oldText !== 'string' || (!isArtifact && path === '')) return isArtifact ? 'unchanged' : undefined
  if (before === undefined || !before.content.includes(oldText)) {
    leftOut.add('documentChanges')
    return 'unchanged'
  }
  const newText = toText(input['new_str'])
  return { ...before, content: before.content.replace(oldText, () => newText) }
}

/** The key of a document. @param id its id or path; its content if it has none, so that it is no state of another one */
const toKey = (kind: 'artifact' | 'file', id: string) => `${kind} ${id}`

/** A start tag with its attributes, as texts of 2024 have them. The lengths are limited, so that untrusted text takes no endless time. */
const startTag = /<(antThinking|antArtifact)\b([^<>]{0,1000})>/g
const attribute = /([a-z]{1,20})="([^"]{0,300})"/g

/** Splits a text of 2024, in which thoughts and artifacts stand as tags, into its parts. */
export function readTags(text: string): {
  parts: MessagePart[]
  thoughts: string[]
  documents: ExportedDocument[]
} {
  const parts: MessagePart[] = []
  const thoughts: string[] = []
  const documents: ExportedDocument[] = []
  let at = 0
  for (const match of text.matchAll(startTag)) {
    const [whole, tag = '', attributes = ''] = match
    if (match.index < at) continue
    const start = match.index + whole.length
    const endTag = `</${tag}>`
    const end = text.indexOf(endTag, start)
    const inner = text.slice(start, end === -1 ? undefined : end)
    parts.push(text.slice(at, match.index).trim())
    at = end === -1 ? text.length : end + endTag.length
    if (tag === 'antThinking') {
      thoughts.push(inner.trim())
      continue
    }
    const document = toArtifact(attributes, inner)
    documents.push(document)
    parts.push(document)
  }
  parts.push(at === 0 ? text : text.slice(at).trim())
  return { parts, thoughts, documents }
}

function toArtifact(attributes: string, inner: string): ExportedDocument {
  const fields = new Map(
    Array.from(attributes.matchAll(attribute), ([, name = '', value = '']) => [name, value]),
  )
  return {
    key: toKey('artifact', fields.get('identifier') || inner),
    name: fields.get('title') ?? '',
    language: findDocumentLanguage(fields.get('type') ?? '', fields.get('language') ?? ''),
    content: inner.replace(/^\n/, ''),
  }
}
