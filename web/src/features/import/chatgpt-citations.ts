import type { Source } from '#shared/contracts/chat.ts'
import type { LeftOutCounter } from './left-out.ts'
import { formatLink, formatLinks, toSource } from './message-links.ts'
import { toFields, toList, toText, type Fields } from './read-values.ts'

/**
 * Marks that ChatGPT shows as citations or links: characters of Unicode's private use area around a kind and its values, or brackets with a
 * dagger. Further private characters mark where a cited passage begins and ends. No mark has another one in it, and its numbers are
 * short, so that untrusted text takes no endless time.
 */
const citationMark =
  /\ue200([^\ue200\ue201]*)\ue201|【(\d{1,9})(?::\d{1,9})?†[^【】\n]{0,200}】|[\ue203-\ue206]/g

/** Texts with their sources, as `content_references` (since 2024) and `citations` (before) name them. */
interface Citations {
  readonly byText: ReadonlyMap<string, readonly Source[]>
  readonly byNumber: ReadonlyMap<string, Source>
  readonly all: readonly Source[]
}

/** The text of a message with links in the place of its marks, and all pages that it cites. */
export function readCitations(
  text: string,
  metadata: Fields,
  leftOut: LeftOutCounter,
): { text: string; sources: readonly Source[] } {
  const { byText, byNumber, all } = listCitations(metadata)
  const linkedText = text.replace(citationMark, (whole, content?: string, number?: string, at = 0) => {
    const before = text.charAt(at - 1)
    const sources = byText.get(whole)
    if (sources) return formatLinks(sources, before)
    if (content !== undefined) return readMark(content, leftOut)
    if (number === undefined) return ''
    const source = byNumber.get(number)
    if (!source) leftOut.add('citations')
    return formatLinks(source ? [source] : [], before)
  })
  return { text: linkedText, sources: all }
}

/** The words of a mark: the name of a thing (`["city","Rome"]`, or the name alone), or a link. Others have none. */
function readMark(content: string, leftOut: LeftOutCounter): string {
  const [kind = '', first = '', second = ''] = content.split('\ue202')
  if (kind === 'url') {
    const source = toSource(second, first)
    return source ? formatLink(source) : first
  }
  if (/cite/.test(kind)) leftOut.add('citations')
  if (kind !== 'entity') return ''
  try {
    const [type, name] = toList(JSON.parse(first))
    return toText(name) || toText(type)
  } catch {
    return first
  }
}

function listCitations(metadata: Fields): Citations {
  const byText = new Map<string, Source[]>()
  const byNumber = new Map<string, Source>()
  const all = new Map<string, Source>()
  const add = (sources: readonly Source[]) => {
    for (const source of sources) if (!all.has(source.url)) all.set(source.url, source)
  }
  for (const reference of toList(metadata['content_references']).map(toFields)) {
    const sources = listSources(reference)
    add(sources)
    const matched = toText(reference['matched_text'])
    // some have a space, or the words themselves, which stay
    if (sources.length > 0 && /[\ue200【]/.test(matched)) byText.set(matched, sources)
  }
  for (const citation of toList(metadata['citations']).map(toFields)) {
    const page = toFields(citation['metadata'])
    const source = toSource(toText(page['url']), toText(page['title']))
    if (!source) continue
    add([source])
    const number = toFields(page['extra'])['cited_message_idx']
    if (typeof number === 'number') byNumber.set(String(number), source)
  }
  return { byText, byNumber, all: [...all.values()] }
}

/** The pages of a reference, each once: its items with what supports them, or the addresses alone. */
function listSources(reference: Fields): Source[] {
  const sourcesByUrl = new Map<string, Source>()
  const lists = ['items', 'sources', 'fallback_items', 'images'].flatMap((name) => toList(reference[name]))
  const pages = lists
    .map(toFields)
    .flatMap((page) => [page, ...toList(page['supporting_websites']).map(toFields)])
  for (const page of [...pages, reference]) {
    const source = toSource(toText(page['url']), toText(page['title']) || toText(page['attribution']))
    if (source && !sourcesByUrl.has(source.url)) sourcesByUrl.set(source.url, source)
  }
  for (const url of sourcesByUrl.size > 0 ? [] : toList(reference['safe_urls'])) {
    const source = toSource(toText(url), '')
    if (source) sourcesByUrl.set(source.url, source)
  }
  return [...sourcesByUrl.values()]
}
