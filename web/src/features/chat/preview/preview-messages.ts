import { parseMessage } from '../apps/app-messages.ts'
import type { PreviewStorage, PreviewAnswers } from '../apps/frame-document.ts'

/** What a preview tried and was refused. */
export interface PreviewNotice {
  /** the hosts from which it wanted to load files; only the first of many */
  hosts: readonly string[]
  /** whether it wanted to open another page or to save a file */
  isLeaving: boolean
}

/** The messages of a preview. Its code is untrusted and may send any of them. */
export type PreviewMessage =
  | { kind: 'ready' | 'pong' }
  /** it was not opened: this browser does not refuse what its policy refuses */
  | { kind: 'unguarded' }
  | { kind: 'notice'; notice: PreviewNotice }
  /** its storage, which only its next document gets */
  | { kind: 'storage'; storage: PreviewStorage }
  /** it opened a dialog while it was loading, and has to be loaded again with the answers */
  | { kind: 'restart'; answers: PreviewAnswers }

/** A longer list would not help the user. */
const maxHosts = 5
/** A document that opens more dialogs while it loads is in a loop. */
const maxAnswers = 100
const hostPattern = /^[a-z\d.:-]{1,100}$/

const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isAnswer = (value: unknown): value is PreviewAnswers[number] =>
  value === null || typeof value === 'boolean' || typeof value === 'string'

/** Parses and validates a message. @returns undefined for anything else */
export function parsePreviewMessage(data: unknown): PreviewMessage | undefined {
  const { method, params = {} } = parseMessage(data) ?? {}
  switch (method) {
    case 'ui/notifications/sandbox-proxy-ready':
      return { kind: 'ready' }
    case 'frame/unguarded':
      return { kind: 'unguarded' }
    case 'preview/pong':
      return { kind: 'pong' }
    case 'preview/notice': {
      const hosts = toArray(params['hosts']).filter(
        (host): host is string => typeof host === 'string' && hostPattern.test(host),
      )
      return {
        kind: 'notice',
        notice: { hosts: hosts.slice(0, maxHosts), isLeaving: params['leaving'] === true },
      }
    }
    case 'preview/storage':
      return { kind: 'storage', storage: params }
    case 'preview/restart': {
      const answers = toArray(params['answers'])
      return answers.length <= maxAnswers && answers.every(isAnswer)
        ? { kind: 'restart', answers }
        : undefined
    }
    default:
      return undefined
  }
}
