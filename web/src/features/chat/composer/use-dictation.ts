import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { showToast } from '../../../components/ui/toast.ts'
import { useActions } from '../../../lib/actions/actions.ts'
import { getErrorMessage, hasErrorName } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { findComposer, insertIntoComposer } from '../../../lib/input/composer-text.ts'
import { useEscape } from '../../../lib/input/escape.ts'
import { announce } from '../../../lib/browser/announce.ts'
import { readDraft, saveDraft } from '../../../lib/input/drafts.ts'
import { startRecorder, type Recorder } from './recorder.ts'
import { findSeparator } from './find-separator.ts'

/** Longer than the service waits for the model, which is 55 s. */
const timeoutMs = 65_000

/** What a dictation is doing. */
type Phase =
  | { name: 'idle' }
  | { name: 'starting' }
  | { name: 'recording'; recorder: Recorder; startedAtMs: number }
  /** the service writes it down */
  | { name: 'writing' }
  /** the recording is kept, to be sent again */
  | { name: 'failed'; audio: Blob }

const idle: Phase = { name: 'idle' }

/**
 * Records what the user says, has it written down and adds it to the message. It goes on when the user leaves the conversation, and ends
 * when they sign out.
 * @param draftKey the draft that gets the text if the user has left the conversation; undefined in a temporary chat, where leaving ends it
 */
export function useDictation(draftKey: string | undefined) {
  const actions = useActions()
  const [phase, setPhase] = useState<Phase>(idle)
  /** of the current recording; aborted when the user cancels, or leaves a temporary chat */
  const attempt = useRef<AbortController>(undefined)
  /** set when the user has left the conversation */
  const leftDraftKey = useRef<string>(undefined)

  /** Whether it was cancelled or its user has signed out, so that nothing of it may be sent or stored. */
  const isOver = (signal: AbortSignal) => signal.aborted || actions.isClosed()

  const transcribe = async (audio: Blob, signal: AbortSignal) => {
    if (isOver(signal)) return
    setPhase({ name: 'writing' })
    // here and not in an effect, because the component may be unmounted by then
    const stopWarning = warnBeforeUnload()
    try {
      const { text } = await callApi('speech.transcribe', { body: audio }, { signal, timeoutMs })
      if (isOver(signal)) return
      setPhase(idle)
      addText(text, leftDraftKey.current)
    } catch (error) {
      if (isOver(signal)) return
      setPhase({ name: 'failed', audio })
      const hasLeft = leftDraftKey.current !== undefined
      notifyFailure(error, getErrorMessage(error), hasLeft ? () => transcribeAgain(audio) : undefined)
    } finally {
      stopWarning()
    }
  }
  const beginAttempt = () => {
    attempt.current = new AbortController()
    return attempt.current.signal
  }
  const transcribeAgain = (audio: Blob) => void transcribe(audio, beginAttempt())
  const record = async () => {
    const signal = beginAttempt()
    setPhase({ name: 'starting' })
    try {
      const recorder = await startRecorder()
      signal.addEventListener('abort', recorder.finish)
      if (signal.aborted) return recorder.finish()
      setPhase({ name: 'recording', recorder, startedAtMs: performance.now() })
      const audio = await recorder.recording
      if (isOver(signal)) return
      if (audio.size > 0) return await transcribe(audio, signal)
      setPhase(idle)
      showToast('info', t`Nothing was recorded`)
    } catch (error) {
      if (isOver(signal)) return
      setPhase(idle)
      notifyMicrophoneFailure(error)
    }
  }
  const cancel = () => {
    attempt.current?.abort()
    setPhase(idle)
    findComposer()?.focus({ preventScroll: true })
  }
  const isActive = phase.name !== 'idle'
  useEscape('card', isActive ? cancel : undefined)
  const leave = useEffectEvent(() => {
    if (draftKey === undefined || phase.name === 'starting') return attempt.current?.abort()
    leftDraftKey.current = draftKey
    if (phase.name === 'recording') phase.recorder.finish()
    if (phase.name === 'failed' && !actions.isClosed())
      notifyFailure(undefined, undefined, () => transcribeAgain(phase.audio))
  })
  useEffect(() => {
    // in development, React's strict mode unmounts the component once and mounts it again
    leftDraftKey.current = undefined
    return () => leave()
  }, [])
  useEffect(() => (isActive ? warnBeforeUnload() : undefined), [isActive])

  return { phase, record, cancel, transcribeAgain }
}

/** Makes the browser ask before the page is closed. @returns stops that */
function warnBeforeUnload(): () => void {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', warn)
  return () => removeEventListener('beforeunload', warn)
}

/** Adds what was said to its message. @param leftDraftKey of that message, if its conversation is no longer shown */
function addText(text: string, leftDraftKey: string | undefined): void {
  if (text === '') showToast('info', t`The recording came back without words`)
  else if (leftDraftKey === undefined) addToMessage(text)
  else addToDraft(leftDraftKey, text)
}

/** @param onRetry undefined while the component has a button for it */
function notifyFailure(
  cause: unknown,
  description: string | undefined,
  onRetry: (() => void) | undefined,
): void {
  showToast('error', t`What you said was not written down`, {
    cause,
    ...(description !== undefined && { description }),
    ...(onRetry && { action: { label: t`Transcribe again`, onClick: onRetry } }),
  })
}

function notifyMicrophoneFailure(cause: unknown): void {
  if (hasErrorName(cause, 'NotAllowedError'))
    showToast('error', t`The microphone is not allowed`, {
      description: t`Allow it for this page in the settings of your browser.`,
      cause,
    })
  else
    showToast('error', t`The microphone could not be used`, {
      description: t`Check that one is connected and that no other program uses it.`,
      cause,
    })
}

/** Adds a text at the caret, or in place of what is selected, with spaces around it where words would touch, and says so to screen readers. */
function addToMessage(text: string): void {
  const composer = findComposer()
  if (!composer) return
  const { value, selectionStart: from, selectionEnd: to } = composer
  const before = findSeparator(value.slice(0, from), text)
  const after = findSeparator(text, value.slice(to))
  insertIntoComposer(composer, `${before}${text}${after}`, from, to)
  announce(t`What you said is in the message field.`)
}

/** Adds a text at the end of a message that is not shown, and says so. @param key of its draft */
function addToDraft(key: string, text: string): void {
  const before = readDraft(key).trimEnd()
  saveDraft(key, 'text', before + findSeparator(before, text) + text)
  showToast('success', t`What you said is in the message field of its conversation.`)
}
