import { describeContent, type BlockContent } from './describe-block.ts'
import { inlinePageFiles } from './join-page.ts'
import type { PreviewKind, PreviewSource } from '../preview-context.ts'
import type { ReplyBlock } from './read-blocks.ts'

/** The code blocks of a reply, and what the user had asked for. */
export interface BlocksOfReply {
  blocks: readonly ReplyBlock[]
  request: string
  /** the reply may do what a text of others says: what runs in it has to be wanted by the user */
  readOthers?: boolean
  /** blocks that belong together may still follow */
  isStreaming?: boolean
}

/** A code block that can be previewed. */
export interface PreviewVersion extends PreviewSource {
  /** what is shown, copied and downloaded: the block, and what its page has beside it */
  content: string
  /** names of files that it wants and does not have */
  missing: readonly string[]
  /** false while it is being written */
  isComplete: boolean
  readOthers?: boolean
  filename?: string
}

interface Candidate extends PreviewVersion {
  /** of the user, before its reply */
  request: string
  described: BlockContent
}

/** Names that a thing has by its place, not by what it is. */
const isOwnName = (filename: string | undefined): filename is string =>
  filename !== undefined &&
  !/^(?:index|main|page|app|script|styles?|data|output|diagram|image|readme|untitled|example)\./i.test(
    filename,
  )

function countShared<Item>(first: ReadonlySet<Item>, second: ReadonlySet<Item>): number {
  let count = 0
  for (const item of first) if (second.has(item)) count += 1
  return count
}

/** The share of the smaller set that is in the other one too. */
function measureShared(first: ReadonlySet<string>, second: ReadonlySet<string>) {
  const count = countShared(first, second)
  return { count, share: count / Math.max(1, Math.min(first.size, second.size)) }
}

/** The share of a structure that another one has as often. @param isPartial it is being written, so the other one has more */
function compareStructure(earlier: readonly string[], later: readonly string[], isPartial: boolean): number {
  const left = new Map<string, number>()
  for (const item of earlier) left.set(item, (left.get(item) ?? 0) + 1)
  let count = 0
  for (const item of later) {
    const rest = left.get(item) ?? 0
    if (rest === 0) continue
    left.set(item, rest - 1)
    count += 1
  }
  return count / Math.max(1, isPartial ? later.length : Math.max(earlier.length, later.length))
}

/** The words of a request. Code that the user pasted says nothing of what they want. */
function readRequest(text: string): ReadonlySet<string> {
  let fence = ''
  const lines = text.split('\n').filter((line) => {
    const mark = /^\s{0,9}(`{3}|~{3})/.exec(line)?.[1]
    if (fence === '') fence = mark ?? ''
    else if (mark === fence) fence = ''
    return fence === '' && mark === undefined
  })
  return new Set(
    lines
      .join('\n')
      .toLowerCase()
      .match(/[\p{L}\p{M}]{3,}/gu),
  )
}

/** Whether the user asked for something that is in the new block and was not in the old one. */
function asksForNew({ request, described }: Candidate, before: BlockContent): boolean {
  for (const word of readRequest(request))
    if (described.words.has(word) && !before.words.has(word)) return true
  return false
}

/**
 * How much a block looks like an edit of an earlier one, from 0 to 1. What all pages have (the frame of a document, style sheets) counts
 * nothing; a translation has no word of its original, but its structure.
 */
function rateEdit(earlier: Candidate, later: Candidate): number {
  if (isOwnName(earlier.filename) && isOwnName(later.filename))
    return earlier.filename.toLowerCase() === later.filename.toLowerCase() ? 1 : 0
  if (earlier.content === later.content) return 1
  const [before, now] = [earlier.described, later.described]
  const words = measureShared(before.words, now.words)
  const parts = measureShared(before.parts, now.parts)
  const structure = compareStructure(before.structure, now.structure, !later.isComplete)
  const hasSameTitle = before.title !== '' && before.title.toLowerCase() === now.title.toLowerCase()
  const best = Math.max(words.share, parts.share, structure)
  if (hasSameTitle && Math.max(words.share, parts.share) >= 0.3) return best
  // one or two parts, such as a background, are in many pictures
  if (parts.share >= 0.5 && (parts.count >= 3 || (parts.count > 0 && words.share >= 0.5))) return best
  // fewer are the small words of a language
  if (words.share >= 0.6 && words.count >= 6) return best
  if (structure < 0.9 || now.structure.length === 0) return 0
  const isDistinct = now.structure.length >= 8 || (parts.count > 0 && parts.share >= 0.9)
  // texts have the same few marks
  const isText = later.kind === 'markdown' || later.kind === 'csv'
  return isDistinct || (!isText && !asksForNew(later, before)) ? structure : 0
}

/** A picture becomes a page when it is to move. */
const isSameKind = (first: PreviewSource, second: PreviewSource) =>
  first.kind === second.kind || [first, second].every(({ kind }) => kind === 'html' || kind === 'svg')

/** What replies have made and changed, such as a page or a picture. The previews of its versions are steps of one panel. */
export interface Work {
  /** oldest first */
  readonly versions: readonly Candidate[]
  /** the files of its page */
  readonly files: readonly ReplyBlock[]
}

const descriptions = new WeakMap<ReplyBlock, { content: string; described: BlockContent }>()

function describe(block: ReplyBlock, kind: PreviewKind, content: string): BlockContent {
  const description = descriptions.get(block)
  if (description?.content === content) return description.described
  const described = describeContent(kind, content)
  descriptions.set(block, { content, described })
  return described
}

function toCandidate(
  block: ReplyBlock,
  kind: PreviewKind,
  files: readonly ReplyBlock[],
  { request, readOthers, isStreaming }: Omit<BlocksOfReply, 'blocks'>,
): Candidate {
  const { html: content, missing } =
    kind === 'html' && !isStreaming ? inlinePageFiles(block, files) : { html: block.code, missing: [] }
  return {
    kind,
    code: block.code,
    content,
    missing,
    isComplete: block.isComplete,
    request,
    described: describe(block, kind, content),
    ...(readOthers !== undefined && { readOthers }),
    ...(block.filename !== undefined && { filename: block.filename }),
  }
}

/** Earlier versions are left behind. */
const comparedVersions = 3

const rateWork = ({ versions }: Work, candidate: Candidate): number =>
  Math.max(
    ...versions
      .slice(-comparedVersions)
      .map((version) => (isSameKind(version, candidate) ? rateEdit(version, candidate) : 0)),
  )

/** Adds the blocks of a reply to the works that they are edits of. Within one reply, each is a work of its own. */
export function addReply(works: readonly Work[], reply: BlocksOfReply): readonly Work[] {
  const { blocks } = reply
  const candidates = blocks.flatMap((block) =>
    block.kind === 'css' || block.kind === 'js' ? [] : [toCandidate(block, block.kind, blocks, reply)],
  )
  if (candidates.length === 0) return changeFiles(works, reply)
  const pairs = candidates
    .flatMap((candidate) => works.map((work) => ({ candidate, work, rate: rateWork(work, candidate) })))
    .filter(({ rate }) => rate > 0)
    .toSorted((first, second) => second.rate - first.rate)
  const edits = new Map<Work, Candidate>()
  const placed = new Set<Candidate>()
  for (const { candidate, work } of pairs) {
    if (placed.has(candidate) || edits.has(work)) continue
    placed.add(candidate)
    edits.set(work, candidate)
  }
  return [
    ...works.map((work) => {
      const edit = edits.get(work)
      return edit ? { versions: [...work.versions, edit], files: blocks } : work
    }),
    ...candidates.flatMap((candidate) =>
      placed.has(candidate) ? [] : [{ versions: [candidate], files: blocks }],
    ),
  ]
}

/** A reply that only has files of an earlier page, under their names, changes that page. */
function changeFiles(works: readonly Work[], reply: BlocksOfReply): readonly Work[] {
  if (reply.isStreaming) return works
  const findChange = (file: ReplyBlock) =>
    reply.blocks.findLast(
      ({ kind, filename, code }) =>
        kind === file.kind &&
        filename !== undefined &&
        filename.toLowerCase() === file.filename?.toLowerCase() &&
        // an excerpt does not replace its file
        code.length >= file.code.length / 2,
    )
  const work = works.findLast(({ files }) => files.some(findChange))
  const last = work?.versions.at(-1)
  const page = work?.files.find(({ kind, code }) => kind === 'html' && code === last?.code)
  if (!work || !last || !page) return works
  const files = work.files.map((file) => findChange(file) ?? file)
  // what is not known of one of the two is not known of the page
  const both = [last.readOthers, reply.readOthers]
  const readOthers = both.includes(undefined) ? undefined : both.includes(true)
  const { request } = reply
  const version = toCandidate(page, 'html', files, {
    request,
    ...(readOthers !== undefined && { readOthers }),
  })
  return works.map((one) => (one === work ? { versions: [...one.versions, version], files } : one))
}

/**
 * The versions of a block, oldest first: what the replies made of it, as the user asked. Equal ones are one version.
 * @param source the block as it was when its preview was opened: it may have grown since
 */
export function findVersions(works: readonly Work[], source: PreviewSource): PreviewVersion[] {
  const start = source.code.trimEnd()
  const findWork = (isOwn: (code: string) => boolean) =>
    works.findLast(({ versions }) => versions.some((one) => isSameKind(one, source) && isOwn(one.code)))
  const work = findWork((code) => code.trimEnd() === start) ?? findWork((code) => code.startsWith(start))
  if (!work) return [{ ...source, content: source.code, missing: [], isComplete: true }]
  const versions = new Map<string, PreviewVersion>()
  for (const version of work.versions) {
    // a version that comes back is the newest
    versions.delete(version.content)
    versions.set(version.content, version)
  }
  return [...versions.values()]
}
