import { maxReasoningCharacters, maxReplyCharacters, maxSources } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import type { ReplyLog } from '../conversations/store/reply-log.ts'
import type { Tool } from '../tools/calls/tool.ts'
import type { ModelCall, Source } from './model/model.ts'
import type { Progress } from './progress.ts'
import { callToolName } from './tools/deferred-tools.ts'
import { toActivity } from './tools/run-tool.ts'

/** Arguments of one call that are shown while they are written. */
const maxInputCharacters = 20_000
const maxUrlCharacters = 2_000
const maxTitleCharacters = 300

interface RoundWriterInput {
  progress: Progress
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
  let textId = `text-${round}`
  /** where this round's text begins in the reply */
  const textStart = progress.content.length
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
      const { text, durationMs: before } = progress.reasoning
      progress.reasoning = { text, durationMs: before + durationMs }
      events.push({
        type: 'reasoning-end',
        id: reasoning.id,
        providerMetadata: { juno: { durationMs } },
      })
    }
    reasoning = undefined
    lastOutputAtMs = now
  }

  function addReasoning(text: string): void {
    progress.reasoning.text += truncate(text, maxReasoningCharacters - progress.reasoning.text.length)
  }

  const callbacks: RoundCallbacks = {
    onText(delta) {
      progress.firstTokenAtMs ??= Date.now()
      beginStep()
      endReasoning()
      if (!hasText) {
        hasText = true
        if (progress.content !== '') progress.content += '\n\n'
        events.push({ type: 'text-start', id: textId })
      }
      const text = truncate(delta, maxReplyCharacters - progress.content.length)
      progress.content += text
      events.push({ type: 'text-delta', id: textId, delta: text })
      if (text.length < delta.length) onTooLong()
    },

    onTextWasReasoning() {
      const retracted = progress.content.slice(textStart)
      progress.content = progress.content.slice(0, textStart)
      if (hasText) events.push({ type: 'text-end', id: textId })
      if (retracted !== '')
        events.push({ type: 'data-retracted-text', data: { characters: retracted.length } })
      hasText = false
      textId = `text-${round}-answer`
      callbacks.onReasoning(retracted.trim(), 'text')
    },

    onReasoning(delta, blockId) {
      if (delta === '') return
      if (reasoning?.blockId !== blockId) {
        if (reasoning) endReasoning()
        beginStep()
        reasoning = { id: `reasoning-${round}-${reasoningBlocks++}`, blockId }
        if (progress.reasoning.text !== '') addReasoning('\n\n')
        events.push({ type: 'reasoning-start', id: reasoning.id })
      }
      const before = progress.reasoning.text.length
      addReasoning(delta)
      const added = progress.reasoning.text.slice(before)
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
      if (!isNewSource(progress, source)) return
      const { url } = source
      const title = source.title?.trim()
      const citedSource = { url, ...(title && { title: truncate(title, maxTitleCharacters) }) }
      beginStep()
      progress.sources.push(citedSource)
      events.push({ type: 'source-url', sourceId: `source-${progress.sources.length}`, ...citedSource })
    },

    onWebSearch() {
      progress.usage = { ...progress.usage, webSearches: (progress.usage.webSearches ?? 0) + 1 }
      beginStep()
      // stored with the event log, so that a reply that is recovered after a crash has it too
      events.push({ type: 'message-metadata', messageMetadata: { usage: progress.usage } })
    },
  }

  return {
    ...callbacks,
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

const isNewSource = ({ sources }: Progress, { url }: Source): boolean =>
  sources.length < maxSources &&
  url.length <= maxUrlCharacters &&
  isWebPage(url) &&
  !sources.some((known) => known.url === url)
