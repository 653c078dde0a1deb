import type { PreviewKind, PreviewSource } from '../preview-context.ts'
import { describeContent, type BlockContent } from './describe-block-content.ts'
import { inlinePageFiles } from './inline-page-files.ts'
import type { ReplyBlock } from './read-blocks.ts'

export interface BlocksOfReply {
  blocks: readonly ReplyBlock[]
  request: string
  /** whether the model had read text of others, so that the user has to start what runs; undefined if that is not known yet */
  readOthers?: boolean
  /** whether it is being written, so that further blocks may follow */
  isStreaming?: boolean
}

/** A code block that can be previewed. */
export interface PreviewVersion extends PreviewSource {
  /** what is shown, copied and downloaded: the block, with the style sheets and scripts that belong to it */
  content: string
  /** names of files that it uses and that the reply does not have */
  missing: readonly string[]
  /** false while it is being written */
  isComplete: boolean
  /** see `BlocksOfReply` */
  readOthers?: boolean
  filename?: string
}

/** Makes the version of a block that no reply has. */
export const toVersion = (source: PreviewSource): PreviewVersion => ({
  ...source,
  content: source.code,
  missing: [],
  isComplete: true,
})

/** A block of a reply, which may be an edit of an earlier one. */
type Candidate = PreviewVersion & RatedBlock

/** Whether one may be an edit of the other. A picture may become a page, for example to be animated. */
const areComparable = (first: PreviewSource, second: PreviewSource) =>
  first.kind === second.kind || [first, second].every(({ kind }) => kind === 'html' || kind === 'svg')

/** What replies have created and changed, such as a page or a picture. The preview panel steps through its versions. */
export interface Artifact {
  /** oldest first */
  readonly versions: readonly Candidate[]
  /** the blocks of the reply with its newest version, which may be files of its page */
  readonly files: readonly ReplyBlock[]
}

/** The descriptions of blocks, by the content that they were made of. */
const descriptions = new WeakMap<ReplyBlock, { content: string; described: BlockContent }>()

function describe(block: ReplyBlock, kind: PreviewKind, content: string): BlockContent {
  const cached = descriptions.get(block)
  if (cached?.content === content) return cached.described
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

/** A block is compared with the newest versions of an artifact only: one that takes up an older version still resembles them. */
const comparedVersions = 3

/** Rates how much a block looks like an edit of an artifact (`rateEdit`). */
const rateArtifact = ({ versions }: Artifact, candidate: Candidate): number =>
  Math.max(
    ...versions
      .slice(-comparedVersions)
      .map((version) => (areComparable(version, candidate) ? rateEdit(version, candidate) : 0)),
  )

/** Adds the blocks of a reply to the artifacts that they are edits of. Blocks of one reply are different artifacts. @returns a new list */
export function addReplyToArtifacts(
  artifacts: readonly Artifact[],
  reply: BlocksOfReply,
): readonly Artifact[] {
  const { blocks } = reply
  const candidates = blocks.flatMap((block) =>
    block.kind === 'css' || block.kind === 'js' ? [] : [toCandidate(block, block.kind, blocks, reply)],
  )
  if (candidates.length === 0) return changeFiles(artifacts, reply)
  const pairs = candidates
    .flatMap((candidate) =>
      artifacts.map((artifact) => ({ candidate, artifact, rate: rateArtifact(artifact, candidate) })),
    )
    .filter(({ rate }) => rate > 0)
    .toSorted((first, second) => second.rate - first.rate)
  const edits = new Map<Artifact, Candidate>()
  const assigned = new Set<Candidate>()
  for (const { candidate, artifact } of pairs) {
    if (assigned.has(candidate) || edits.has(artifact)) continue
    assigned.add(candidate)
    edits.set(artifact, candidate)
  }
  return [
    ...artifacts.map((artifact) => {
      const edit = edits.get(artifact)
      return edit ? { versions: [...artifact.versions, edit], files: blocks } : artifact
    }),
    ...candidates.flatMap((candidate) =>
      assigned.has(candidate) ? [] : [{ versions: [candidate], files: blocks }],
    ),
  ]
}

/** Adds a version to an earlier page if a reply has only new versions of its files, under the same names. */
function changeFiles(artifacts: readonly Artifact[], reply: BlocksOfReply): readonly Artifact[] {
  if (reply.isStreaming) return artifacts
  const findChange = (file: ReplyBlock) =>
    reply.blocks.findLast(
      ({ kind, filename, code }) =>
        kind === file.kind &&
        filename !== undefined &&
        filename.toLowerCase() === file.filename?.toLowerCase() &&
        // an excerpt does not replace its file
        code.length >= file.code.length / 2,
    )
  const artifact = artifacts.findLast(({ files }) => files.some(findChange))
  const last = artifact?.versions.at(-1)
  const page = artifact?.files.find(({ kind, code }) => kind === 'html' && code === last?.code)
  if (!artifact || !last || !page) return artifacts
  const files = artifact.files.map((file) => findChange(file) ?? file)
  // not known of the page if it is not known of one of the two replies
  const both = [last.readOthers, reply.readOthers]
  const readOthers = both.includes(undefined) ? undefined : both.includes(true)
  const { request } = reply
  const version = toCandidate(page, 'html', files, {
    request,
    ...(readOthers !== undefined && { readOthers }),
  })
  return artifacts.map((one) => (one === artifact ? { versions: [...one.versions, version], files } : one))
}

/**
 * Finds the versions of the artifact that a block belongs to, oldest first. Equal ones are one version.
 * @param source the block as it was when its preview was opened; it may have grown since
 * @returns at least one version
 */
export function findVersions(artifacts: readonly Artifact[], source: PreviewSource): PreviewVersion[] {
  const start = source.code.trimEnd()
  const findArtifact = (isOwn: (code: string) => boolean) =>
    artifacts.findLast(({ versions }) =>
      versions.some((one) => areComparable(one, source) && isOwn(one.code)),
    )
  const artifact =
    findArtifact((code) => code.trimEnd() === start) ?? findArtifact((code) => code.startsWith(start))
  if (!artifact) return [toVersion(source)]
  const versions = new Map<string, PreviewVersion>()
  for (const version of artifact.versions) {
    // a version that comes back is the newest
    versions.delete(version.content)
    versions.set(version.content, version)
  }
  return [...versions.values()]
}

/** What is compared of a code block. */
interface RatedBlock {
  kind: PreviewKind
  filename?: string
  content: string
  described: BlockContent
  /** false while it is being written */
  isComplete: boolean
  /** the user's message before its reply */
  request: string
}

/** Whether the name of a file says what it is. General names such as `index.html` do not. */
const isDistinctiveName = (filename: string | undefined): filename is string =>
  filename !== undefined &&
  !/^(?:index|main|page|app|script|styles?|data|output|diagram|image|readme|untitled|example)\./i.test(
    filename,
  )

function countShared<Item>(first: ReadonlySet<Item>, second: ReadonlySet<Item>): number {
  let count = 0
  for (const item of first) if (second.has(item)) count += 1
  return count
}

/** How many items two sets share, and which part of the smaller set that is. */
function measureShared(first: ReadonlySet<string>, second: ReadonlySet<string>) {
  const count = countShared(first, second)
  return { count, share: count / Math.max(1, Math.min(first.size, second.size)) }
}

/** The part of a structure, from 0 to 1, that another one has as often. @param isPartial whether the later one is not complete yet */
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

/** The words of a request, without code that the user has pasted into it. */
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

/** Whether the user asked for something that the new block has and the old one has not. */
function asksForNew({ request, described }: RatedBlock, before: BlockContent): boolean {
  for (const word of readRequest(request))
    if (described.words.has(word) && !before.words.has(word)) return true
  return false
}

/**
 * Rates how much a block looks like an edit of an earlier one, from 0 to 1. What all pages have, such as style sheets, does not count. A
 * translation has no words of its original, but its structure. The thresholds were chosen by the examples in the tests.
 */
function rateEdit(earlier: RatedBlock, later: RatedBlock): number {
  if (isDistinctiveName(earlier.filename) && isDistinctiveName(later.filename))
    return earlier.filename.toLowerCase() === later.filename.toLowerCase() ? 1 : 0
  if (earlier.content === later.content) return 1
  const [before, now] = [earlier.described, later.described]
  const words = measureShared(before.words, now.words)
  const parts = measureShared(before.parts, now.parts)
  const structure = compareStructure(before.structure, now.structure, !later.isComplete)
  const hasSameTitle = before.title !== '' && before.title.toLowerCase() === now.title.toLowerCase()
  const best = Math.max(words.share, parts.share, structure)
  if (hasSameTitle && Math.max(words.share, parts.share) >= 0.3) return best
  // many pictures share one or two parts, such as a background
  if (parts.share >= 0.5 && (parts.count >= 3 || (parts.count > 0 && words.share >= 0.5))) return best
  // fewer words in common may be the frequent words of a language
  if (words.share >= 0.6 && words.count >= 6) return best
  if (structure < 0.9 || now.structure.length === 0) return 0
  const isDistinct = now.structure.length >= 8 || (parts.count > 0 && parts.share >= 0.9)
  // texts and tables have similar structures, whatever they are about
  const isText = later.kind === 'markdown' || later.kind === 'csv'
  return isDistinct || (!isText && !asksForNew(later, before)) ? structure : 0
}
