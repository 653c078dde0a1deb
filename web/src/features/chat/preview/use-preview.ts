import { useDeferredValue, useMemo, useState } from 'react'
import type { PreviewKind, PreviewSource } from '../preview-context.ts'
import {
  addReplyToArtifacts,
  findVersions,
  toVersion,
  type Artifact,
  type PreviewVersion,
} from './find-versions.ts'
import { createBlockReader, readBlocks, type ReplyBlock } from './read-blocks.ts'

/** The messages in which the block and its versions are. */
export interface ShownReplies {
  messages: readonly PreviewableMessage[]
  /** the beginning of the reply that is being written */
  streamingText: string
}

/** Whether a preview is shown while its code is being written. One that runs is started when its code is complete. */
export const isShownLive = (kind: PreviewKind) => kind === 'csv' || kind === 'markdown'

/** Whether a preview runs code of the reply. */
const runsCode = (kind: PreviewKind) => kind === 'html' || kind === 'svg'

/** A message that may have code blocks. */
export interface PreviewableMessage {
  role: 'user' | 'assistant'
  content: string
  /** says what the model had read for it; absent in messages that were recovered, imported or shared */
  usage?: { readOthers?: boolean | undefined } | undefined
}

/** The blocks of finished messages, so that each is read once. */
const storedBlocks = new WeakMap<PreviewableMessage, readonly ReplyBlock[]>()

function findStoredBlocks(message: PreviewableMessage): readonly ReplyBlock[] {
  const blocks = storedBlocks.get(message) ?? readBlocks(message.content)
  storedBlocks.set(message, blocks)
  return blocks
}

/** The user's message before a reply; empty without one. */
const findRequest = (messages: readonly PreviewableMessage[], index: number) =>
  messages.slice(0, index).findLast(({ role }) => role === 'user')?.content ?? ''

/** Collects what the replies of a conversation have created, each with its versions. */
const readArtifacts = (messages: readonly PreviewableMessage[]): readonly Artifact[] =>
  messages.reduce<readonly Artifact[]>((artifacts, message, index) => {
    if (message.role !== 'assistant') return artifacts
    const blocks = findStoredBlocks(message)
    // without usage it is not known, so the model may have read text of others
    const readOthers = message.usage === undefined || message.usage.readOthers === true
    return blocks.length === 0
      ? artifacts
      : addReplyToArtifacts(artifacts, { blocks, request: findRequest(messages, index), readOthers })
  }, [])

/** What `usePreview` returns. */
export type Preview = ReturnType<typeof usePreview>

/** The versions of a block in all replies, and the one that is shown: the newest, unless the user has chosen another. */
export function usePreview({ messages, streamingText }: ShownReplies, source: PreviewSource) {
  const text = useDeferredValue(streamingText)
  const [readStreaming] = useState(createBlockReader)
  const stored = useMemo(() => readArtifacts(messages), [messages])
  const versions = useMemo(() => {
    const blocks = text === '' ? [] : readStreaming(text)
    const request = findRequest(messages, messages.length)
    const artifacts =
      blocks.length === 0 ? stored : addReplyToArtifacts(stored, { blocks, request, isStreaming: true })
    return findVersions(artifacts, source)
  }, [messages, stored, text, readStreaming, source])
  const last = versions.length - 1
  const [opened] = useState(() => versions.findLast(({ code }) => code.trimEnd() === source.code.trimEnd()))
  /** the content of the version that the user has chosen, whose index changes with the others; undefined to follow the newest */
  const [chosen, setChosen] = useState(opened === versions[last] ? undefined : opened?.content)
  /** the versions that the user has started, by opening them or by the button in the panel */
  const [started, setStarted] = useState<readonly string[]>([(opened?.content ?? source.code).trimEnd()])
  // what the model has read for a reply is known at its end: until then its version does not run by itself
  const isShowable = ({ kind, content, isComplete, readOthers }: PreviewVersion) =>
    isShownLive(kind) ||
    started.includes(content.trimEnd()) ||
    (isComplete && (!runsCode(kind) || readOthers !== undefined))
  const chosenIndex = versions.findIndex((version) => version.content === chosen)
  const newestIndex = Math.max(versions.findLastIndex(isShowable), 0)
  const index = chosenIndex < 0 ? newestIndex : chosenIndex
  const version = versions[index] ?? toVersion(source)
  const content = version.content.trimEnd()
  return {
    shown: version,
    index,
    /** of the newest version that can be shown: a later one is still being written */
    newestIndex,
    count: versions.length,
    isWriting: versions[last]?.isComplete === false,
    /** whether only the code can be shown, because no version is ready */
    isCode: !isShowable(version),
    /** whether the user is asked before it runs */
    isQuestion: runsCode(version.kind) && version.readOthers === true && !started.includes(content),
    run: () => setStarted([...started, content]),
    choose: (next: number) => setChosen(next === last ? undefined : versions[next]?.content),
  }
}
