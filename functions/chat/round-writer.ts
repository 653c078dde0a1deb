import { maxReasoningCharacters, maxSources, maxReplyCharacters } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import type { ReplyLog } from '../conversations/store/reply-log.ts'
import type { Tool } from '../tools/calls/tool.ts'
import type { ModelCall, Source } from '../models/model.ts'
import { toTextId, type Progress } from './progress.ts'
import { noUsage } from '../conversations/turns/stored-reply.ts'
import { callToolName } from './tools/deferred-tools.ts'
import { toActivity } from './tools/run-tool.ts'

/** Arguments of one call that are shown while they are written. */
const maxInputCharacters = 20_000
const maxUrlCharacters = 2_000
const maxTitleCharacters = 300

interface RoundWriterInput {
  progress: Pick<Progress, 'firstTokenAtMs'>
  events: ReplyLog
  tools: readonly Tool[]
  /** number of the round in its reply */
  round: number
  /** the round continues a text part that was begun before */
  isOpen: boolean
  /** called when the reply has reached its limit */
  onTooLong: () => void
}

type RoundCallbacks = Required<
  Pick<
    ModelCall,
    'onText' | 'onTextWasReasoning' | 'onReasoning' | 'onToolInput' | 'onSource' | 'onWebSearch'
  >
>

/** Only web pages: the address becomes a link. */
function isWebPage(url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed !== undefined && ['http:', 'https:'].includes(parsed.protocol)
}

/**
 * Adds what the model writes in one round to the reply, and sends it on as events: a step with its reasoning, its text, the calls that
 * are being written, and sources.
 */
export function roundWriter({ progress, events, tools, round, isOpen, onTooLong }: RoundWriterInput) {
  let textId = toTextId(round)
  /** where this round's text begins in the reply */
  const textStart = events.reply.text.length
  let hasText = isOpen
  let hasStep = isOpen
  /** when the model last wrote text or a call: from then on it reasons */
  let lastOutputAtMs = Date.now()
  let reasoning: { id: string; blockId: string } | undefined
  let reasoningBlocks = 0
  const inputCharacters = new Map<string, number>()

  function beginStep(): void {
    if (!hasStep) events.push({ type: 'start-step' })
    hasStep = true
  }

  function endReasoning(): void {
    const now = Date.now()
    if (reasoning) {
      const durationMs = now - lastOutputAtMs
      events.push({
        type: 'reasoning-end',
        id: reasoning.id,
        providerMetadata: { juno: { durationMs } },
      })
    }
    reasoning = undefined
    lastOutputAtMs = now
  }

  const callbacks: RoundCallbacks = {
    onText(delta) {
      progress.firstTokenAtMs ??= Date.now()
      beginStep()
      endReasoning()
      if (!hasText) {
        hasText = true
        events.push({ type: 'text-start', id: textId })
      }
      const text = truncate(delta, maxReplyCharacters - events.reply.text.length)
      events.push({ type: 'text-delta', id: textId, delta: text })
      if (text.length < delta.length) onTooLong()
    },

    onTextWasReasoning() {
      const retracted = events.reply.text.slice(textStart)
      if (hasText) events.push({ type: 'text-end', id: textId })
      if (retracted !== '')
        events.push({ type: 'data-retracted-text', data: { characters: retracted.length } })
      hasText = false
      textId = `text-${round}-answer`
      callbacks.onReasoning(retracted.trim(), 'text')
    },

    onReasoning(delta, blockId) {
      const written = events.reply.reasoning?.text.length ?? 0
      // blocks are paragraphs of one text
      const gap = written > 0 && reasoning?.blockId !== blockId ? 2 : 0
      const added = truncate(delta, Math.max(0, maxReasoningCharacters - written - gap))
      if (added === '') return
      if (reasoning?.blockId !== blockId) {
        if (reasoning) endReasoning()
        beginStep()
        reasoning = { id: `reasoning-${round}-${reasoningBlocks++}`, blockId }
        events.push({ type: 'reasoning-start', id: reasoning.id })
      }
      events.push({ type: 'reasoning-delta', id: reasoning.id, delta: added })
    },

    onToolInput({ id, name, delta }) {
      // which tool it calls is known when its arguments are complete
      if (id === '' || name === '' || name === callToolName) return
      const sent = inputCharacters.get(id)
      if (sent === undefined) {
        beginStep()
        endReasoning()
        const tool = tools.find((one) => one.name === name)
        events.push({
          type: 'tool-input-start',
          toolCallId: id,
          toolName: name,
          ...(tool?.title !== undefined && { title: tool.title }),
          providerMetadata: { juno: toActivity({ tool }) },
        })
      }
      const inputTextDelta = truncate(delta, maxInputCharacters - (sent ?? 0))
      inputCharacters.set(id, (sent ?? 0) + delta.length)
      events.push({ type: 'tool-input-delta', toolCallId: id, inputTextDelta })
    },

    onSource(source) {
      if (isNewSource(events.reply.sources, source)) beginStep()
      addSource(events, source)
    },

    onWebSearch: () => countSearches(1),
  }

  function countSearches(count: number): void {
    const { usage = noUsage() } = events.reply
    beginStep()
    events.push({
      type: 'message-metadata',
      messageMetadata: { usage: { ...usage, webSearches: (usage.webSearches ?? 0) + count } },
    })
  }

  return {
    ...callbacks,
    /** adds searches that are known when the answer has ended */
    countSearches,
    /** begins the step if no callback has done so: the model may write neither text nor a call */
    beginStep,
    /** Ends the parts that are open; may be repeated. */
    endParts() {
      endReasoning()
      if (hasText) events.push({ type: 'text-end', id: textId })
      hasText = false
    },
  }
}

/** Adds a page to the sources of a reply, once. */
export function addSource(events: ReplyLog, source: Source): void {
  const { sources } = events.reply
  if (!isNewSource(sources, source)) return
  const { url } = source
  const title = source.title?.trim()
  const citedSource = { url, ...(title && { title: truncate(title, maxTitleCharacters) }) }
  events.push({ type: 'source-url', sourceId: `source-${sources.length + 1}`, ...citedSource })
}

const isNewSource = (sources: readonly { url: string }[], { url }: Source): boolean =>
  sources.length < maxSources &&
  url.length <= maxUrlCharacters &&
  isWebPage(url) &&
  !sources.some((known) => known.url === url)
